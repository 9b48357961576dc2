/*
 * Numbers as a filter gets them: separated by white space, "-" or "nan" for
 * one that was not measured, or as JSON.
 */
#ifndef PN_DETECT_INPUT_H
#define PN_DETECT_INPUT_H

#include "base/error.h"
#include "base/json/tree.h"
#include "base/reader/lines.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_INPUT_MAX_VALUES                                                    \
	1000000 /* of one list: a history of this length takes                 \
		 * minutes where it changes often (some 0.4 ms a value) */
#define PN_INPUT_MAX_BYTES (64u << 20) /* of one document */

/* A zeroed struct is empty. NaN: not measured. */
struct pn_numbers {
	double *values;
	size_t count, cap;
};

void pn_numbers_release(struct pn_numbers *numbers);
/* Leave out what was not measured. */
void pn_numbers_compact(struct pn_numbers *numbers);

/* Append one; PN_ELIMIT. */
int pn_numbers_add(struct pn_numbers *numbers, double value,
		   struct pn_error *err);
/* The words of a line or of several: what is there is replaced. */
int pn_numbers_words(struct pn_numbers *out, const char *text, size_t len,
		     size_t line, struct pn_error *err);
/* The list at `item`, null in it for what was not measured; `what` says in the
 * message of an error what it is of. What is there is replaced. */
int pn_numbers_item(struct pn_numbers *out, const struct pn_json_tree *tree,
		    size_t item, const char *what, struct pn_error *err);
/* Whether a document is JSON: a list or an object. */
bool pn_numbers_is_json(const char *text, size_t len);

/*
 * One list of numbers: `text` is a JSON list of numbers, null for one that was
 * not measured, an object with such a list as "values", or else words. What
 * is there is replaced. PN_EINVAL names the line, counted from `line` on, and
 * the word, or the place in the JSON; PN_ELIMIT.
 */
int pn_numbers_parse(struct pn_numbers *out, const char *text, size_t len,
		     size_t line, struct pn_error *err);
/*
 * Two lists: a JSON list of two lists, an object with lists "baseline" and
 * "target", or two lines, each a list; blank lines do not count.
 */
int pn_numbers_parse_pair(struct pn_numbers *baseline,
			  struct pn_numbers *target, const char *text,
			  size_t len, struct pn_error *err);

/* The next line as a list, or with `skip_blank` the next that is not blank;
 * *have is false when there is none. Errors name the line. */
int pn_numbers_next(bool *have, struct pn_numbers *out, struct pn_lines *lines,
		    bool skip_blank, struct pn_error *err);

#endif
