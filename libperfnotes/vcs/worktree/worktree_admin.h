/*
 * Inside of vcs/ only: what git knows of a measuring worktree, a folder below
 * <common dir>/worktrees (gitrepository-layout(5)) and the worktree's file
 * .git that names it. `git worktree add` would do: but what a kill leaves of
 * that looks as what a user's own begins with, and the user's sparse checkout
 * would come along. Ours is made elsewhere and appears whole, by one rename, as
 * git-perf-<slot>-<16 random digits>, which nobody else has.
 */
#ifndef PN_WORKTREE_WORKTREE_ADMIN_H
#define PN_WORKTREE_WORKTREE_ADMIN_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* For the folder `path`, which exists, detached at `commit` and locked, so
 * that git does not prune it. *out is the folder's path; the caller frees. */
int pn_worktree_admin_make(char **out, struct pn_repo *repo, unsigned int slot,
			   const char *path, const struct pn_oid *commit,
			   struct pn_error *err);
/* All that there is of a slot, be it of a dead process. */
int pn_worktree_admin_remove(const struct pn_repo *repo, unsigned int slot,
			     const char *path, struct pn_error *err);
/* Whether each names the other, as they were made. PN_EREFUSED says what does
 * not. */
int pn_worktree_admin_check(const char *admin, const char *path,
			    struct pn_error *err);

#endif
