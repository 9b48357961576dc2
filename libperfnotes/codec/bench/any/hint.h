/*
 * What the caller says of results that have no format of their own: lines of
 * a word, a tab and a text, as the hint of the reader. "pattern", "name",
 * "value", "unit", "better", "run": columns by their heads, or the expression;
 * "all-unit", "all-better": of all values.
 */
#ifndef PN_ANY_HINT_H
#define PN_ANY_HINT_H

#include "codec/scan.h"
#include "model/profile.h"

/* A line more. A text has no line end: PN_EINVAL. */
int pn_hint_add(struct pn_buf *hint, const char *word, const char *text,
		struct pn_error *err);
/* The next text of this word from *at on, which moves behind it; `hint` and
 * *at may be NULL. False: there is none. */
bool pn_hint_next(struct pn_scan *out, const char **at, const char *hint,
		  const char *word);
/* "less", "more", also smaller, lower, bigger, higher, whatever the case. */
bool pn_hint_better(enum pn_better *out, const struct pn_scan *text);

#endif
