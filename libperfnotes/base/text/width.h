/* Columns that a text takes on a terminal. */
#ifndef PN_TEXT_WIDTH_H
#define PN_TEXT_WIDTH_H

#include "base/buf.h"

#include <stddef.h>

/* Columns of UTF-8 without controls: two of what is wide in Unicode's
 * EastAsianWidth.txt and of pictures, none of what combines with the character
 * before it. Every other byte is one. */
size_t pn_text_width(const char *text, size_t len);

/* How many bytes of a text fit in `width` columns, and the columns that they
 * take. May be called by a signal handler. */
size_t pn_text_bytes(size_t *taken, const char *text, size_t len, size_t width);

/* Append at most `width` columns of a text: what is cut ends in "...", or in
 * nothing where there is no room for that. Returns the columns taken. */
size_t pn_text_fit(struct pn_buf *out, const char *text, size_t len,
		   size_t width);
/* The same of a name, whose end tells it from others: cut in its middle, or in
 * those of job and workload of "job/collector@workload" where there is room. */
size_t pn_text_fit_name(struct pn_buf *out, const char *text, size_t len,
			size_t width);
/* The same two, and blanks up to `width`. */
void pn_text_pad_name(struct pn_buf *out, const char *text, size_t width);
void pn_text_pad(struct pn_buf *out, const char *text, size_t width);
/* Lines of at most `width` columns: what is too long goes on in further ones,
 * which begin with `indent` blanks; words are not parted. 0: as it is. */
void pn_text_wrap(struct pn_buf *out, const char *text, size_t len,
		  size_t width, size_t indent);
/* The same of a text with names: a word that is longer than a line is cut as a
 * name is, in its middle. */
void pn_text_wrap_names(struct pn_buf *out, const char *text, size_t len,
			size_t width, size_t indent);

#endif
