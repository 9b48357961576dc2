/*
 * Functions of a call trace that take less a call than tracing one costs: what
 * is left when that is taken off says how disturbed the run was, not what they
 * take. Pure.
 */
#ifndef PN_MEASURED_BELOW_H
#define PN_MEASURED_BELOW_H

#include "model/profile.h"

#include <stddef.h>

/* The metric that says what tracing a call cost, in ns. */
#define PN_BELOW_METRIC "tracing"
#define PN_BELOW_NAMED 3

struct pn_below {
	double cost_ns; /* of tracing a call */
	size_t count;	/* functions whose tracing was a hundredth or more of
			 * all own time */
	const char *names[PN_BELOW_NAMED]; /* those called most; borrowed */
	size_t named;
};

/* Of a profile without that metric, or without times: none. */
void pn_below_of(struct pn_below *out, const struct pn_profile *profile);

#endif
