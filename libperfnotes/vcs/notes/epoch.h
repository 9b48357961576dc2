/*
 * Epochs: how often the history of the notes was left behind. A snapshot of a
 * later one is no descendant of the earlier; its lines are.
 */
#ifndef PN_NOTES_EPOCH_H
#define PN_NOTES_EPOCH_H

#include "vcs/notes/stage.h"

#include <stdint.h>

#define PN_EPOCH_MAX ((uint64_t)1 << 32)
/* Somebody else's epoch is at most so far behind ours: gc counts one by one,
 * and whoever writes the last one by hand would leave no other. */
#define PN_EPOCH_STEPS ((uint64_t)1 << 20)

struct pn_notes_epoch {
	uint64_t number;    /* 0: the first */
	struct pn_oid from; /* the tip that was left behind; zero: not told */
};

/* PN_EREFUSED: a later format, another tool's, or more than PN_EPOCH_MAX. */
int pn_notes_epoch(struct pn_notes_epoch *out, struct pn_notes *notes,
		   struct pn_error *err);
/* Stage: the next commit is of this epoch. */
void pn_notes_set_epoch(struct pn_notes *notes,
			const struct pn_notes_epoch *epoch);
/* The next commit has no parent. */
void pn_notes_set_orphan(struct pn_notes *notes);

/* A snapshot of a commit, whatever a ref leads to meanwhile; `ref` is what
 * messages call it. */
int pn_notes_open_at(struct pn_notes **out, struct pn_repo *repo,
		     const char *ref, const struct pn_oid *commit,
		     struct pn_error *err);
/* What is written on `notes` moves the ref of `where`, from its tip. */
void pn_notes_plant(struct pn_notes *notes, const struct pn_notes *where);

#endif
