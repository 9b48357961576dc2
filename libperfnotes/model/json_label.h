/*
 * One text for a label that is a JSON value (PN_LABEL_JSON), so that samples
 * can be told apart and listed by it: {"file": "main.c", "function": "main",
 * "line": 22} is "main.c:main:22". The rule is Perun's, whose resources have
 * such labels.
 */
#ifndef PN_MODEL_JSON_LABEL_H
#define PN_MODEL_JSON_LABEL_H

#include "base/json/tree.h"

/*
 * Append the flat text of the value that begins at `item`.
 *
 * A scalar is its text as Python prints it (True, None, 1e-05). An object is
 * the values of its items joined by ":", ordered by what their keys mean: bin;
 * file, source, package; module; class, struct; function, method, procedure;
 * line; instruction; then all others by the number that the codes of their
 * characters, each plus 6, make up when written one behind the other. A
 * nested object counts twice, by its items and as a whole. A list is its
 * elements joined by ",".
 *
 * Nested objects double the text with each level, therefore `budget` bounds
 * the bytes that may be produced, and is used up; PN_ELIMIT.
 */
int pn_json_label_flatten(struct pn_buf *out, const struct pn_json_tree *value,
			  size_t item, uint64_t *budget, struct pn_error *err);

#endif
