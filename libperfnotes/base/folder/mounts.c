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

static bool is_at_or_below(const char *point, const char *path)
{
	size_t len = strlen(path);

	return !strncmp(point, path, len) &&
	       (point[len] == '\0' || point[len] == '/');
}

int pn_mounts_refuse(const char *path, struct pn_error *err)
{
	struct pn_buf list = {0}, point = {0};
	char *real = realpath(path, NULL);
	const char *at, *end, *stop;
	int code = 0;

	if (real && !pn_file_read(&list, LIST, LIST_MAX, NULL)) {
		at = pn_buf_text(&list);
		end = at + list.len;
		for (; !code && at < end; at = stop + 1) {
			stop = memchr(at, '\n', (size_t)(end - at));
			if (!stop)
				stop = end;
			mount_point(&point, at, stop);
			if (is_at_or_below(pn_buf_text(&point), real))
				code = pn_error_set(
					err, PN_EREFUSED,
					"'%s' is a mount point: unmount it "
					"first",
					pn_buf_text(&point));
		}
	}
	free(real);
	pn_buf_release(&list);
	pn_buf_release(&point);
	return code;
}
