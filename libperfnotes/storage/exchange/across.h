/*
 * Taking in what notes of another epoch have: their lines, not their history.
 * Nothing goes because it is absent on one side; a record that a tombstone of
 * either side names does not come.
 */
#ifndef PN_EXCHANGE_ACROSS_H
#define PN_EXCHANGE_ACROSS_H

#include "vcs/notes/notes.h"

struct pn_across {
	size_t commits, bodies; /* that came */
	/* Some body that is needed may be in their history and nowhere else:
	 * that must not be left behind. */
	bool lacks;
};

/*
 * Stage in `notes` what `theirs` has and it has not. The ids (20 bytes) of
 * bodies whose line died by that are appended to `dead`. PN_ELIMIT: a note
 * would be too long.
 */
int pn_across(struct pn_across *out, struct pn_buf *dead, struct pn_repo *repo,
	      struct pn_notes *notes, struct pn_notes *theirs,
	      struct pn_error *err);

#endif
