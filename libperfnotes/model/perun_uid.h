/*
 * One text for a value of any shape: how Perun names a resource whose uid is
 * an object ("main.c:main:22"), and shows nested values in tables.
 */
#ifndef PN_MODEL_PERUN_UID_H
#define PN_MODEL_PERUN_UID_H

#include "model/perun_value.h"

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
int pn_perun_uid_flatten(struct pn_buf *out, const struct pn_perun_value *value,
			 size_t item, uint64_t *budget, struct pn_error *err);

#endif
