/* Worktrees in which commits stay built. */
#include "jobs/bisect/trees.h"

#include <stdlib.h>

/* One that is free, or the one that is least likely to be wanted. */
static struct pn_bisect_tree *oldest(struct pn_bisect_trees *trees)
{
	struct pn_bisect_tree *best = &trees->items[0];
	size_t i;

	for (i = 0; i < PN_BISECT_TREES; i++) {
		if (!trees->items[i].tree)
			return &trees->items[i];
		if (trees->items[i].used < best->used)
			best = &trees->items[i];
	}
	return best;
}

static struct pn_bisect_tree *find(struct pn_bisect_trees *trees,
				   const struct pn_oid *commit)
{
	size_t i;

	for (i = 0; i < PN_BISECT_TREES; i++)
		if (trees->items[i].tree &&
		    pn_oid_equal(&trees->items[i].commit, commit))
			return &trees->items[i];
	return NULL;
}

int pn_bisect_trees_get(struct pn_bisect_tree **out,
			struct pn_bisect_trees *trees, struct pn_repo *repo,
			const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_bisect_tree *at = find(trees, commit);
	int code = 0;

	if (!at) {
		at = oldest(trees);
		at->built = false;
		at->commit = (struct pn_oid){0};
		if (!at->tree)
			code = pn_worktree_open(&at->tree, repo, commit, err);
		if (!code && !at->ceiling)
			at->ceiling = pn_worktree_ceiling(at->tree);
		if (!code)
			code = pn_worktree_step(at->tree, commit, err);
		if (code)
			return code;
		at->commit = *commit;
	}
	at->used = ++trees->calls;
	*out = at;
	return 0;
}

int pn_bisect_trees_release(struct pn_bisect_trees *trees, struct pn_error *err)
{
	int code = 0, one;
	size_t i;

	for (i = 0; i < PN_BISECT_TREES; i++) {
		struct pn_bisect_tree *at = &trees->items[i];

		one = at->tree ? pn_worktree_close(at->tree, code ? NULL : err)
			       : 0;
		code = code ? code : one;
		free(at->ceiling);
	}
	*trees = (struct pn_bisect_trees){.calls = 0};
	return code;
}
