/*
 * The queue's file. Writers lock it for the moment of their write, because the
 * worker replaces the file when it takes items out: a line written to the old
 * one would be lost.
 */
#include "jobs/queue/queue.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/number.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOCK_TRIES 50	    /* of 1 ms: longer a commit must not wait */
#define WRITE_MAX 4096	    /* PIPE_BUF: what a write keeps together */
#define LINE_MAX_BYTES 2048 /* of a line; longer names are left out */
#define WORDS_MAX 6

static char *path_of(const char *common_dir, const char *name)
{
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/perf/%s", common_dir, name);
	return pn_buf_detach(&path);
}

/* A repository that git shares (core.sharedRepository) shows it: others may
 * write to its objects. `made` is ours and new. */
static void share(const char *common_dir, const char *made)
{
	struct pn_buf objects = {0};
	struct stat dir, st;

	pn_buf_printf(&objects, "%s/objects", common_dir);
	if (!stat(pn_buf_text(&objects), &dir) && (dir.st_mode & S_IWGRP) &&
	    !stat(made, &st))
		chmod(made, (st.st_mode & 07777) |
				    (dir.st_mode &
				     (S_ISDIR(st.st_mode) ? 02775 : 0664)));
	pn_buf_release(&objects);
}

static int make_folder(const char *common_dir)
{
	struct pn_buf dir = {0};
	int failed;

	pn_buf_printf(&dir, "%s/perf", common_dir);
	failed = mkdir(pn_buf_text(&dir), 0777) && errno != EEXIST;
	if (!failed)
		share(common_dir, pn_buf_text(&dir));
	pn_buf_release(&dir);
	return failed ? -1 : 0;
}

int pn_queue_open(const char *common_dir, const char *name, int flags)
{
	char *path = path_of(common_dir, name);
	int fd = open(path, flags | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT && !make_folder(common_dir)) {
		fd = open(path, flags | O_CREAT | O_CLOEXEC, 0666);
		if (fd >= 0)
			share(common_dir, path);
	}
	free(path);
	return fd;
}

static void add_word(struct pn_buf *out, const char *text)
{
	pn_buf_add_byte(out, ' ');
	if (text && *text)
		pn_escape_percent(out, text, strlen(text));
	else
		pn_buf_add_byte(out, '-');
}

void pn_queue_line(struct pn_buf *out, const struct pn_queue_item *item)
{
	static const char *const kinds[] = {"commit", "rewrite", "try"};
	char hex[PN_OID_HEX + 1];
	size_t from = out->len;

	pn_buf_printf(out, "1 %" PRId64 " %s", item->time_ns,
		      kinds[item->kind]);
	if (item->kind == PN_QUEUE_REWRITE) {
		pn_oid_hex(hex, &item->old);
		add_word(out, hex);
	}
	pn_oid_hex(hex, &item->commit);
	add_word(out, hex);
	if (item->kind == PN_QUEUE_COMMIT) {
		size_t names = out->len;

		add_word(out, item->branch);
		add_word(out, item->worktree);
		if (out->len - from >= LINE_MAX_BYTES) {
			out->len = names;
			pn_buf_add_text(out, " - -");
		}
	}
	pn_buf_add_byte(out, '\n');
}

/* One millisecond. */
static void pause_ms(void)
{
	const struct timespec ms = {0, 1000000};

	nanosleep(&ms, NULL);
}

/* Whether `path` still names the open file. */
static bool is_current(int fd, const char *path)
{
	struct stat open_one, there;

	return !fstat(fd, &open_one) && !stat(path, &there) &&
	       open_one.st_dev == there.st_dev &&
	       open_one.st_ino == there.st_ino;
}

/*
 * Open and lock the file, anew when it was replaced meanwhile. Who does not
 * get the lock in time goes on without: a line may then get lost, but a
 * commit never hangs.
 */
static int open_locked(const char *common_dir, const char *path)
{
	int tries, fd;

	for (tries = 0;; tries++) {
		fd = pn_queue_open(common_dir, "queue", O_RDWR | O_APPEND);
		if (fd < 0)
			return -1;
		while (flock(fd, LOCK_EX | LOCK_NB) && tries++ < LOCK_TRIES) {
			if (errno != EWOULDBLOCK && errno != EINTR)
				return fd; /* there are no locks */
			pause_ms();
		}
		if (tries >= LOCK_TRIES || is_current(fd, path))
			return fd;
		close(fd);
	}
}

/* A writer that was killed may have left half a line. */
static bool ends_in_line(int fd)
{
	struct stat st;
	char last;

	return fstat(fd, &st) || !st.st_size ||
	       pread(fd, &last, 1, st.st_size - 1) != 1 || last == '\n';
}

