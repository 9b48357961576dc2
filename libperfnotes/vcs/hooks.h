/* Where git looks for hooks, and whose folder that is. */
#ifndef PN_VCS_HOOKS_H
#define PN_VCS_HOOKS_H

#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>

enum pn_hooks_scope {
	PN_HOOKS_HERE,	  /* what git uses in this worktree */
	PN_HOOKS_LOCAL,	  /* what the repository's configuration says */
	PN_HOOKS_WORKTREE /* this worktree's own; PN_EREFUSED without one */
};

struct pn_hooks {
	char *dir;   /* absolute; may not exist */
	bool shared; /* core.hooksPath is of more than this repository */
};

/* core.hooksPath and the common folder are honoured; nothing is changed. */
int pn_hooks_find(struct pn_hooks *out, struct pn_repo *repo,
		  enum pn_hooks_scope scope, struct pn_error *err);
void pn_hooks_release(struct pn_hooks *hooks);

/* Whether git may run this one here; also where that cannot be told. */
bool pn_hooks_has(struct pn_repo *repo, const char *name);

/* Whether the folder of this file (or what the file links to) is part of a
 * work tree, and so somebody's sources. */
int pn_hooks_is_tracked(bool *out, const char *path, struct pn_error *err);

#endif
