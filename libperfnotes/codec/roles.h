/* Roles of value types (enum pn_role) in formats that have names alone. */
#ifndef PN_CODEC_ROLES_H
#define PN_CODEC_ROLES_H

#include "model/profile.h"

/*
 * What values of this type make together, as its name and those beside it say:
 * "peak" and what begins with "peak_" are peaks, by us, DHAT and heaptrack,
 * and what is called "inuse_", "leaked" or "end" beside one is a level. Go's
 * inuse_space without a peak is a sum, as pprof adds it up.
 */
enum pn_role pn_role_by_name(const struct pn_profile *p, size_t type);

/* All types of a profile that was read. */
void pn_roles_by_name(struct pn_profile *p);

#endif
