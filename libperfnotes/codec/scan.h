/*
 * What is left of a line of text, taken from its beginning. Blanks are spaces
 * and tabs.
 */
#ifndef PN_CODEC_SCAN_H
#define PN_CODEC_SCAN_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_scan {
	const char *at, *end;
};

static inline struct pn_scan pn_scan_of(const char *line, size_t len)
{
	return (struct pn_scan){line, line + len};
}

void pn_scan_blanks(struct pn_scan *s);
/* Whether `text` comes next. */
bool pn_scan_begins(const struct pn_scan *s, const char *text);
/* As pn_scan_begins, and takes it. */
bool pn_scan_text(struct pn_scan *s, const char *text);
/* Up to the next blank, behind blanks; false at the end. */
bool pn_scan_word(struct pn_scan *word, struct pn_scan *s);
/* Whether it comes at all. Sniffers ask before they look at each line; a text
 * whose first byte is a rare one is found soonest not to be there. */
bool pn_scan_has(const struct pn_scan *s, const char *text);
/* Up to the next `text`, which is taken, too; false when it does not come. */
bool pn_scan_until(struct pn_scan *before, struct pn_scan *s, const char *text);
/* As pn_scan_until the last of them. */
bool pn_scan_until_last(struct pn_scan *before, struct pn_scan *s, char c);
/* Digits with a point and an exponent, behind blanks; commas between thousands
 * ("1,234,567") do not count, and any other ends the number, as it may stand
 * for a point. False, and nothing taken, for anything else. */
bool pn_scan_number(double *out, struct pn_scan *s);
/* Blanks at both ends do not count. */
void pn_scan_trim(struct pn_scan *s);
bool pn_scan_is(const struct pn_scan *s, const char *text);
static inline size_t pn_scan_left(const struct pn_scan *s)
{
	return (size_t)(s->end - s->at);
}
/* As text, in place of what `out` had. */
const char *pn_scan_copy(struct pn_buf *out, const struct pn_scan *s);

/* The next line of the first bytes of an input, without what ends it; false
 * at the end. For sniffers: the last line may be cut. */
bool pn_scan_line(struct pn_scan *line, struct pn_scan *bytes);

#endif
