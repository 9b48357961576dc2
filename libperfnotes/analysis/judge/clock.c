/* Times that do not vary: they are read from a coarse clock. */
#include "analysis/judge/rule.h"

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

	snprintf(text, sizeof(text), "%.*e", DIGITS, value);
	exponent = (int)strtol(text + DIGITS + 3, NULL,
			       10); /* behind "1.", digits, "e" */
	while (digits && text[digits + 1] == '0')
		digits--;
	return pow(10, exponent - digits);
}

void pn_judge_clock(struct pn_judge_row *row, double before, double after,
		    size_t n, size_t m)
{
	double step = fmin(digit_step(before), digit_step(after));
	double tick = step / fmin(before, after);
	double ticks = fabs(after - before) / step;
	int worse = pn_judge_direction(row->verdict);

	row->least_effect = fmax(row->least_effect, tick);
	if (fabs(after - before) + step <= row->min_delta) {
		row->verdict = PN_VERDICT_NO_CHANGE;
		return;
	}
	if (worse &&
	    (n < SURE_VALUES || m < SURE_VALUES || ticks < SURE_TICKS - 0.5))
		row->verdict = worse > 0 ? PN_VERDICT_MAYBE_DEGRADATION
					 : PN_VERDICT_MAYBE_OPTIMIZATION;
	else if (!worse && (n < SURE_VALUES || tick >= MOST_TICK))
		row->verdict = PN_VERDICT_UNKNOWN;
	else
		return;
	row->doubt = PN_JUDGE_CLOCK;
}
