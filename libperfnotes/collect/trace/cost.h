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

#endif
