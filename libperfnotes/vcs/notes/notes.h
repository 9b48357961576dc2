/*
 * The notes tree of one ref: note blobs in git's own fan-out, bodies below
 * objects/, other entries kept as they are. Own reader and writer on the
 * object database; see storage/FORMAT.md for the bytes.
 *
 * A pn_notes is a snapshot at one tip. How it is changed: stage.h.
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

/* All of them, each handed to `take` with `arg`, as far as that returns 0. */
int pn_notes_each_text(struct pn_notes *notes,
		       int (*take)(void *arg, const struct pn_oid *commit,
				   const struct pn_buf *text,
				   struct pn_error *err),
		       void *arg, struct pn_error *err);

#endif
