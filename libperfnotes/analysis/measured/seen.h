/*
 * How much of what a program used the sampler saw: what its samples stand for,
 * beside the kernel's account of the run. Pure.
 */
#ifndef PN_MEASURED_SEEN_H
#define PN_MEASURED_SEEN_H

#include "model/profile.h"

#include <stdbool.h>

#define PN_SEEN_ENOUGH 0.9 /* below this share of it a profile is partial */

/* Processor time of all runs. */
struct pn_seen {
	double seen_ns;	 /* that samples stand for */
	double spent_ns; /* user and system time */
	bool partial; /* by more than an interval or two of each run may miss */
};

/* Of a profile of the sampler with clock=cpu; else false. What was to be seen
 * of chosen threads only is never partial. */
bool pn_seen_of(struct pn_seen *out, const struct pn_profile *profile);

#endif
