/*
 * Names for frames that have none, for formats that know frames by name only.
 *
 * A place of a binary without symbols has no function, or one without a name.
 * Where such frames are written as "" their cost goes to their callers, or
 * all binaries become one. They are named as views name them: "[binary]".
 */
#ifndef PN_MODEL_UNNAMED_H
#define PN_MODEL_UNNAMED_H

#include "base/buf.h"
#include "base/error.h"
#include "model/profile.h"

/* What differs is owned, the rest borrowed from the profile. */
struct pn_unnamed {
	struct pn_profile named;
	bool used; /* else nothing differs */
};

/*
 * A profile in which each frame that has no name but a mapping is named after
 * the mapping's file: `p` itself when there is none, else out->named. Frames
 * without either stay as they are. To be released in any case. Time and memory
 * O(strings + functions + lines + locations) when there are such frames.
 */
const struct pn_profile *pn_unnamed_name(struct pn_unnamed *out,
					 const struct pn_profile *p);
void pn_unnamed_release(struct pn_unnamed *copy);

/* "0x1f2e", which is what tools call a function without a symbol. */
bool pn_unnamed_is_address(const char *name);

/* Write such a profile: returns what `encode` does. */
int pn_unnamed_write(struct pn_buf *out, const struct pn_profile *p,
		     int (*encode)(struct pn_buf *out,
				   const struct pn_profile *named,
				   struct pn_error *err),
		     struct pn_error *err);

#endif
