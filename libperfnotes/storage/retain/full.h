/* Whether a clone has enough to tell what nobody needs any more. */
#ifndef PN_RETAIN_FULL_H
#define PN_RETAIN_FULL_H

#include "base/error.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/* PN_EREFUSED in a shallow clone, and in a partial one where bodies are absent,
 * with the way out. */
int pn_retain_check_full(struct pn_repo *repo, struct pn_notes *notes,
			 struct pn_error *err);

#endif
