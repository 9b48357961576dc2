/*
 * Where a repository is and what HEAD names, by reading a few small files: for
 * a hook, which may not take the time that libgit2 needs to start. Whatever
 * is not in its plain place (packed refs, another storage of refs, variables
 * that move things) is asked of git.
 */
#ifndef PN_VCS_GITDIR_H
#define PN_VCS_GITDIR_H

#include "base/error.h"
#include "base/oid.h"

#include <stdbool.h>

struct pn_gitdir {
	char *git_dir, *common_dir; /* absolute, without a trailing slash */
	const char *worktree;	    /* name of the linked worktree, "": main */
	char *branch;		    /* "refs/heads/main", "": detached */
	bool unborn;		    /* no commit yet: `commit` is zero */
	struct pn_oid commit;
};

/* The repository of the current folder, as git would find it. PN_ENOTFOUND:
 * not a repository. */
int pn_gitdir_find(struct pn_gitdir *out, struct pn_error *err);
void pn_gitdir_release(struct pn_gitdir *dir);

/* Whether HEAD's commit, which has just been made, is a merge. The reflog
 * mostly knows; git is run when it does not. */
bool pn_gitdir_is_merge(const struct pn_gitdir *dir);

/*
 * A configuration value. git is run only when a file or variable that it
 * reads may set it: contains the variable's name, or an include. Absent: *out
 * is NULL and 0 is returned. The caller frees.
 */
int pn_gitdir_config(char **out, const struct pn_gitdir *dir, const char *key,
		     struct pn_error *err);

/*
 * What git may have put into our environment, NULL at the end: it means our
 * repository, and a command that runs elsewhere would act on the wrong one.
 * `git rev-parse --local-env-vars`.
 */
extern const char *const pn_gitdir_variables[];

/* The folders as git says them; *work_dir is NULL when there is none.
 * `dir` (NULL: the current folder) is where it is asked. PN_ENOTFOUND where git
 * finds no repository, PN_EREFUSED for one that it does not take. */
int pn_gitdir_ask(char **git_dir, char **common_dir, char **work_dir,
		  const char *dir, struct pn_error *err);

#endif
