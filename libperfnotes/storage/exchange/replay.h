/*
 * Notes of an earlier epoch beside those of a later one (vcs/notes/epoch.h):
 * what the compaction did not see is written anew on top of it, what it left
 * out stays out.
 */
#ifndef PN_EXCHANGE_REPLAY_H
#define PN_EXCHANGE_REPLAY_H

#include "vcs/notes/epoch.h"

/* So long a tombstone outlives the record that it takes out. */
#define PN_TOMBSTONE_DAYS 90

struct pn_replayed {
	size_t commits; /* whose notes get lines */
	size_t bodies;
};

/*
 * Stage in `notes` the lines of `older` that it lacks, with the bodies that
 * they need. Left out is what a tombstone of either side names, and what `base`
 * has (NULL: unknown), which is a state of the other side of which all was
 * taken in before, when that is so old that its tombstone may be gone.
 * Everything that is not proven to be taken out comes back.
 *
 * PN_ELIMIT: a note would be too large, or all together.
 */
int pn_replay(struct pn_replayed *out, struct pn_repo *repo,
	      struct pn_notes *notes, struct pn_notes *older,
	      struct pn_notes *base, struct pn_error *err);

#endif
