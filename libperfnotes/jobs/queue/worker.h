/*
 * What to do with the queue, step by step: the caller loops, sleeps, measures
 * and tells what happens.
 *
 *	open; while (step) wait, or measure; free
 *
 * Nothing is begun while a rebase, a cherry-pick of several or a bisect is
 * under way in a worktree that queued, nor before it was quiet for a while
 * (perf.hookDelay, 5 s). Then entries go along with rewritten commits, and of
 * each branch the newest commit is measured that it still has, at most
 * PN_WORKER_BUILDS of them, newest first. The queue keeps all until that is
 * done: a worker that is killed loses nothing. What killed two of them is
 * given up.
 */
#ifndef PN_QUEUE_WORKER_H
#define PN_QUEUE_WORKER_H

#include "analysis/history/worked.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_WORKER_BUILDS 8 /* a round; older ones are `git perf run`'s */
#define PN_WORKER_TRIES 2  /* workers that one commit may kill */
#define PN_WORKER_PATIENCE_S                                                   \
	3600 /* for a rebase to end; the next hook starts                      \
		a worker again */

struct pn_worker;

/* One worker a repository: PN_ELOCKED, without a message, when one runs. With
 * `once` it waits for nothing. */
int pn_worker_open(struct pn_worker **out, struct pn_repo *repo, bool once,
		   struct pn_error *err);
/* After a failure only free. */
int pn_worker_step(struct pn_worker_step *out, struct pn_worker *worker,
		   struct pn_error *err);
void pn_worker_free(struct pn_worker *worker);

/* How a commit is measured. */
struct pn_worker_run {
	volatile sig_atomic_t *pid; /* of what measures; 0: nothing does */
	const volatile sig_atomic_t *stop; /* raised: it is told to end */
	int words; /* where its words go; results are stored, not printed */
	/* Filled: what got slower (jobs/hooks/slower.h), and why a failure
	 * could not be noted. Zeroed before. */
	struct pn_buf slower;
	struct pn_error unnoted;
};

/*
 * Measure what is missing of the step's commit: `git perf run` in a process of
 * its own, so that what kills that does not kill the worker. *status is how it
 * ended. What failed without being stopped is noted (jobs/hooks/unmeasured.h),
 * as nobody looks when it happens.
 */
int pn_worker_measure(int *status, struct pn_repo *repo,
		      const struct pn_worker_step *step,
		      struct pn_worker_run *run, struct pn_error *err);

/* Where to measure what was queued in a worktree: there, since its .gitperf
 * counts; in the main one when that is gone; in the git folder of a bare
 * repository. The caller frees. */
char *pn_worker_folder(struct pn_repo *repo, const char *worktree);

#endif
