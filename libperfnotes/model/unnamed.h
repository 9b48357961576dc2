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

/*
 * Write a profile in which each frame that has no name but a mapping is named
 * after the mapping's file: `p` itself when there is none, else a copy of what
 * differs, for as long as `encode` runs. Frames without either stay as they
 * are. Returns what `encode` does. Time and memory O(strings + functions +
 * lines + locations) when there are such frames.
 */
int pn_unnamed_write(struct pn_buf *out, const struct pn_profile *p,
		     int (*encode)(struct pn_buf *out,
				   const struct pn_profile *named,
				   struct pn_error *err),
		     struct pn_error *err);

#endif
