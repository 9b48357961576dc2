/*
 * The notes tree of one ref: note blobs in git's own fan-out, bodies below
 * objects/, other entries kept as they are. Own reader and writer on the
 * object database; see storage/FORMAT.md for the bytes.
 *
 * A pn_notes is a snapshot at one tip with changes staged on top. Committing
 * moves the ref only from that tip (compare and swap).
 */
#ifndef PN_NOTES_NOTES_H
#define PN_NOTES_NOTES_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_NOTES_REF "refs/notes/perf"
#define PN_NOTE_MAX (16u << 20) /* bytes of one commit's lines, each once */
#define PN_NOTE_LINES_MAX (1u << 20) /* of a note that is united */
/* Bytes of one commit's blobs as they lie there, in which lines may repeat:
 * a union merge of git doubles a note that both sides have. */
#define PN_NOTE_RAW_MAX (64u << 20)
#define PN_NOTE_REPAIR_MAX (1u << 30) /* the same, where that is mended */

struct pn_notes;

/* A ref that does not exist is an empty tree. Only the tip is read.
 * PN_EREFUSED: its file 'format' is of a later version. */
int pn_notes_open(struct pn_notes **out, struct pn_repo *repo, const char *ref,
		  struct pn_error *err);
void pn_notes_free(struct pn_notes *notes);
/* The commit the snapshot is of; zero when the ref does not exist. */
const struct pn_oid *pn_notes_tip(const struct pn_notes *notes);

/*
 * Append the note of `commit` to `out`; nothing when there is none. A single
 * blob of up to PN_NOTE_MAX bytes is the note as it is. Of several, found at
 * any fan-out depth, and of a larger one the lines are united: each stands
 * there once. Staged changes are seen. Only regular files with the exact hex
 * name count. Point lookup by descent, trees are cached: about log256(notes)
 * reads. PN_ELIMIT above the limits.
 */
int pn_notes_read(struct pn_buf *out, struct pn_notes *notes,
		  const struct pn_oid *commit, struct pn_error *err);
/* The same of up to `max` bytes of blobs; *raw is how many the blobs have. On
 * PN_ELIMIT it is more than `max`, or 0 when no larger one would do. */
int pn_notes_read_long(struct pn_buf *out, uint64_t *raw,
		       struct pn_notes *notes, const struct pn_oid *commit,
		       uint64_t max, struct pn_error *err);

/*
 * Visit every noted commit, in order of its id. next returns 1, 0 at the end,
 * or a negative code. `blob` is one of its blobs (duplicates come one by
 * one). Staged changes are not seen.
 */
struct pn_notes_iter;
int pn_notes_iter_open(struct pn_notes_iter **out, struct pn_notes *notes,
		       struct pn_error *err);
int pn_notes_iter_next(struct pn_oid *commit, struct pn_oid *blob,
		       struct pn_notes_iter *iter, struct pn_error *err);
void pn_notes_iter_free(struct pn_notes_iter *iter);
/*
 * The next noted commit, each once, and its note in `text`, which is emptied
 * first: what pn_notes_read gives, with staged changes, without the lookup.
 */
int pn_notes_iter_text(struct pn_oid *commit, struct pn_buf *text,
		       struct pn_notes_iter *iter, struct pn_error *err);

/* As above, over the names below objects/ (what the name says the blob is,
 * and the blob that is there). */
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
/* Stage a body; *out is its blob id. The bytes are copied. */
int pn_notes_stage_body(struct pn_oid *out, struct pn_notes *notes,
			const void *bytes, size_t len, struct pn_error *err);
/* The same of bytes whose blob id is known. With raw_len not 0 they are a zlib
 * stream of so many, and stay one in the pack. */
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

/*
 * Write what is staged as one commit and move the ref from the snapshot's
 * tip. Up to 16 objects are loose files, more are one pack; everything is on
 * the disk (fsync) before the ref moves, and is proven to exist after. Does
 * nothing when nothing is staged.
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
