/*
 * Worktrees in which commits stay built, so that another run of one of them
 * costs no build: a few, the one that was not used for longest gives way.
 */
#ifndef PN_BISECT_TREES_H
#define PN_BISECT_TREES_H

#include "vcs/repo.h"
#include "vcs/worktree/worktree.h"

#define PN_BISECT_TREES 6

struct pn_bisect_tree {
	struct pn_worktree *tree;
	struct pn_oid commit;
	char *ceiling; /* see pn_worktree_ceiling */
	size_t used;   /* when, in calls */
	bool built;    /* set by who has built it */
};

struct pn_bisect_trees {
	struct pn_bisect_tree items[PN_BISECT_TREES];
	size_t calls;
};

/* The one that has the commit checked out; *out is borrowed until the next
 * call. What is built there stays as it is. */
int pn_bisect_trees_get(struct pn_bisect_tree **out,
			struct pn_bisect_trees *trees, struct pn_repo *repo,
			const struct pn_oid *commit, struct pn_error *err);
/* Remove them all. */
int pn_bisect_trees_release(struct pn_bisect_trees *trees,
			    struct pn_error *err);

#endif
