/* What is around the notes and may harm them: refspecs, locks, other refs. */
#ifndef PN_VERIFY_AROUND_H
#define PN_VERIFY_AROUND_H

#include "storage/verify/verify.h"

/*
 * Add to the report: a refspec of a remote that overwrites what is not pushed;
 * lock files that were left behind; a tip that leads to a later epoch than its
 * own, as a plain merge leaves one; what was fetched and cannot be read.
 */
int pn_verify_around(struct pn_verify_report *report, struct pn_repo *repo,
		     struct pn_notes *notes, struct pn_error *err);

#endif
