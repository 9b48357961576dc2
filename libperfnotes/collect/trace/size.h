/*
 * What calls take by the size of what they work on, as the program stated it
 * (runtime/git-perf.h): points for models of cost by size.
 */
#ifndef PN_TRACE_SIZE_H
#define PN_TRACE_SIZE_H

#include "model/profile.h"

#include <stddef.h>
#include <stdint.h>

/* Calls of one function and size. */
struct pn_trace_point {
	uint32_t location;
	uint64_t size, calls;
	double total_ns; /* of all of them, with what they called */
	size_t run;	 /* from 0 on */
};

/* Zeroed: none. */
struct pn_trace_points {
	struct pn_trace_point *list; /* owned */
	size_t count, cap;
};

void pn_trace_points_add(struct pn_trace_points *points,
			 const struct pn_trace_point *point);
/*
 * A sample for each function and size, as Perun's complexity collector leaves
 * them: "amount" is the mean of a call in ns, "calls" how many there were,
 * "structure-unit-size" the size. The profile has no types yet. The points are
 * sorted, those of equal function and size united, of all runs: the profile is
 * as of one, but its metrics have a value a run. Time O(n log n).
 */
void pn_trace_points_put(struct pn_profile *profile,
			 struct pn_trace_points *points, size_t run_count);
void pn_trace_points_release(struct pn_trace_points *points);

#endif