/* Whole lines in writes of at most PIPE_BUF. */
static int append_lines(int fd, const struct pn_queue_item *items, size_t count)
{
	struct pn_buf text = {0};
	size_t i, mark;
	int failed = 0;

	if (!ends_in_line(fd))
		pn_buf_add_byte(&text, '\n');
	for (i = 0; !failed && i < count; i++) {
		mark = text.len;
		pn_queue_line(&text, &items[i]);
		if (text.len <= WRITE_MAX)
			continue;
		failed = pn_file_write_all(fd, text.data, mark);
		memmove(text.data, text.data + mark, text.len - mark);
		text.len -= mark;
	}
	if (!failed)
		failed = pn_file_write_all(fd, text.data, text.len);
	pn_buf_release(&text);
	return failed;
}

int pn_queue_append(const char *common_dir, const struct pn_queue_item *items,
		    size_t count, struct pn_error *err)
{
	char *path = path_of(common_dir, "queue");
	int fd, code = 0;

	fd = open_locked(common_dir, path);
	if (fd < 0 || append_lines(fd, items, count))
		code = pn_error_system(err, "cannot write '%s'", path);
	if (fd >= 0)
		close(fd);
	free(path);
	return code;
}

/* Split at single blanks; more than `max` words, or none, is 0. */
static size_t split(char *line, char **words, size_t max)
{
	size_t n = 0;

	while (line) {
		char *blank = strchr(line, ' ');

		if (n == max || !*line || blank == line)
			return 0;
		words[n++] = line;
		if (blank)
			*blank++ = '\0';
		line = blank;
	}
	return n;
}

static bool parse_id(struct pn_oid *out, const char *text)
{
	return strlen(text) == PN_OID_HEX && !pn_oid_parse(out, text);
}

/* A name that begins as it must and cannot climb out of its folder. */
static bool parse_name(const char **out, struct pn_arena *arena,
		       const char *text, const char *prefix)
{
	struct pn_buf name = {0};
	bool good = true;

	if (!strcmp(text, "-")) {
		*out = "";
		return true;
	}
	if (pn_unescape_percent(&name, text, strlen(text)) || !name.len ||
	    memchr(name.data, '\0', name.len))
		good = false;
	else
		good = !strncmp(pn_buf_text(&name), prefix, strlen(prefix)) &&
		       !strstr(pn_buf_text(&name), "..") &&
		       (*prefix || !strchr(pn_buf_text(&name), '/'));
	if (good)
		*out = pn_arena_copy(arena, name.data, name.len);
	pn_buf_release(&name);
	return good;
}

static bool parse_line(struct pn_queue_item *out, struct pn_arena *arena,
		       char *line)
{
	struct pn_queue_item item = {.branch = "", .worktree = ""};
	char *w[WORDS_MAX];
	size_t n = split(line, w, WORDS_MAX);

	if (n < 4 || strcmp(w[0], "1") ||
	    !pn_number_int(&item.time_ns, w[1], strlen(w[1])))
		return false;
	if (n == 6 && !strcmp(w[2], "commit")) {
		item.kind = PN_QUEUE_COMMIT;
		if (!parse_id(&item.commit, w[3]) ||
		    !parse_name(&item.branch, arena, w[4], "refs/heads/") ||
		    !parse_name(&item.worktree, arena, w[5], ""))
			return false;
	} else if (n == 5 && !strcmp(w[2], "rewrite")) {
		item.kind = PN_QUEUE_REWRITE;
		if (!parse_id(&item.old, w[3]) || !parse_id(&item.commit, w[4]))
			return false;
	} else if (n == 4 && !strcmp(w[2], "try")) {
		item.kind = PN_QUEUE_TRY;
		if (!parse_id(&item.commit, w[3]))
			return false;
	} else {
		return false;
	}
	*out = item;
	return true;
}

void pn_queue_parse(struct pn_queue *queue, char *text, size_t len)
{
	char *at = text, *end = text + len, *stop;
	size_t cap = 0;

	for (; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			break; /* half a line, or beyond the limit */
		*stop = '\0';
		queue->end = (uint64_t)(stop + 1 - text);
		queue->items = pn_grow(queue->items, &cap, queue->count + 1,
				       sizeof(*queue->items));
		if (strlen(at) == (size_t)(stop - at) &&
		    parse_line(&queue->items[queue->count], &queue->arena, at))
			queue->count++;
		else
			queue->ignored++;
	}
	if (!queue->end && len == PN_QUEUE_MAX) { /* one endless line */
		queue->end = len;
		queue->ignored++;
	}
}

/* At most `max` bytes from `at`. */
static int read_some(struct pn_buf *out, int fd, uint64_t at, size_t max)
{
	struct stat st;
	size_t room = 0;
	ssize_t n = 1;

	if (!fstat(fd, &st) && (uint64_t)st.st_size > at)
		room = (uint64_t)st.st_size - at < max
			       ? (size_t)((uint64_t)st.st_size - at)
			       : max;
	pn_buf_reserve(out, room);
	while (n > 0 && out->len < room) {
		n = pread(fd, out->data + out->len, room - out->len,
			  (off_t)(at + out->len));
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			out->len += (size_t)n;
	}
	return n < 0 ? -1 : 0;
}

