/*
 * What leads to commits. git passes over a ref that is damaged and over a log
 * that it may not read, and all that nothing else leads to seems to be gone.
 */
#ifndef PN_WALK_ROOTS_H
#define PN_WALK_ROOTS_H

#include "base/error.h"
#include "vcs/repo.h"

/* Calls for the folder that each linked worktree has in the repository, until
 * one fails. PN_EREFUSED: they cannot be listed. */
int pn_roots_worktrees(struct pn_repo *repo,
		       int (*each)(void *data, const char *dir,
				   struct pn_error *err),
		       void *data, struct pn_error *err);

/*
 * Whether each ref but the notes' own, each HEAD and each reflog, of all
 * worktrees, can be read, and what the refs name is here: PN_EREFUSED, and
 * which is not.
 */
int pn_roots_check(struct pn_repo *repo, struct pn_error *err);

#endif
