/* Two profiles at the same time, as a comparison needs them. */
#ifndef PN_PROFILES_PAIR_H
#define PN_PROFILES_PAIR_H

#include "analysis/filter/clean.h"
#include "codec/codec.h"
#include "storage/lookup/lookup.h"

/* Where one of them comes from, see pn_pool_load. */
struct pn_pair_source {
	const struct pn_lookup *lookup;
	const struct pn_found *found;
	const struct pn_codec *codec; /* NULL: recognised */
};

/*
 * Read and clean both, a thread each; one after the other where git may be run
 * for one of them, in a partial clone. `out` is initialised by the caller, and
 * released in any case. The error is the first one's that has any.
 */
int pn_pair_load(struct pn_profile *const out[2],
		 const struct pn_pair_source from[2],
		 const struct pn_clean *clean, struct pn_error *err);

/* Whether both have costs that views show; else their metrics are compared. */
bool pn_pair_has_weights(const struct pn_profile *before,
			 const struct pn_profile *after);

#endif