int pn_queue_read(struct pn_queue *out, const char *common_dir,
		  struct pn_error *err)
{
	char *path = path_of(common_dir, "queue");
	struct pn_queue queue = {0};
	struct pn_buf text = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), code = 0;

	if ((fd < 0 && errno != ENOENT && errno != ENOTDIR) ||
	    (fd >= 0 && read_some(&text, fd, 0, PN_QUEUE_MAX)))
		code = pn_error_system(err, "cannot read '%s'", path);
	if (!code && text.len)
		pn_queue_parse(&queue, (char *)text.data, text.len);
	if (fd >= 0)
		close(fd);
	pn_buf_release(&text);
	free(path);
	if (!code)
		*out = queue;
	return code;
}

void pn_queue_release(struct pn_queue *queue)
{
	if (!queue)
		return;
	pn_arena_release(&queue->arena);
	free(queue->items);
	memset(queue, 0, sizeof(*queue));
}

int pn_queue_drop(const char *common_dir, const struct pn_queue *queue,
		  struct pn_error *err)
{
	char *path = path_of(common_dir, "queue");
	struct pn_buf rest = {0};
	int fd = open_locked(common_dir, path), code = 0;

	if (fd < 0 || read_some(&rest, fd, queue->end, SIZE_MAX))
		code = pn_error_system(err, "cannot read '%s'", path);
	if (!code)
		code = pn_file_write(path, rest.data, rest.len, false, err);
	if (fd >= 0)
		close(fd);
	pn_buf_release(&rest);
	free(path);
	return code;
}

static int by_id(const void *a, const void *b)
{
	return pn_oid_cmp(a, b);
}

size_t pn_queue_commits(const struct pn_queue *queue)
{
	struct pn_oid *ids = pn_calloc(queue->count, sizeof(*ids));
	size_t i, n = 0, kept = 0;

	for (i = 0; i < queue->count; i++)
		if (queue->items[i].kind == PN_QUEUE_COMMIT)
			ids[n++] = queue->items[i].commit;
	qsort(ids, n, sizeof(*ids), by_id);
	for (i = 0; i < n; i++)
		if (!i || !pn_oid_equal(&ids[i], &ids[i - 1]))
			kept++;
	free(ids);
	return kept;
}

/* For people who want to stop it. */
static void write_pid(int fd)
{
	char pid[PN_NUMBER_UINT_TEXT + 1];
	size_t len = pn_number_write_uint(pid, (uint64_t)getpid());

	pid[len++] = '\n';
	if (ftruncate(fd, 0) || write(fd, pid, len) != (ssize_t)len)
		return; /* it works without */
}

/* fcntl(2), because it can tell who has a lock without taking it: a hook that
 * looks must not be in the way of a worker that starts. */
int pn_queue_lock_worker(int *fd, const char *common_dir, struct pn_error *err)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char *path = path_of(common_dir, "worker.lock");
	int got = pn_queue_open(common_dir, "worker.lock", O_RDWR), code = 0;

	if (got < 0)
		code = pn_error_system(err, "cannot lock '%s'", path);
	if (!code && fcntl(got, F_SETLK, &whole)) {
		if (errno == EACCES || errno == EAGAIN)
			code = PN_ELOCKED;
		else
			code = pn_error_system(err, "cannot lock '%s'", path);
	}
	if (!code)
		write_pid(got);
	free(path);
	if (!code)
		*fd = got;
	else if (got >= 0)
		close(got);
	return code;
}

static bool is_locked(const char *common_dir, const char *name)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	char *path = path_of(common_dir, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool has = fd >= 0 && !fcntl(fd, F_GETLK, &whole) &&
		   whole.l_type != F_UNLCK;

	if (fd >= 0)
		close(fd);
	free(path);
	return has;
}

bool pn_queue_has_worker(const char *common_dir)
{
	return is_locked(common_dir, "worker.lock");
}

int pn_queue_lock_quiet(const char *common_dir)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = pn_queue_open(common_dir, "quiet.lock", O_RDWR);

	if (fd < 0 || !fcntl(fd, F_SETLK, &whole))
		return fd;
	close(fd);
	return -1;
}

bool pn_queue_waits(const char *common_dir)
{
	return pn_queue_has_worker(common_dir) &&
	       is_locked(common_dir, "quiet.lock");
}

bool pn_queue_is_waiting(const char *common_dir)
{
	struct pn_queue queue;
	bool is;

	if (pn_queue_read(&queue, common_dir, NULL))
		return false;
	is = queue.count > 0;
	pn_queue_release(&queue);
	return is;
}
