/*
 * Names for frames that have none, for formats that know frames by name only.
 *
 * A place of a binary without symbols has no function, or one without a name.
 * Where such frames are written as "" their cost goes to their callers, or
 * all binaries become one. They are named as views name them: "[binary]".
 */
#ifndef PN_MODEL_UNNAMED_H
#define PN_MODEL_UNNAMED_H

#include "model/profile.h"

struct pn_unnamed {
	struct pn_profile named; /* what differs is owned, the rest borrowed */
	bool used;
};

/*
 * The profile with each frame that has no name but a mapping named after the
 * mapping's file: `p` itself when there is none, else one that lives as long
 * as both `out` and `p` do. Frames without either stay as they are.
 * Time and memory O(strings + functions + lines + locations) when there are
 * such frames.
 */
const struct pn_profile *pn_unnamed_name(struct pn_unnamed *out,
					 const struct pn_profile *p);
void pn_unnamed_release(struct pn_unnamed *unnamed);

#endif
