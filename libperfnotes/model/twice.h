/* Records that two clones imported of one result. Inside of the library. */
#ifndef PN_MODEL_TWICE_H
#define PN_MODEL_TWICE_H

#include "model/entry.h"

#include <stdbool.h>

/* Of what was imported: 16 hex digits of where it is from, a dot, 16 of what it
 * says. What else somebody called so is no such label. */
#define PN_IMPORT_LABEL "imported"
#define PN_IMPORT_DIGITS 16

/*
 * Which profiles of one commit are a result that an older one is already: both
 * say where it is from and what it says, of one tree; of a Perun store they are
 * one object of one name and time, as one import takes it once. To be freed;
 * NULL: none. Nothing is stored of it, so that each stays what it is for
 * whoever takes one of them out. Time O(n log n).
 */
bool *pn_entries_twice(const struct pn_entry *entries, size_t count);

#endif
