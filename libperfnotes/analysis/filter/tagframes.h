/*
 * Labels as frames: below the leaf or above the root of each stack one frame
 * a key, whose function is named after the sample's values of that key (joined
 * by commas, "" without one) and whose file after the key (pprof's tagroot and
 * tagleaf).
 */
#ifndef PN_FILTER_TAGFRAMES_H
#define PN_FILTER_TAGFRAMES_H

#include "model/profile.h"

/*
 * Rewrites the stacks in place: one a sample. `root` and `leaf` are keys
 * separated by commas, the first one nearest to the root; NULL or "": none.
 * Numbers are written in `unit` (see unit.h). *found_root and *found_leaf say
 * whether any sample has such a label. PN_ELIMIT when the stacks become too
 * many or too deep, and nothing was changed.
 */
int pn_tagframes_add(struct pn_profile *profile, const char *root,
		     const char *leaf, const char *unit, bool *found_root,
		     bool *found_leaf, struct pn_error *err);

#endif
