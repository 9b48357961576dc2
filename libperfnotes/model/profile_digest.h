/* Comparison of the tables of profiles, whatever their order. */
#ifndef PN_MODEL_PROFILE_DIGEST_H
#define PN_MODEL_PROFILE_DIGEST_H

#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether functions, locations, samples, nodes, edges and costs are equal as
 * multisets. Value types and mappings are the same in both (pn_profile_equal
 * compares them first). `why` as there.
 */
bool pn_profile_equal_tables(const struct pn_profile *a,
			     const struct pn_profile *b, char *why,
			     size_t why_size);

#endif
