/* Times that are read from a coarse clock. */
#include "detect/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define DIGITS 14      /* beyond them a double has been computed */
#define SURE_VALUES 5  /* of a side */
#define SURE_TICKS 2   /* one less may have changed */
#define MOST_TICK 0.25 /* of a value of which something can be said */

/* What its last digit that is not 0 stands for. */
static double digit_step(double value)
{
	char text[32];
	int digits = DIGITS, exponent;

	snprintf(text, sizeof(text), "%.*e", DIGITS, fabs(value));
	exponent = (int)strtol(text + DIGITS + 3, NULL,
			       10); /* behind "1.", digits, "e" */
	while (digits && text[digits + 1] == '0')
		digits--;
	return pow(10, exponent - digits);
}

void pn_clock_judge(struct pn_clock *out, enum pn_verdict verdict,
		    double before, double after, size_t n, size_t m)
{
	double step = fmin(digit_step(before), digit_step(after));
	double tick = step / fmin(fabs(before), fabs(after));
	double ticks = fabs(after - before) / step;
	bool few = n < SURE_VALUES || m < SURE_VALUES;

	*out = (struct pn_clock){
		.tick = tick, .step = step, .verdict = verdict};
	if (pn_verdict_less_sure(verdict) != verdict &&
	    (few || ticks < SURE_TICKS - 0.5))
		out->verdict = pn_verdict_less_sure(verdict);
	else if (pn_verdict_less_sure(verdict) == verdict &&
		 (n < SURE_VALUES || tick >= MOST_TICK))
		out->verdict = PN_VERDICT_UNKNOWN;
	out->coarse = out->verdict != verdict;
}
