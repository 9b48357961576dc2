/*
 * Tasks done ahead of the one who needs them: threads take the tasks 0, 1, 2,
 * ... in turn, and the caller is handed each in order when it is done. All
 * threads of the library are here. What is made depends on the tasks alone:
 * where there is one processor, or one task, the caller does them itself when
 * it asks.
 *
 *	while (pn_ahead_next(&task, ahead))
 *		use(&slots[task % window]);
 */
#ifndef PN_BASE_AHEAD_H
#define PN_BASE_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_AHEAD_THREADS_MAX 8

struct pn_ahead;

struct pn_ahead_work {
	/* Do a task; its result goes to the place task % window of `data`,
	 * which is the task's own until it is handed over and the caller's
	 * until it asks for the next one. `worker`, below PN_AHEAD_THREADS_MAX,
	 * is for what each thread has of its own; tasks go to them in turn.
	 * Signals are blocked, so that a task is no place to start processes
	 * that take long.
	 */
	void (*run)(void *data, size_t task, size_t worker);
	void *data;
	size_t count;  /* of tasks */
	size_t window; /* tasks in work, done, or with the caller at a time */
	/* At most; 1: the tasks are done one at a time; 0: by the caller. */
	size_t threads;
};

/* Starts at once. Never fails: threads that cannot be had are not needed. */
struct pn_ahead *pn_ahead_new(const struct pn_ahead_work *work);
/* Wait for the next task to be done; false when all were handed over. */
bool pn_ahead_next(size_t *task, struct pn_ahead *ahead);
/* Whether a task that was not handed over yet is done; not behind the window.
 */
bool pn_ahead_has_done(struct pn_ahead *ahead, size_t task);
/* What is in work is waited for; what nobody has begun is never done. */
void pn_ahead_free(struct pn_ahead *ahead);
/* Do the tasks 0 and 1 of `data`: the caller the first one, a thread the other
 * one meanwhile, where there is a processor for it. */
void pn_ahead_both(void (*run)(void *data, size_t task, size_t worker),
		   void *data);

/*
 * A thread that does tasks which the caller would do itself, ahead of the
 * caller: neither waits until the other one has done one.
 */
struct pn_helper;

/* For up to `max` tasks at a time. NULL: there is no processor for it, or no
 * thread. Signals are blocked. */
struct pn_helper *pn_helper_new(void (*run)(void *data, size_t task),
				void *data, uint32_t max);
/* No task is begun from now on; false: one is still being done. */
bool pn_helper_withdraw(struct pn_helper *helper);
/* The tasks 0 to count - 1; those before were withdrawn, none is being done. */
void pn_helper_offer(struct pn_helper *helper, uint32_t count);
/* The caller has come to a task. True: its result is there. False: there will
 * be none, or it is too late; its place is left alone. */
bool pn_helper_has_done(struct pn_helper *helper, uint32_t task);
/* Takes NULL. Waits for the task that is being done. */
void pn_helper_free(struct pn_helper *helper);
/* Whether so many threads leave no processor for another one. */
bool pn_ahead_fills(size_t threads);

#endif
