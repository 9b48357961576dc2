/*
 * How others moved the notes' ref, as its reflog tells. git's own commands read
 * the notes, and move the ref wherever it is by then: what was written in
 * between is in no tree any more.
 */
#ifndef PN_NOTES_MOVES_H
#define PN_NOTES_MOVES_H

#include "vcs/notes/notes.h"

struct pn_notes_move {
	struct pn_oid from, to;
	bool by_notes; /* by a `git notes` of this repository */
	bool removes;  /* which took notes out: remove, or edit to nothing */
	bool prunes;   /* `git notes prune` */
	bool silent;   /* without a word, as `git update-ref` by hand */
};

#define PN_NOTES_MOVES_MAX 10000
#define PN_NOTES_LOG_MAX ((uint64_t)256 << 20)

/*
 * Append a pn_notes_move for each move of the ref that others made (ours are
 * from the tip that was read), the newest first, at most PN_NOTES_MOVES_MAX of
 * the last PN_NOTES_LOG_MAX bytes. Nothing where there is no reflog.
 */
int pn_notes_moves(struct pn_buf *out, struct pn_notes *notes,
		   struct pn_error *err);

/* Whether the blobs of a commit's note are here: a partial clone may lack them,
 * and would ask its remote for those of each state of before. */
bool pn_notes_has_text(struct pn_notes *notes, const struct pn_oid *commit);

#endif
