/*
 * kills <what>=<count>[,...] <seed> <killpoint.so> <recover> <command>...
 *
 * In the current repository: run the command, kill it somewhere, run
 * `<recover> recover`, and look whether everything is as it was before; that
 * so many times of each <what>. Each time another point of the run (or, every
 * fourth time, also of the recovery, which is then run again). Says how many
 * kills there were, and all that is not as it was.
 *
 * <what> is "kill"; or "fail": no kill, but one call of the program fails; or
 * the name of a call, as "fsync": each one in turn fails, up to <count>; or
 * "save": somebody saves files meanwhile, which must be there at the end.
 */
#define _GNU_SOURCE
#include "base/buf.h"
#include "base/file.h"
#include "base/hash.h"
#include "editor.h"
#include "killpoint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FILE_MAX (64u << 20)

static struct killpoint *shared;
static char map_path[4096];
static const char *preload;
static bool failing, saving, no_state;
static const char *only;      /* the call that fails, or NULL */
static struct pn_buf outside; /* as it was, without what is git-perf's own */

static void look(struct pn_buf *out, const char *dir, int inside);

/* git's own folder: index, HEAD, refs, what is left of a run. Objects and
 * logs only grow, and so may the notes. */
static int matters(const char *dir, const char *name, int inside)
{
	if (!strcmp(name, ".") || !strcmp(name, ".."))
		return 0;
	if (!inside)
		return 1;
	if (no_state && !strcmp(name, "perf"))
		return 0;
	if (!strcmp(dir, "./.git"))
		return !strcmp(name, "index") || !strcmp(name, "HEAD") ||
		       !strcmp(name, "refs") || !strcmp(name, "perf") ||
		       !strcmp(name, "packed-refs") ||
		       !strncmp(name, "MERGE_", 6) ||
		       (strstr(name, ".lock") && strcmp(name, "gc.pid.lock"));
	return strcmp(name, "leftovers") && strcmp(name, "inplace.lock") &&
	       strcmp(name, "lock") && strcmp(name, "moving") &&
	       strcmp(name, "notes");
}

static void look_at(struct pn_buf *out, const char *path, int inside)
{
	struct pn_buf bytes = {0};
	struct pn_oid id = {{0}};
	char hex[PN_OID_HEX + 1], target[4096];
	struct stat st;
	ssize_t n;

	if (lstat(path, &st))
		return;
	/* a gc beside locks refs for a moment to look at their logs */
	if (saving && inside && !st.st_size && strstr(path, ".lock"))
		return;
	if (S_ISREG(st.st_mode) && !pn_file_read(&bytes, path, FILE_MAX, NULL))
		pn_hash_git_object(&id, "blob", bytes.data, bytes.len);
	n = S_ISLNK(st.st_mode) ? readlink(path, target, sizeof(target)) : 0;
	pn_oid_hex(hex, &id);
	/* git deletes folders of refs when they get empty */
	if (!inside || !S_ISDIR(st.st_mode))
		pn_buf_printf(out, "%06o %s %s %.*s\n", st.st_mode, hex, path,
			      (int)n, target);
	if (S_ISDIR(st.st_mode))
		look(out, path, inside || !strcmp(path, "./.git"));
	pn_buf_release(&bytes);
}

static void look(struct pn_buf *out, const char *dir, int inside)
{
	struct dirent **names;
	int count = scandir(dir, &names, NULL, alphasort), i;

	for (i = 0; i < count; i++) {
		struct pn_buf path = {0};

		pn_buf_printf(&path, "%s/%s", dir, names[i]->d_name);
		if (matters(dir, names[i]->d_name, inside) &&
		    !(saving && editor_has(pn_buf_text(&path))))
			look_at(out, pn_buf_text(&path), inside);
		pn_buf_release(&path);
		free(names[i]);
	}
	if (count >= 0)
		free(names);
}

static unsigned int pick(uint64_t *seed, unsigned int below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned int)((*seed >> 33) % below);
}

static const int errors[] = {EIO, ENOMEM, ESTALE, EACCES, ENOSPC};

/* Run to the end, killed before call `at`; the number of calls it made. */
static unsigned int run(char *const *argv, unsigned int at, unsigned int mode,
			int *status)
{
	pid_t pid;

	memset(shared, 0, sizeof(*shared));
	shared->at = at;
	shared->mode = mode;
	snprintf(shared->only, sizeof(shared->only), "%s", only ? only : "");
	shared->error = errors[at % (sizeof(errors) / sizeof(*errors))];
	pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_RDWR);

		setenv("LD_PRELOAD", preload, 1);
		setenv("KILLPOINT", map_path, 1);
		dup2(null, 1);
		if (at || argv[1][0] != 'r')
			dup2(null, 2);
		execvp(argv[0], argv);
		_exit(126);
	}
	waitpid(pid, status, 0);
	return atomic_load(&shared->calls);
}

/* Those lines of the one that the other does not have. */
static void lines_of(const char *sign, const struct pn_buf *one,
		     const struct pn_buf *other)
{
	const char *line = pn_buf_text(one), *end;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		size_t len = (size_t)(end + 1 - line);

		if (!memmem(pn_buf_text(other), other->len, line, len))
			printf("%s%.*s", sign, (int)len, line);
	}
}

