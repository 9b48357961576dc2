/*
 * The two sides of a duel: each commit in a worktree of its own (vcs/worktree),
 * with its own build. Both folders have names of one length, and what runs in
 * them gets an environment of the same size, so that nothing but the commits
 * tells them apart.
 */
#ifndef PN_DUEL_SIDES_H
#define PN_DUEL_SIDES_H

#include "jobs/build.h"
#include "jobs/job/job.h"
#include "vcs/worktree/worktree.h"

#define PN_DUEL_BASE 0
#define PN_DUEL_HEAD 1
#define PN_DUEL_SIDES 2

/* Zeroed before it is opened. */
struct pn_duel_side {
	struct pn_job_place place;
	struct pn_worktree *tree;
	char *ceiling; /* place.ceiling */
	struct pn_build *build;
	char layout[48]; /* a variable of its environment, or "" */
};

/* What a link step may heed: a number for each layout, from 1 on. */
#define PN_DUEL_LAYOUT "GIT_PERF_LAYOUT_SEED"

/* What both have in common. Borrowed. */
struct pn_duel_sides_options {
	struct pn_oid commits[PN_DUEL_SIDES];
	const char *machine;
	bool nice_builds;
	const volatile sig_atomic_t *stop;
};

/* Two worktrees, without files. On failure they are to be closed, too. */
int pn_duel_sides_open(struct pn_duel_side sides[PN_DUEL_SIDES],
		       struct pn_repo *repo,
		       const struct pn_duel_sides_options *options,
		       struct pn_error *err);
/* Check both commits out, and make ready to build; code laid out by the number
 * of a layout, or as it comes (0). */
int pn_duel_sides_check_out(struct pn_duel_side sides[PN_DUEL_SIDES],
			    const struct pn_duel_sides_options *options,
			    size_t layout, struct pn_error *err);
/* Remove both; the first failure is the error. Takes what was not opened. */
int pn_duel_sides_close(struct pn_duel_side sides[PN_DUEL_SIDES],
			struct pn_error *err);

#endif
