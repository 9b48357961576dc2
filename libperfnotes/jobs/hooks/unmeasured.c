/* Reasons why nothing was measured. */
#include "jobs/hooks/unmeasured.h"

#include "base/buf.h"
#include "base/escape.h"
#include "base/file.h"
#include "jobs/queue.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define NAME "unmeasured"
#define REASON_MAX 400 /* bytes of one */
#define LINE_MIN (PN_OID_HEX + 5)

/* Drop the older half once there is more than anybody reads. */
static int shorten(int fd, const char *path, struct pn_error *err)
{
	struct pn_buf text = {0};
	const char *rest;
	int code = pn_file_read(&text, path, 2 * PN_UNMEASURED_MAX, err);

	if (!code && text.len > PN_UNMEASURED_MAX) {
		rest = strchr(pn_buf_text(&text) + text.len / 2, '\n');
		rest = rest ? rest + 1 : pn_buf_text(&text) + text.len;
		if (ftruncate(fd, 0) || write(fd, rest, strlen(rest)) < 0)
			code = pn_error_system(err, "cannot write '%s'", path);
	}
	pn_buf_release(&text);
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

	*out = (struct pn_unmeasured){0};
	pn_buf_printf(&path, "%s/perf/" NAME, common_dir);
	if (pn_file_read(&text, pn_buf_text(&path), 2 * PN_UNMEASURED_MAX,
			 NULL))
		pn_buf_clear(&text);
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
