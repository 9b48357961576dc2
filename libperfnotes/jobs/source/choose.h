/* What one means by a revision where a profile with functions is wanted. */
#ifndef PN_SOURCE_CHOOSE_H
#define PN_SOURCE_CHOOSE_H

#include "base/buf.h"
#include "base/error.h"
#include "storage/lookup.h"

/*
 * Append what names a profile: `profile` as it is, of the commit `rev` where
 * both are there. Without a profile the only series of `rev` that has more than
 * figures, else `rev` itself, which the lookup then speaks of; without either
 * `rev` is the commit of `lookup` or its nearest measured ancestor
 * (PN_ENOTFOUND: there is none).
 */
int pn_source_choose(struct pn_buf *out, const struct pn_lookup *lookup,
		     const char *rev, const char *profile,
		     struct pn_error *err);

#endif
