/* Time on the clock that was not spent computing. */
#include "detect/duel/waiting.h"

#include <math.h>

#define LEAST 1e-9 /* of the other side's value: what is left is above 0 */

bool pn_duel_waits(const struct pn_duel *cpu, const struct pn_duel *wall,
		   double stretch)
{
	double best = 0;
	size_t i;

	for (i = 0; i < cpu->count; i++) {
		best = fmax(best, cpu->a[i] / wall->a[i]);
		best = fmax(best, cpu->b[i] / wall->b[i]);
	}
	return best * stretch < PN_DUEL_WAITING_SHARE;
}

/* Without what others can have added to it. */
static double unstretched(double wall, double cpu, double stretch, double other)
{
	return fmax(wall - (stretch - 1) * cpu, LEAST * other);
}

enum pn_duel_decision pn_duel_waits_longer(const struct pn_duel *cpu,
					   const struct pn_duel *wall,
					   double stretch, size_t among)
{
	enum pn_duel_decision said = wall->last.decision;
	bool slower = said == PN_DUEL_SLOWER;
	struct pn_duel_rule rule = wall->rule;
	struct pn_duel again;
	size_t i;

	rule.margin = PN_DUEL_WAITING_MARGIN;
	rule.tolerance = 1;
	rule.no_equality = rule.jointly = true;
	if ((!slower && said != PN_DUEL_FASTER) || !(stretch >= 1) ||
	    cpu->count < wall->count || pn_duel_init(&again, &rule, NULL))
		return PN_DUEL_UNDECIDED;
	for (i = 0; i < wall->count; i++) {
		double a = wall->a[i], b = wall->b[i];

		if (slower)
			b = unstretched(b, cpu->b[i], stretch, a);
		else
			a = unstretched(a, cpu->a[i], stretch, b);
		pn_duel_add(&again, a, b);
	}
	pn_duel_finish(&again);
	if (again.side != (slower ? 1 : -1) ||
	    PN_DUEL_ANY * again.least_evidence * (double)among > PN_DUEL_ALPHA)
		said = PN_DUEL_UNDECIDED;
	pn_duel_release(&again);
	return said;
}
