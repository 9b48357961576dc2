/*
 * Times that do not vary from run to run: they are read from a coarse clock,
 * and known to the step of their last digit. Pure.
 */
#ifndef PN_DETECT_CLOCK_H
#define PN_DETECT_CLOCK_H

#include "detect/verdict.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_clock {
	double tick; /* of the lesser one of both: the least effect */
	double step; /* the same in their unit */
	enum pn_verdict verdict;
	bool coarse; /* it is what the clock allows */
};

/*
 * What a clock allows of a verdict on two times of n and m equal values. Less
 * than two steps apart, or by fewer than five values, a change may be one;
 * no change is told by so few values or of less than four steps is Unknown.
 */
void pn_clock_judge(struct pn_clock *out, enum pn_verdict verdict,
		    double before, double after, size_t n, size_t m);

#endif
