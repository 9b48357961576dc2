/* A commit and what its lines say together. */
#ifndef PN_PROFILES_COMMIT_FIGURES_H
#define PN_PROFILES_COMMIT_FIGURES_H

#include "analysis/history/log_row.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

/* Read one commit, its entries (at `records`, see pn_lookup_records), those of
 * its figures whose metric is like the regular expression `metric` (NULL: all),
 * and what failed; all of it is in `arena`, but for parents and author, which
 * are left out. */
int pn_commit_figures(struct pn_log_row *out, struct pn_arena *arena,
		      struct pn_repo *repo, struct pn_notes *notes,
		      const struct pn_oid *commit, const struct pn_oid *records,
		      const char *metric, struct pn_error *err);

#endif
