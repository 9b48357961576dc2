/* Regular expressions: PCRE2 with limits, so that no pattern from a profile
 * or a user can run away. Unanchored; UTF-8 where it is valid. */
#ifndef PN_TEXT_REGEX_H
#define PN_TEXT_REGEX_H

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

/* The number of a named group, from 1; 0: there is none of that name. */
size_t pn_regex_group(const struct pn_regex *regex, const char *name);
#define PN_REGEX_GROUPS 32 /* that a search tells of */
/* The first match at `from` or behind: where each group of it is, 0 is all of
 * it. A group that took no part begins and ends at SIZE_MAX. */
struct pn_regex_match {
	size_t begin[PN_REGEX_GROUPS], end[PN_REGEX_GROUPS];
};
bool pn_regex_search(struct pn_regex_match *out, const struct pn_regex *regex,
		     const char *text, size_t len, size_t from);

#endif
