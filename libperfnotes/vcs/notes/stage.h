/*
 * Changes of a notes tree: staged on top of the snapshot, then written as one
 * commit, which moves the ref only from the snapshot's tip (compare and swap).
 */
#ifndef PN_NOTES_STAGE_H
#define PN_NOTES_STAGE_H

#include "vcs/notes/notes.h"

/* As pn_notes_iter_open, over the names below objects/ (what the name says the
 * blob is, and the blob that is there). */
int pn_notes_bodies_open(struct pn_notes_iter **out, struct pn_notes *notes,
			 struct pn_error *err);

/*
 * Append to `out` the 20-byte ids of the commits whose notes in `ours` are
 * not the same blobs as in `theirs`, or are not in `theirs` at all, in order.
 * Equal subtrees are not read. Staged changes are not seen.
 */
int pn_notes_differing(struct pn_buf *out, struct pn_notes *ours,
		       struct pn_notes *theirs, struct pn_error *err);

/* Whether this git-perf may write to the tree: its file 'format', where there
 * is one. What pn_notes_commit would say against it otherwise. */
int pn_notes_check_format(struct pn_notes *notes, struct pn_error *err);

/* Whether objects/ of the snapshot (or of what is staged) names this body. */
int pn_notes_has_body(bool *out, struct pn_notes *notes,
		      const struct pn_oid *body, struct pn_error *err);

/* Append to `out` the 20-byte ids of the commits that get their first note by
 * what is staged: a walk does not meet them. */
int pn_notes_staged_new(struct pn_buf *out, struct pn_notes *notes,
			struct pn_error *err);

/*
 * Take the snapshot anew at the ref's present tip, which costs nothing when it
 * is the same and no commit failed. Staged bodies, anchors and
 * drops stay staged; staged notes are forgotten, because their text was made
 * from the old tip.
 */
int pn_notes_reopen(struct pn_notes *notes, struct pn_error *err);

/* Stage: the note of `commit` becomes these bytes (len 0: no note), each line
 * once. PN_ELIMIT when nobody would read so long a one. */
int pn_notes_stage_note(struct pn_notes *notes, const struct pn_oid *commit,
			const void *bytes, size_t len, struct pn_error *err);
/* The same of bytes without a line twice, which the caller keeps until nothing
 * is staged any more. */
int pn_notes_lend_note(struct pn_notes *notes, const struct pn_oid *commit,
		       const void *bytes, size_t len, struct pn_error *err);
/* Each line of the note that is staged for `commit` is good: who reads it here
 * need not compute their ids again (cached.h). */
void pn_notes_stage_good(struct pn_notes *notes, const struct pn_oid *commit);
/* Stage a body; *out is its blob id. The bytes are copied. */
int pn_notes_stage_body(struct pn_oid *out, struct pn_notes *notes,
			const void *bytes, size_t len, struct pn_error *err);
/* The same of bytes whose blob id is known. With raw_len not 0 they are a zlib
 * stream of so many, and stay one in the pack. PN_EREFUSED: other bytes of that
 * id are staged. */
int pn_notes_stage_named(struct pn_notes *notes, const struct pn_oid *body,
			 const void *bytes, size_t len, size_t raw_len,
			 struct pn_error *err);
/* Stage: objects/ names this existing blob (re-anchoring). */
void pn_notes_stage_anchor(struct pn_notes *notes, const struct pn_oid *body);
/* Stage: objects/ no longer names this body. */
void pn_notes_stage_drop(struct pn_notes *notes, const struct pn_oid *body);

/*
 * Stage what a plain `git notes merge` took out of the tip's objects/: bodies
 * that the merged parents had. Costs nothing when the tip is our own commit.
 * Their 20-byte ids are appended to `ids`, because some may be unwanted: the
 * tip's own side may have dropped them. *cut says whether there may be more:
 * behind a shallow fetch, or too many commits.
 */
int pn_notes_reanchor(struct pn_buf *ids, bool *cut, struct pn_notes *notes,
		      struct pn_error *err);
/* Whether bodies that are needed still lack: then the commit says so in its
 * subject ("perf (cut history): ..."), for the next writer. */
void pn_notes_set_cut(struct pn_notes *notes, bool cut);

/* Bytes of bodies and notes that are staged and copied in memory. */
size_t pn_notes_staged_bytes(const struct pn_notes *notes);
/*
 * Of more than the memory should hold: write the bodies and notes that are
 * staged, as a pack that stays when the commit comes and goes with the
 * snapshot otherwise. The bodies stay staged; the notes are the snapshot's
 * from now on, until the next reopen.
 */
int pn_notes_settle(struct pn_notes *notes, struct pn_error *err);

/*
 * Write what is staged as one commit and move the ref from the snapshot's
 * tip. The objects are one pack; it is on the disk (fsync) before the ref
 * moves, and is proven to exist after. Does nothing when nothing is staged.
 *
 * PN_ECONFLICT: somebody else moved the ref: open anew, stage, try again.
 * PN_ELOCKED: a lock file stayed in the way for 10 s; the message has its
 * path and age. PN_EIO: disk full, no rights. PN_EREFUSED: a newer format, or
 * another tool's notes. The ref is unchanged then, and after a failure the
 * snapshot is only good for reopen and free.
 */
int pn_notes_commit(struct pn_notes *notes, const char *message,
		    struct pn_error *err);

#endif
