/*
 * A worktree of our own for historical commits, below <common dir>/perf, on
 * the repository's file system and outside of the user's work tree, which is
 * never touched. One is made per run and goes from commit to commit: what the
 * project's .gitignore names stays between commits, so that builds need to
 * make only what changed; everything else that a build leaves is removed.
 *
 *   perf/worktrees/perf-<n>        the folder; the same one each time, so that
 *                                  paths in what is built do not differ
 *   perf/worktrees/perf-<n>.lock   flock(2) of who uses it
 *
 * A process that dies leaves its worktree; the next one that wants that number
 * removes it, and so does recover. What was mounted below one is never reached
 * through: that is refused, and the number passed over.
 */
#ifndef PN_WORKTREE_WORKTREE_H
#define PN_WORKTREE_WORKTREE_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_worktree;

/* Make a worktree without files. */
int pn_worktree_open(struct pn_worktree **out, struct pn_repo *repo,
		     const struct pn_oid *commit, struct pn_error *err);
/* Absolute; borrowed. */
const char *pn_worktree_path(const struct pn_worktree *tree);
/* "GIT_CEILING_DIRECTORIES=<...>" for what runs in it, so that git does not
 * find the user's repository around it, should .git be gone. The caller
 * frees. */
char *pn_worktree_ceiling(const struct pn_worktree *tree);
/*
 * Check a commit out, without hooks; submodules of which the repository has a
 * copy, too. Changed, deleted and untracked files of builds give way, ignored
 * ones stay. A worktree that is not as it was made, because a build removed
 * .git, say, or in which git fails, is made anew. PN_EREFUSED: something is
 * mounted there.
 */
int pn_worktree_step(struct pn_worktree *tree, const struct pn_oid *commit,
		     struct pn_error *err);
/* Why the last step had to make it anew; NULL: it had not. Borrowed. */
const char *pn_worktree_lost(const struct pn_worktree *tree);
/* Whether a submodule of the commit is not there, for want of a copy. */
bool pn_worktree_is_partial(const struct pn_worktree *tree);
/* Remove it and free. */
int pn_worktree_close(struct pn_worktree *tree, struct pn_error *err);

/* Remove what dead processes left; *removed says how many. */
int pn_worktree_recover(size_t *removed, struct pn_repo *repo,
			struct pn_error *err);
/* How many of them lie here. */
size_t pn_worktree_stale(struct pn_repo *repo);

#endif
