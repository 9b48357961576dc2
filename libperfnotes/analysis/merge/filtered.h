/* A profile of which no more is left than filters let through. */
#ifndef PN_MERGE_FILTERED_H
#define PN_MERGE_FILTERED_H

#include "analysis/filter/filter.h"

/*
 * Apply the filters in place, tag_root and tag_leaf before the others, and
 * take out of the tables what nothing uses any more: what was filtered away
 * has no name in the result. Without filters nothing is changed. `unmatched`
 * as for pn_filter_apply. After a failure the profile is only to be released.
 */
int pn_filtered(struct pn_profile *profile, const struct pn_filter *filter,
		unsigned int *unmatched, struct pn_error *err);

#endif
