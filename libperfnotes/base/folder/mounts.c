/* Mounts, by proc(5): "36 35 98:0 /root /mnt\040point rw ...", a line each. */
#include "base/folder/mounts.h"

#include "base/buf.h"
#include "base/file.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LIST "/proc/self/mountinfo"
#define LIST_MAX (64u << 20) /* bytes of all mounts that a kernel allows */
#define POINT_FIELD 4	     /* fields before the mount point */

static bool is_octal(char c)
{
	return c >= '0' && c <= '7';
}

/* Blanks, tabs, line feeds and backslashes are "\ooo". */
static void unescape(struct pn_buf *out, const char *text, size_t len)
{
	size_t i;

	pn_buf_clear(out);
	for (i = 0; i < len; i++) {
		if (text[i] == '\\' && i + 3 < len && is_octal(text[i + 1]) &&
		    is_octal(text[i + 2]) && is_octal(text[i + 3])) {
			pn_buf_add_byte(
				out, (unsigned char)((text[i + 1] - '0') * 64 +
						     (text[i + 2] - '0') * 8 +
						     (text[i + 3] - '0')));
			i += 3;
		} else {
			pn_buf_add_byte(out, (unsigned char)text[i]);
		}
	}
}

static void mount_point(struct pn_buf *out, const char *line, const char *end)
{
	const char *blank;
	int field;

	for (field = 0; field < POINT_FIELD; field++) {
		blank = memchr(line, ' ', (size_t)(end - line));
		line = blank ? blank + 1 : end;
	}
	blank = memchr(line, ' ', (size_t)(end - line));
	unescape(out, line, (size_t)((blank ? blank : end) - line));
}

/* Where a path goes on below a folder, "" at the folder itself; NULL when it
 * does not. */
static const char *rest_of(const char *point, const char *folder)
{
	size_t len = strlen(folder);

	if (strncmp(point, folder, len) != 0)
		return NULL;
	if (!point[len])
		return point + len;
	return point[len] == '/' ? point + len + 1 : NULL;
}

int pn_mounts_below(struct pn_buf *out, const char *path, struct pn_error *err)
{
	struct pn_buf list = {0}, point = {0};
	char *real = realpath(path, NULL);
	const char *at, *end, *stop, *rest;
	int code = 0;

	if (real)
		code = pn_file_read(&list, LIST, LIST_MAX, err);
	at = pn_buf_text(&list);
	for (end = at + list.len; !code && at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			stop = end;
		mount_point(&point, at, stop);
		rest = rest_of(pn_buf_text(&point), real);
		if (rest)
			pn_buf_add(out, rest, strlen(rest) + 1);
	}
	free(real);
	pn_buf_release(&list);
	pn_buf_release(&point);
	return code == PN_ENOTFOUND ? 0 : code;
}

int pn_mounts_refuse(const char *path, struct pn_error *err)
{
	struct pn_buf points = {0};
	const char *first;
	char *real;
	int code = pn_mounts_below(&points, path, err);

	if (!code && points.len) {
		first = pn_buf_text(&points);
		real = realpath(path, NULL);
		code = pn_error_set(
			err, PN_EREFUSED,
			"'%s%s%s' is a mount point: unmount it first",
			real ? real : path, *first ? "/" : "", first);
		free(real);
	}
	pn_buf_release(&points);
	return code;
}
