/*
 * Inside of vcs/walk only: a commit object taken apart as git log's formats
 * %T %at %P %aN %aE %s do, without a mailmap.
 */
#ifndef PN_WALK_RECORD_H
#define PN_WALK_RECORD_H

#include "vcs/walk/history.h"

#include <stddef.h>
#include <stdint.h>

/* One allocation, for free(). */
struct pn_record {
	struct pn_commit commit;
	uint64_t time_s; /* committer's */
};

/* NULL: that is not all in its bytes, as with texts in another encoding, or
 * they are long, or git reads a line in a way of its own that is not as it
 * ought to be. */
struct pn_record *pn_record_new(const struct pn_oid *id,
				const unsigned char *bytes, size_t len);

#endif
