/*
 * Inside of vcs/ only: objects of packs that will be asked for soon. A thread
 * inflates what it comes to before its turn; what it does not come to is read
 * as ever. Of a delta that is the delta alone: what it builds on is known to
 * whoever reads.
 */
#ifndef PN_OBJECTS_PACKED_AHEAD_H
#define PN_OBJECTS_PACKED_AHEAD_H

#include "vcs/objects/packed_entry.h"

#define PN_PACKED_AHEAD_MAX 1024 /* objects at a time */
/* Bytes of an object, or a delta; longer ones are left to their turn. */
#define PN_PACKED_AHEAD_BYTES 16384

struct pn_packed_ahead;

/* These, about in this order; nothing where there is no second processor. For
 * the one thread that reads them then. */
void pn_packed_expect(struct pn_repo *repo, const struct pn_oid *ids,
		      size_t count);
/* Where one is, until others are expected, and its bytes but of those that are
 * too long; false: the thread did not come to it, or no pack has it. */
bool pn_packed_ahead_find(struct pn_packed_entry *out,
			  struct pn_packed_ahead *ahead,
			  const struct pn_oid *id);
/* Takes NULL. */
void pn_packed_ahead_free(struct pn_packed_ahead *ahead);

#endif
