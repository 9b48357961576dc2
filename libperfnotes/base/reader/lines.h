/*
 * Text line by line, over a reader. Begin with a zeroed struct and `in` set.
 */
#ifndef PN_READER_LINES_H
#define PN_READER_LINES_H

#include "base/error.h"
#include "base/reader/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PN_LINES_MAX_BYTES (16u << 20) /* of one line */

struct pn_lines {
	struct pn_reader *in;
	uint64_t number; /* of the line that was shown last, from 1 */
	/* the window of the reader: its bytes, and how many were shown */
	const unsigned char *window;
	size_t have, used;
	bool ended; /* nothing comes behind the window */
};

/* pn_lines_next where the window ends before the line does, or the line is
 * too long. */
int pn_lines_refill(const char **text, size_t *len, struct pn_lines *lines,
		    struct pn_error *err);

/*
 * The next line without what ends it, LF or CR LF; *text is NULL when there
 * is none. Valid until the next call, and not followed by a NUL.
 * PN_ELIMIT names a line that is too long.
 */
static inline int pn_lines_next(const char **text, size_t *len,
				struct pn_lines *lines, struct pn_error *err)
{
	size_t left = lines->have - lines->used;
	const unsigned char *at, *lf = NULL;

	if (left)
		lf = memchr(lines->window + lines->used, '\n', left);
	if (!lf ||
	    (size_t)(lf - lines->window) - lines->used > PN_LINES_MAX_BYTES)
		return pn_lines_refill(text, len, lines, err);
	at = lines->window + lines->used;
	*text = (const char *)at;
	*len = (size_t)(lf - at);
	lines->used += *len + 1;
	lines->number++;
	if (*len && at[*len - 1] == '\r')
		--*len;
	return 0;
}

/* Gives each line that is left to `take`, until one fails. */
int pn_lines_each(struct pn_lines *lines, void *to,
		  int (*take)(void *to, const char *text, size_t len,
			      struct pn_error *err),
		  struct pn_error *err);

/* The same with all lines of an input; an error names the line. */
int pn_lines_read(struct pn_reader *in, void *to,
		  int (*take)(void *to, const char *text, size_t len,
			      struct pn_error *err),
		  struct pn_error *err);

#endif
