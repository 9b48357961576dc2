/*
 * Lines that a plain git wrote over. `git notes add` and the like take the
 * notes as they read them and move the ref wherever it is by then; a fetch with
 * a refspec by force, too. The ref's reflog has the tips that were left.
 */
#ifndef PN_VERIFY_LOST_H
#define PN_VERIFY_LOST_H

#include "storage/verify/verify.h"

/*
 * Add to the report each record, tombstone and other entry that was in a note
 * when others moved the ref, was not behind that move, and is not there now.
 * One that a tombstone takes out is not missed, nor one of which the last such
 * move was made for its sake: `git notes remove` of one note, or of several by
 * a git that had read all that was there, `git notes prune`, a step back by
 * hand, or a fetch or push of what others made on top of
 * it. Nor is the record of another commit missed, that a copied note had. What
 * is found depends on the reflog and on objects that may be gone: what cannot
 * be read is passed over.
 */
int pn_lost_find(struct pn_verify_report *report, struct pn_repo *repo,
		 struct pn_notes *notes, struct pn_error *err);

/* Stage all of it, and the bodies that it needs; *lines: how many came. */
int pn_lost_bring(size_t *lines, struct pn_repo *repo, struct pn_notes *notes,
		  const struct pn_verify_report *report, struct pn_error *err);

#endif
