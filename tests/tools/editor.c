/* Saves as editors do: into the file, or beside it and over it by rename. */
#define _GNU_SOURCE
#include "editor.h"
#include "base/buf.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PART ".part~"
#define LEFTOVERS ".git/perf/leftovers"
#define SAVES 4
#define POLL_NS 20000

static const char *const names[] = {"a",   "b",	       "d/1",	"d/2",
				    "new", "crlf.txt", "d/new", "u"};
#define NAMES (sizeof(names) / sizeof(*names))

static struct {
	bool used, was;
	mode_t mode;
	struct pn_buf bytes;
} files[NAMES];

/* Shared with the process that saves. */
static struct {
	atomic_uint stop;
	atomic_uint saves;
	unsigned int last[NAMES]; /* number of the last save; 0: none */
	bool beside[NAMES];	  /* it was written beside, and renamed */
} * shared;
static pid_t editor;
static unsigned int numbers; /* of all saves so far */

void editor_find(void)
{
	size_t i;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		exit(2);
	for (i = 0; i < NAMES; i++) {
		struct stat st;

		files[i].was = !lstat(names[i], &st);
		files[i].used =
			files[i].was ? S_ISREG(st.st_mode) && st.st_nlink == 1
				     : errno == ENOENT || errno == ENOTDIR;
		files[i].mode = files[i].was ? st.st_mode & 07777 : 0;
		if (files[i].was && files[i].used)
			pn_file_read(&files[i].bytes, names[i], 1 << 20, NULL);
	}
}

bool editor_has(const char *path)
{
	size_t i, len = strlen(path), part = strlen(PART);

	if (len > part && !strcmp(path + len - part, PART))
		return true;
	for (i = 0; i < NAMES; i++)
		if (files[i].used && !strcmp(path + 2, names[i]))
			return true;
	return false;
}

static unsigned int pick(uint64_t *seed, unsigned int below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)((*seed >> 33) % below);
}

static void text_of(char out[32], unsigned int number)
{
	snprintf(out, 32, "saved %u\n", number);
}

/* Not into a file that git has made and not written yet: it writes over what
 * others write in that moment, in any checkout, and git-perf-run(1) says so. */
static int open_in_place(const char *name)
{
	int fd = open(name, O_WRONLY | O_NOFOLLOW);
	struct stat st;

	if (fd < 0)
		return open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
			    0666);
	if (!fstat(fd, &st) && st.st_size && !ftruncate(fd, 0))
		return fd;
	close(fd);
	return -1;
}

/* True when the editor would say that it is saved. */
static bool save(const char *name, unsigned int number, bool beside)
{
	char text[32], part[64];
	bool saved;
	int fd;

	text_of(text, number);
	snprintf(part, sizeof(part), "%s" PART, name);
	fd = beside ? open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW,
			   0666)
		    : open_in_place(name);
	if (fd < 0)
		return false;
	saved = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	saved = !close(fd) && saved;
	return beside ? saved && !rename(part, name) : saved;
}

static int by_number(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a;
	unsigned int y = *(const unsigned int *)b;

	return x < y ? -1 : x > y;
}

static void work(const atomic_uint *calls, unsigned int total, uint64_t seed)
{
	const struct timespec poll = {0, POLL_NS};
	unsigned int when[SAVES], i, n;
	bool beside;

	for (i = 0; i < SAVES; i++)
		when[i] = pick(&seed, total) + 1;
	qsort(when, SAVES, sizeof(*when), by_number);
	for (i = 0; i < SAVES; i++) {
		while (!atomic_load(&shared->stop) &&
		       atomic_load(calls) < when[i])
			nanosleep(&poll, NULL);
		if (atomic_load(&shared->stop))
			break;
		n = pick(&seed, NAMES);
		beside = pick(&seed, 2);
		if (files[n].used && save(names[n], numbers + i + 1, beside)) {
			shared->last[n] = numbers + i + 1;
			shared->beside[n] = beside;
			atomic_fetch_add(&shared->saves, 1);
		}
	}
}

void editor_start(const atomic_uint *calls, unsigned int total, uint64_t seed)
{
	memset(shared, 0, sizeof(*shared));
	editor = fork();
	if (editor)
		return;
	work(calls, total, seed);
	_exit(0);
}

static bool holds(const char *path, const char *text)
{
	struct pn_buf bytes = {0};
	bool same = !pn_file_read(&bytes, path, 64, NULL) &&
		    !strcmp(pn_buf_text(&bytes), text);

	pn_buf_release(&bytes);
	return same;
}

/* Whether a file below has these bytes; with `text` NULL all of it goes. */
static bool below(const char *dir, const char *text)
{
	DIR *stream = opendir(dir);
	struct dirent *entry;
	bool found = false;

	while (stream && !found && (entry = readdir(stream))) {
		struct pn_buf path = {0};
		struct stat st;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		pn_buf_printf(&path, "%s/%s", dir, entry->d_name);
		if (!lstat(pn_buf_text(&path), &st)) {
			if (S_ISDIR(st.st_mode))
				found = below(pn_buf_text(&path), text);
			else if (text && S_ISREG(st.st_mode))
				found = holds(pn_buf_text(&path), text);
			else if (!text)
				unlink(pn_buf_text(&path));
		}
		pn_buf_release(&path);
	}
	if (stream)
		closedir(stream);
	if (!text)
		rmdir(dir);
	return found;
}

int editor_stop(unsigned int *saves)
{
	size_t i;
	int lost = 0;

	atomic_store(&shared->stop, 1);
	waitpid(editor, NULL, 0);
	for (i = 0; i < NAMES; i++) {
		char text[32];

		text_of(text, shared->last[i]);
		if (!shared->last[i] || holds(names[i], text) ||
		    below(LEFTOVERS, text))
			continue;
		printf("LOST: '%s', saved %s, of %s", names[i],
		       shared->beside[i] ? "by rename" : "in place", text);
		lost = 1;
	}
	*saves += atomic_load(&shared->saves);
	numbers += SAVES;
	return lost;
}

void editor_reset(void)
{
	size_t i;

	below(LEFTOVERS, NULL);
	for (i = 0; i < NAMES; i++) {
		struct pn_buf part = {0};

		pn_buf_printf(&part, "%s" PART, names[i]);
		unlink(pn_buf_text(&part));
		pn_buf_release(&part);
		if (!files[i].used)
			continue;
		unlink(names[i]);
		if (files[i].was) {
			pn_file_write(names[i], pn_buf_text(&files[i].bytes),
				      files[i].bytes.len, false, NULL);
			chmod(names[i], files[i].mode);
		}
	}
}
