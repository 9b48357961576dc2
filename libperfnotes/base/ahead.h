/*
 * Jobs done ahead of the one who needs them: threads take the jobs 0, 1, 2,
 * ... in turn, and the caller is handed each in order when it is done. All
 * threads of the library are here. What is made depends on the jobs alone:
 * where there is one processor, or one job, the caller does them itself when
 * it asks.
 *
 *	while (pn_ahead_next(&job, ahead))
 *		use(&slots[job % window]);
 */
#ifndef PN_BASE_AHEAD_H
#define PN_BASE_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

#define PN_AHEAD_THREADS_MAX 8

struct pn_ahead;

struct pn_ahead_work {
	/* Do a job; its result goes to the place job % window of `data`, which
	 * is the job's own until it is handed over and the caller's until it
	 * asks for the next one. `worker`, below PN_AHEAD_THREADS_MAX, is for
	 * what each thread has of its own; jobs go to them in turn. Signals are
	 * blocked, so that a job is no place to start processes that take long.
	 */
	void (*run)(void *data, size_t job, size_t worker);
	void *data;
	size_t count;  /* of jobs */
	size_t window; /* jobs in work, done, or with the caller at a time */
	/* At most; 1: the jobs are done one at a time; 0: by the caller. */
	size_t threads;
};

/* Starts at once. Never fails: threads that cannot be had are not needed. */
struct pn_ahead *pn_ahead_new(const struct pn_ahead_work *work);
/* Wait for the next job to be done; false when all were handed over. */
bool pn_ahead_next(size_t *job, struct pn_ahead *ahead);
/* What is in work is waited for; what nobody has begun is never done. */
void pn_ahead_free(struct pn_ahead *ahead);

#endif
