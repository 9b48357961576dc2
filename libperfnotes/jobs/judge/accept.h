/* Recording that a change is known and wanted, and taking that back. */
#ifndef PN_JUDGE_ACCEPT_H
#define PN_JUDGE_ACCEPT_H

#include "base/error.h"
#include "base/oid.h"
#include "model/entry.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <stddef.h>

#define PN_ACCEPT_TEXT_MAX 2048 /* bytes of a reason, of a name */

struct pn_accept_request {
	struct pn_repo *repo;
	struct pn_notes *notes;
	const char *rev;    /* a commit, or a range */
	const char *reason; /* storing */
	const char *series; /* NULL: all */
	const char *metric; /* NULL: all */
};

/*
 * Add the line to the note of the commit, or of the end of the range. *commit
 * is which one, `id` that of the line. PN_EINVAL: no reason, or a text that is
 * too long; PN_ENOTFOUND: no such commit.
 */
int pn_accept_store(struct pn_oid *commit, char id[PN_ENTRY_ID_HEX + 1],
		    const struct pn_accept_request *request,
		    struct pn_error *err);
/* Take those of the commit out that are of exactly this series and metric,
 * where these are given, and those of the commit that it was rewritten from,
 * with the same tree; *count is how many, *commit where. PN_ENOTFOUND: none
 * is. */
int pn_accept_revoke(struct pn_oid *commit, size_t *count,
		     const struct pn_accept_request *request,
		     struct pn_error *err);

#endif
