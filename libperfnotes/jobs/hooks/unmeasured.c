/* Reasons why nothing was measured. */
#include "jobs/hooks/unmeasured.h"

#include "base/buf.h"
#include "base/escape.h"
#include "base/file.h"
#include "jobs/queue/queue.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "unmeasured"
#define REASON_MAX 400 /* bytes of one */
#define LINE_MIN (PN_OID_HEX + 5)

/*
 * The whole lines in the last `most` bytes of the file, however long it is:
 * hooks that do not find git-perf add to it and never shorten it. -1 and errno.
 */
static int read_end(struct pn_buf *out, int fd, off_t most)
{
	off_t size = lseek(fd, 0, SEEK_END);
	off_t from = size > most ? size - most : 0;
	const unsigned char *cut;
	size_t start;

	/* what comes in meanwhile is read, too */
	if (size < 0 || lseek(fd, from, SEEK_SET) < 0 ||
	    pn_file_read_all(out, fd, 2 * (uint64_t)most))
		return -1;
	if (from) {
		cut = memchr(out->data, '\n', out->len);
		start = cut ? (size_t)(cut - out->data) + 1 : out->len;
		memmove(out->data, out->data + start, out->len - start);
		out->len -= start;
	}
	return 0;
}

/* Keep the newest lines once there is more than anybody reads. */
static int shorten(int fd, const char *path, struct pn_error *err)
{
	struct pn_buf rest = {0};
	struct stat st;
	int code = 0;

	if (fstat(fd, &st))
		return pn_error_system(err, "cannot read '%s'", path);
	if (st.st_size <= PN_UNMEASURED_MAX)
		return 0;
	if (read_end(&rest, fd, PN_UNMEASURED_MAX / 2))
		code = pn_error_system(err, "cannot read '%s'", path);
	else if (ftruncate(fd, 0) || pn_file_write_all(fd, rest.data, rest.len))
		code = pn_error_system(err, "cannot write '%s'", path);
	pn_buf_release(&rest);
	return code;
}

int pn_unmeasured_add(const char *common_dir, const struct pn_oid *commit,
		      const char *reason, struct pn_error *err)
{
	int fd = pn_queue_open(common_dir, NAME, O_RDWR | O_APPEND), code = 0;
	struct pn_buf line = {0}, path = {0};
	char hex[PN_OID_HEX + 1];

	if (fd < 0)
		return pn_error_system(err, "cannot write '%s/perf/" NAME "'",
				       common_dir);
	pn_oid_hex(hex, commit);
	pn_buf_printf(&path, "%s/perf/" NAME, common_dir);
	pn_buf_printf(&line, "1 %" PRId64 " %s ", pn_time_now_ns(), hex);
	pn_escape_percent(&line, reason, strnlen(reason, REASON_MAX));
	pn_buf_add_byte(&line, '\n');
	flock(fd, LOCK_EX);
	if (write(fd, line.data, line.len) != (ssize_t)line.len)
		code = pn_error_system(err, "cannot write '%s'",
				       pn_buf_text(&path));
	if (!code)
		code = shorten(fd, pn_buf_text(&path), err);
	close(fd);
	pn_buf_release(&line);
	pn_buf_release(&path);
	return code;
}

/* "1 <time> <commit> <reason>" */
static bool parse(struct pn_unmeasured_line *out, struct pn_arena *arena,
		  const char *line, size_t len)
{
	const char *at = line + 2, *end = line + len;
	struct pn_buf reason = {0};
	bool is;

	if (len < LINE_MIN || memcmp(line, "1 ", 2) != 0)
		return false;
	at = memchr(at, ' ', (size_t)(end - at));
	if (!at || end - at < PN_OID_HEX + 2 || at[PN_OID_HEX + 1] != ' ' ||
	    pn_oid_parse(&out->commit, at + 1))
		return false;
	at += PN_OID_HEX + 2;
	is = !pn_unescape_percent(&reason, at, (size_t)(end - at));
	if (is)
		out->reason =
			pn_arena_copy(arena, pn_buf_text(&reason), reason.len);
	pn_buf_release(&reason);
	return is;
}

void pn_unmeasured_read(struct pn_unmeasured *out, const char *common_dir)
{
	struct pn_buf path = {0}, text = {0};
	const char *at, *end, *stop;
	size_t lines = 0;
	int fd;

	*out = (struct pn_unmeasured){0};
	pn_buf_printf(&path, "%s/perf/" NAME, common_dir);
	fd = open(pn_buf_text(&path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 || read_end(&text, fd, 2 * PN_UNMEASURED_MAX))
		pn_buf_clear(&text);
	if (fd >= 0)
		close(fd);
	at = pn_buf_text(&text);
	end = at + text.len;
	for (stop = at; stop < end; stop++)
		lines += *stop == '\n';
	out->lines = pn_arena_array(&out->arena, lines, sizeof(*out->lines));
	for (; at < end && (stop = memchr(at, '\n', (size_t)(end - at)));
	     at = stop + 1)
		out->count += parse(&out->lines[out->count], &out->arena, at,
				    (size_t)(stop - at));
	pn_buf_release(&path);
	pn_buf_release(&text);
}

const char *pn_unmeasured_find(const struct pn_unmeasured *u,
			       const struct pn_oid *commit)
{
	size_t i;

	for (i = u->count; i > 0; i--)
		if (pn_oid_equal(&u->lines[i - 1].commit, commit))
			return u->lines[i - 1].reason;
	return NULL;
}

void pn_unmeasured_release(struct pn_unmeasured *u)
{
	pn_arena_release(&u->arena);
	*u = (struct pn_unmeasured){0};
}
