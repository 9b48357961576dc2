/*
 * Values of the threads of a run that were recorded one by one, as of
 * callgrind's dumps by thread: together they are one value of the run. Pure.
 */
#ifndef PN_HISTORY_THREADS_H
#define PN_HISTORY_THREADS_H

#include <stddef.h>

struct pn_thread_value {
	const char *thread; /* field PN_THREAD_FIELD; borrowed */
	double value;
	size_t order; /* of the record, oldest first */
	size_t run;   /* of its process; private */
};

/*
 * Add up the threads of each process. A thread that a process has twice is of
 * another run then, as the same dump added again is. `out` has room for
 * `count`; returns how many runs there are, those of one process in order.
 * Sorts `values`. Time O(n log n).
 */
size_t pn_thread_runs(double *out, struct pn_thread_value *values,
		      size_t count);

#endif
