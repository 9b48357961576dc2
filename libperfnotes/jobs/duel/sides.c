/* Two commits in two worktrees. */
#include "jobs/duel/sides.h"

#include "vcs/gitdir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t name_len(const struct pn_worktree *tree)
{
	return strlen(pn_worktree_path(tree));
}

/* The number of a folder has a digit more from some on: then both are of
 * those. */
static int even_out(struct pn_worktree *trees[PN_DUEL_SIDES],
		    struct pn_repo *repo, const struct pn_oid *commit,
		    struct pn_error *err)
{
	struct pn_worktree *longer, *shorter;
	int code;

	if (name_len(trees[0]) == name_len(trees[1]))
		return 0;
	shorter = name_len(trees[0]) < name_len(trees[1]) ? trees[0] : trees[1];
	longer = shorter == trees[0] ? trees[1] : trees[0];
	trees[0] = longer;
	trees[1] = NULL;
	code = pn_worktree_open(&trees[1], repo, commit, err);
	if (code) {
		pn_worktree_close(shorter, NULL);
		return code;
	}
	return pn_worktree_close(shorter, err);
}

int pn_duel_sides_open(struct pn_duel_side sides[PN_DUEL_SIDES],
		       struct pn_repo *repo,
		       const struct pn_duel_sides_options *options,
		       struct pn_error *err)
{
	struct pn_worktree *trees[PN_DUEL_SIDES] = {NULL};
	struct pn_commit_facts facts;
	int code = 0, i;

	for (i = 0; !code && i < PN_DUEL_SIDES; i++)
		code = pn_worktree_open(&trees[i], repo, &options->commits[i],
					err);
	if (!code)
		code = even_out(trees, repo, &options->commits[PN_DUEL_HEAD],
				err);
	for (i = 0; i < PN_DUEL_SIDES; i++)
		sides[i].tree = trees[i];
	for (i = 0; !code && i < PN_DUEL_SIDES; i++) {
		code = pn_repo_commit_facts(&facts, repo, &options->commits[i],
					    err);
		if (code)
			break;
		sides[i].ceiling = pn_worktree_ceiling(trees[i]);
		sides[i].place =
			(struct pn_job_place){.dir = pn_worktree_path(trees[i]),
					      .ceiling = sides[i].ceiling,
					      .machine = options->machine,
					      .commit = options->commits[i],
					      .tree = facts.tree,
					      .stop = options->stop};
	}
	return code;
}

int pn_duel_sides_check_out(struct pn_duel_side sides[PN_DUEL_SIDES],
			    const struct pn_duel_sides_options *options,
			    size_t layout, struct pn_error *err)
{
	int code = 0, i;

	for (i = 0; !code && i < PN_DUEL_SIDES; i++) {
		struct pn_duel_side *s = &sides[i];

		if (layout)
			snprintf(s->layout, sizeof(s->layout),
				 PN_DUEL_LAYOUT "=%zu", layout);

		code = pn_worktree_step(s->tree, &s->place.commit, err);
		s->build = pn_build_new(&(struct pn_build_options){
			.dir = s->place.dir,
			.set = s->place.ceiling,
			.also = layout ? s->layout : NULL,
			.unset = pn_gitdir_variables,
			.polite = options->nice_builds,
			.stop = options->stop});
	}
	return code;
}

int pn_duel_sides_close(struct pn_duel_side sides[PN_DUEL_SIDES],
			struct pn_error *err)
{
	struct pn_error why;
	int code = 0, i;

	for (i = 0; i < PN_DUEL_SIDES; i++) {
		struct pn_duel_side *s = &sides[i];
		int closed = s->tree ? pn_worktree_close(s->tree, &why) : 0;

		if (closed && !code) {
			code = closed;
			if (err)
				*err = why;
		}
		pn_build_free(s->build);
		free(s->ceiling);
		memset(s, 0, sizeof(*s));
	}
	return code;
}
