/* Regular expressions: PCRE2 with limits, so that no pattern from a profile
 * or a user can run away. Unanchored; UTF-8 where it is valid. */
#ifndef PN_BASE_REGEX_H
#define PN_BASE_REGEX_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_regex;

/* PN_EINVAL: "bad regular expression 'x': <why> at offset n". */
int pn_regex_new(struct pn_regex **out, const char *pattern,
		 struct pn_error *err);
void pn_regex_free(struct pn_regex *regex);
/* Whether it is found anywhere in the text. A search that exceeds its limit
 * of steps finds nothing. Safe in several threads at once. */
bool pn_regex_match(const struct pn_regex *regex, const char *text, size_t len);

#endif