static void report(const struct pn_buf *before, const struct pn_buf *after,
		   unsigned int at, unsigned int mode, int status)
{
	printf("not as it was after a kill at call %u, mode %u; recover "
	       "ended with %x\n",
	       at, mode, status);
	lines_of("-", before, after);
	lines_of("+", after, before);
}

/* After an error that the status does not tell everything is back, but for the
 * run's own state. */
static int is_told(int status)
{
	struct pn_buf after = {0};
	int told;

	no_state = true;
	look(&after, ".", 0);
	no_state = false;
	told = status || (outside.len == after.len &&
			  !memcmp(outside.data, after.data, after.len));
	if (!told) {
		printf("nothing was said, %s failed: %s\n", shared->call,
		       strerror(shared->error));
		lines_of("-", &outside, &after);
		lines_of("+", &after, &outside);
	}
	pn_buf_release(&after);
	return told;
}

/* One kill and what comes after it; 0 when all is as it was. */
static int once(const struct pn_buf *before, char *const *command,
		char *const *recover, unsigned int total,
		unsigned int recovering, uint64_t *seed, unsigned int *kills)
{
	unsigned int at = only ? *kills + 1 : 1 + pick(seed, total);
	unsigned int mode = failing ? FAIL_MAIN : pick(seed, 4) % 3;
	struct pn_buf after = {0};
	int status, bad;

	run(command, at, mode, &status);
	bad = failing && !saving && !is_told(status);
	*kills += 1;
	if (!only && !pick(seed, 4)) {
		run(recover, 1 + pick(seed, recovering),
		    failing ? FAIL_MAIN : pick(seed, 4) % 3, &status);
		*kills += 1;
	}
	run(recover, 0, 0, &status);
	look(&after, ".", 0);
	bad = bad || status || before->len != after.len ||
	      memcmp(before->data, after.data, after.len);
	if (bad)
		report(before, &after, at, mode, status);
	pn_buf_release(&after);
	return bad;
}

static void share(void)
{
	const char *dir = getenv("TMPDIR");
	int fd;

	snprintf(map_path, sizeof(map_path), "%s/killpoint.XXXXXX",
		 dir ? dir : "/tmp");
	fd = mkstemp(map_path);
	if (fd < 0 || ftruncate(fd, sizeof(*shared)))
		exit(2);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
		      fd, 0);
	close(fd);
}

/* How many calls there are to be killed at. */
struct points {
	unsigned int run, recovery;
};

/* Of the program alone, where one of its own calls fails: as large a part of
 * the recovery's as of the run's. */
static struct points of_program(const struct points *all, char *const *command)
{
	struct points own;
	int status;

	own.run = run(command, 0, FAIL_MAIN, &status);
	own.recovery =
		(unsigned int)((uint64_t)all->recovery * own.run / all->run) +
		1;
	return own;
}

static struct points count_points(char *const *command, char *const *recover)
{
	struct points all;
	int status;

	all.run = run(command, 0, 0, &status);
	run(command, all.run / 2, KILL_ALL, &status);
	all.recovery = run(recover, 0, 0, &status);
	return all;
}

/* So many kills of a kind; 0 when everything is as it was after each. */
static int rounds(const char *what, unsigned int count, uint64_t seed,
		  const struct points *all, char *const *command,
		  char *const *recover)
{
	struct pn_buf before = {0};
	struct points points = *all;
	unsigned int kills = 0, saves = 0, first = (unsigned int)seed;
	int bad = 0;

	saving = !strcmp(what, "save");
	failing = !saving && strcmp(what, "kill") != 0;
	only = failing && strcmp(what, "fail") != 0 ? what : NULL;
	look(&before, ".", 0);
	if (failing)
		points = of_program(all, command);
	count = only && count > points.run ? points.run : count;
	while (kills < count && !bad) {
		if (saving)
			editor_start(&shared->calls, points.run, first + kills);
		bad = once(&before, command, recover, points.run,
			   points.recovery, &seed, &kills);
		if (saving) {
			bad = editor_stop(&saves) || bad;
			editor_reset();
		}
	}
	printf("%s: %u kills, of %u and %u points\n", what, kills, points.run,
	       points.recovery);
	if (saving)
		printf("%u saves\n", saves);
	pn_buf_release(&before);
	return bad;
}

int main(int argc, char **argv)
{
	char word[] = "recover", *recover[3] = {NULL, word, NULL};
	char *kind, *count, *rest;
	struct points points;
	uint64_t seed;
	int bad = 0;

	if (argc < 6)
		return 2;
	seed = strtoul(argv[2], NULL, 10);
	preload = argv[3];
	recover[0] = argv[4];
	share();
	editor_find();
	no_state = true;
	look(&outside, ".", 0);
	no_state = false;
	points = count_points(argv + 5, recover);
	if (!points.run || !points.recovery) {
		printf("nothing to kill\n");
		return 2;
	}
	for (kind = argv[1]; kind && !bad; kind = rest) {
		rest = strchr(kind, ',');
		if (rest)
			*rest++ = '\0';
		count = strchr(kind, '=');
		if (!count)
			return 2;
		*count++ = '\0';
		bad = rounds(kind, (unsigned int)strtoul(count, NULL, 10), seed,
			     &points, argv + 5, recover);
	}
	unlink(map_path);
	pn_buf_release(&outside);
	return bad;
}
