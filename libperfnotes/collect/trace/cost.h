/* What a call costs by being traced: the constants of the tracer. */
#ifndef PN_TRACE_COST_H
#define PN_TRACE_COST_H

#include "base/error.h"

#include <stdint.h>

/* What is to be taken off for each call. */
struct pn_trace_cost {
	double inside_ns;  /* shows in its own time */
	double outside_ns; /* shows in its caller's */
};

/*
 * Find it for a clock (runtime/record.h, by its name as the collector takes
 * it) with `rounds` calls in each batch, in a process of its own: `argv` is a
 * program that ends soon, NULL-terminated.
 */
int pn_trace_find_cost(struct pn_trace_cost *out, const char *clock,
		       uint64_t rounds, const char *const *argv,
		       struct pn_error *err);

/* That of each clock, PN_TRACE_CLOCKS of them, of a program of no matter: the
 * tracer measures when it is loaded. */
#define PN_TRACE_CLOCKS 3
struct pn_trace_clock_cost {
	const char *clock;
	struct pn_trace_cost cost;
};
int pn_trace_find_costs(struct pn_trace_clock_cost out[PN_TRACE_CLOCKS],
			uint64_t rounds, struct pn_error *err);

#endif
