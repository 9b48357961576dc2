/*
 * Epochs: each compaction of notes begins one, with a commit that has no
 * parents. What it left out must not come back by a union with what is older,
 * so notes of different epochs are not merged: the lines of the older ones are
 * written anew on top of the newer (storage/exchange/replay.h).
 */
#ifndef PN_NOTES_EPOCH_H
#define PN_NOTES_EPOCH_H

#include "vcs/notes/stage.h"

#define PN_EPOCH_MAX ((uint64_t)1 << 32)

/* What the file 'format' says of it. */
struct pn_notes_epoch {
	uint64_t number; /* 0: never compacted */
	/* A tombstone of this time or later has never been left out, of an
	 * earlier one it may have been; ns since 1970. 0: none was. */
	int64_t since_ns;
	struct pn_oid from; /* the tip that was compacted; zero: unknown */
};

/* Costs one small read, none in epoch 0. PN_EREFUSED: another tool's notes, or
 * a number above PN_EPOCH_MAX. */
int pn_notes_epoch(struct pn_notes_epoch *out, struct pn_notes *notes,
		   struct pn_error *err);

/* Stage: the next commit says this. */
void pn_notes_set_epoch(struct pn_notes *notes,
			const struct pn_notes_epoch *epoch);
/* The next commit of `notes` has no parent of theirs. */
void pn_notes_set_orphan(struct pn_notes *notes);

/* From now on `notes` are changes of the ref of `where`, which the next commit
 * moves from the tip of `where` to what is staged on the tip of `notes`; or to
 * that tip where nothing is staged. */
void pn_notes_plant(struct pn_notes *notes, const struct pn_notes *where);

#endif
