/*
 * Two snapshots of notes become one: what is staged in `notes` of `theirs`,
 * which is a snapshot of another ref in the same repository. Texts are the
 * caller's to unite; what is equal is not read.
 */
#ifndef PN_NOTES_UNITE_H
#define PN_NOTES_UNITE_H

#include "vcs/notes/stage.h"

/*
 * Where `notes` has no note of a commit and `theirs` has one blob of it, stage
 * that blob as it is, unread. *done is whether it was so.
 */
int pn_notes_adopt(bool *done, struct pn_notes *notes, struct pn_notes *theirs,
		   const struct pn_oid *commit, struct pn_error *err);

/*
 * Append to `out` the 20-byte ids of the bodies below objects/ of `theirs`
 * that `notes` does not have there, in order; only those that have the name of
 * their blob and are in the database, or promised by a partial clone's remote.
 * PN_ELIMIT: one of them is larger than `max` bytes.
 */
int pn_notes_lacking_bodies(struct pn_buf *out, struct pn_notes *notes,
			    struct pn_notes *theirs, uint64_t max,
			    struct pn_error *err);
/* Stage: objects/ names this blob, to which another ref leads. */
void pn_notes_stage_reachable(struct pn_notes *notes,
			      const struct pn_oid *body);

/* The next commit has this parent, too: before the tip, or behind it. It is
 * written even where the tree stays as it is. */
void pn_notes_add_parent(struct pn_notes *notes, const struct pn_oid *parent,
			 bool before);

/*
 * Move the ref from the snapshot's tip to a commit that exists; the snapshot is
 * of that one afterwards, and nothing is staged. Errors as of pn_notes_commit.
 */
int pn_notes_forward(struct pn_notes *notes, const struct pn_oid *to,
		     const char *message, struct pn_error *err);

/* Move any ref of ours to a commit (zero: take it out), if it was `was` (zero:
 * not there; NULL: whatever it was). */
int pn_notes_point(struct pn_repo *repo, const char *ref,
		   const struct pn_oid *to, const struct pn_oid *was,
		   struct pn_error *err);

#endif
