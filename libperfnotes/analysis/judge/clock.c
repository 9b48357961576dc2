/* Times that do not vary: they are read from a coarse clock. */
#include "detect/clock.h"
#include "analysis/judge/rule.h"

#include <math.h>

void pn_judge_clock(struct pn_judge_row *row, double before, double after,
		    size_t n, size_t m)
{
	struct pn_clock clock;

	pn_clock_judge(&clock, row->verdict, before, after, n, m);
	row->least_effect = fmax(row->least_effect, clock.tick);
	if (fabs(after - before) + clock.step <= row->min_delta) {
		row->verdict = PN_VERDICT_NO_CHANGE;
		return;
	}
	row->verdict = clock.verdict;
	if (clock.coarse)
		row->doubt = PN_JUDGE_CLOCK;
}
