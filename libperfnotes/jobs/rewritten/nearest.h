/* The nearest measured commit. */
#ifndef PN_REWRITTEN_NEAREST_H
#define PN_REWRITTEN_NEAREST_H

#include "base/error.h"
#include "base/oid.h"
#include "storage/lookup/lookup.h"

/*
 * The nearest commit behind `from` with a series, along first parents: 1 with
 * *out, 0 when there is none, negative on error. `name` (NULL: any) is one that
 * the series has to fit. Where `lookup` has stand-ins (stand_in.h), an ancestor
 * counts for which another commit stands. What a shallow clone lacks ends the
 * walk. Time O(commits walked).
 */
int pn_nearest_measured(struct pn_oid *out, const struct pn_lookup *lookup,
			const struct pn_oid *from, const char *name,
			struct pn_error *err);

#endif
