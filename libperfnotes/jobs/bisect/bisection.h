/*
 * A bisection that measures: the job of a matrix at commits of a line, each
 * built in a worktree of its own, until it is known which of them changed a
 * metric. What is in the notes counts before anything is run, and what is run
 * is stored at once: whoever is interrupted, in whatever way, goes on from
 * there. Goes in steps:
 *
 *	open
 *	while (next == 1) {
 *		while (pn_run_step(...) == 1) show progress;
 *		store
 *	}
 *	explain; print pn_bisection_told; close, in any case
 *
 * Merges are commits of the first-parent line like others; where one of them
 * is found, the line that it brought is looked at next.
 */
#ifndef PN_BISECT_BISECTION_H
#define PN_BISECT_BISECTION_H

#include "analysis/why/bisected.h"
#include "jobs/bisect/ask.h"

struct pn_bisection;

/*
 * `session` says what is looked for; its counts go on. It, `matrix` (expanded)
 * and `run` are borrowed; of the latter machine, nice_builds, patience_ns and
 * stop are heeded. PN_EINVAL: the ends are not on one line; PN_ENOTFOUND: no
 * such job.
 */
int pn_bisection_open(struct pn_bisection **out, struct pn_repo *repo,
		      const struct pn_matrix *matrix,
		      struct pn_bisect_session *session,
		      const struct pn_run_options *run, struct pn_error *err);

/* A session of what is asked for; when the same was begun already, *had, its
 * costs go on. PN_ENOTFOUND, PN_EAMBIGUOUS of commits and jobs. */
int pn_bisection_begin(struct pn_bisect_session *out, bool *had,
		       struct pn_repo *repo, const struct pn_matrix *matrix,
		       const struct pn_bisect_ask *ask, struct pn_error *err);
/*
 * The one that was begun and its job file, not expanded: where one was named
 * then, that one, wherever one stands now. `config` is what is named now, or
 * NULL. PN_ENOTFOUND; PN_EREFUSED: another file is named, or the file has other
 * bytes than the ones that were vouched for.
 */
int pn_bisection_go_on(struct pn_bisect_session *out, struct pn_matrix *matrix,
		       struct pn_repo *repo, const char *config,
		       struct pn_error *err);

/* 1 with *run to be stepped to its end; 0: nothing is to be run any more.
 * Lives until the next call. */
int pn_bisection_next(struct pn_run **run, struct pn_bisection *bisection,
		      struct pn_error *err);
/* Store what the run gave and look again. PN_EREFUSED: the job failed at a
 * commit at which it ran before. */
int pn_bisection_store(struct pn_bisection *bisection, struct pn_error *err);
/* Which functions explain it, where profiles of both sides have some. */
void pn_bisection_explain(struct pn_bisection *bisection);
/* Where it is; valid until the next call. */
const struct pn_bisected *pn_bisection_told(struct pn_bisection *bisection);
/* The commit that was run last, of the present line. */
size_t pn_bisection_last(const struct pn_bisection *bisection);

/* Ends what runs and removes the worktrees. Takes NULL. */
int pn_bisection_close(struct pn_bisection *bisection, struct pn_error *err);

#endif
