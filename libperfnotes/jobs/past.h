/*
 * The jobs of a matrix at commits of the history, one commit after the other,
 * in an isolated worktree or in the user's own. Goes in steps:
 *
 *	open
 *	while (next == 1) {
 *		while (pn_run_step(...) == 1) show progress;
 *		store
 *	}
 *	close, in any case
 *
 * Oldest first: then a build makes only what its commit changed, because the
 * worktree keeps what .gitignore names from commit to commit. What a commit
 * gave is stored before the next one begins; what failed there is remembered
 * (a `skip` line) and not tried again.
 */
#ifndef PN_JOBS_PAST_H
#define PN_JOBS_PAST_H

#include "base/error.h"
#include "base/oid.h"
#include "jobs/matrix/matrix.h"
#include "jobs/run.h"
#include "vcs/inplace/inplace.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_PAST_MAX 1000000 /* commits */

struct pn_past_options {
	/* A commit each, or (with ".." or a "^" in front) ranges, which git
	 * resolves together. */
	const char *const *revs;
	size_t rev_count;
	uint64_t steps; /* at most so many, evenly spread; 0: all */
	bool in_place;
	struct pn_run_options run; /* dir, commit, tree are set for each */
};

struct pn_past;

/*
 * Finds the commits and which of them lack a job; starts nothing and touches
 * nothing. `matrix` is expanded; all is borrowed. PN_ENOTFOUND, PN_EINVAL.
 */
int pn_past_open(struct pn_past **out, struct pn_repo *repo,
		 const struct pn_matrix *matrix,
		 const struct pn_past_options *options, struct pn_error *err);

/* Commits that were named; that are to be measured; of the jobs that are
 * selected those that failed before and are left out; that were measured
 * before. */
size_t pn_past_named(const struct pn_past *past);
size_t pn_past_count(const struct pn_past *past);
size_t pn_past_skipped(const struct pn_past *past);
size_t pn_past_measured(const struct pn_past *past);

/*
 * Check the next commit out: 1 with *commit and its jobs in *run, which lives
 * until the next call; 0 after the last one.
 */
int pn_past_next(struct pn_run **run, struct pn_oid *commit,
		 struct pn_past *past, struct pn_error *err);
/* Why the worktree had to be made anew for the present commit; NULL: it had
 * not. Lives until the next call. */
const char *pn_past_lost(const struct pn_past *past);
/* Store what the present commit gave, in one commit of the notes. */
int pn_past_store(struct pn_past *past, struct pn_error *err);

/* Remove the worktree, or give the user's back, and free. *report is filled
 * after a run in place, also one that could not begin. */
int pn_past_close(struct pn_inplace_report *report, struct pn_past *past,
		  struct pn_error *err);

#endif
