/*
 * What calls took, on the way from the records of several runs into one call
 * graph. Other programs and cold caches make a run slower, nothing makes it
 * faster: of a function, or a call by caller and callee, that did the same in
 * each run, the least time counts.
 */
#ifndef PN_TRACE_SUM_H
#define PN_TRACE_SUM_H

#include "collect/trace/cost.h"

#include <stddef.h>
#include <stdint.h>

/* Times are as they were measured; what tracing cost is in `inside` and
 * `outside`, as how often it is to be taken off. */
struct pn_trace_time {
	double ns;
	uint64_t inside, outside;
};

struct pn_trace_sum {
	uint32_t caller, callee; /* locations; PN_NONE: nobody known */
	size_t run;		 /* from 0 on */
	uint64_t calls, primitive, below;
	struct pn_trace_time self, total;
	double disturbed_ns; /* what folding has taken from `self` */
};

/* Without what tracing cost. */
double pn_trace_time_ns(const struct pn_trace_time *time,
			const struct pn_trace_cost *cost);

/* Those of several threads and processes of one run become one, in order of
 * callee, caller, run. Returns how many there are. */
size_t pn_trace_sums_unite(struct pn_trace_sum *sums, size_t count);
/* Behind that: those of all runs become one: sums, but of own time the least
 * as many times as there are runs, where all runs did the same. */
size_t pn_trace_sums_fold(struct pn_trace_sum *sums, size_t count,
			  size_t run_count);

/*
 * Behind that: what was taken from own times is taken from the totals above,
 * too, of each caller in proportion to the time of its calls, so that a total
 * is own time and what was called. Locations are below `places`.
 */
void pn_trace_sums_settle(struct pn_trace_sum *nodes, size_t node_count,
			  struct pn_trace_sum *edges, size_t edge_count,
			  size_t places);

#endif
