/* Whose turn it is when several duels share one budget. */
#include "detect/duel/turns.h"

#include "base/alloc.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>

double pn_duel_cost_left(const struct pn_duel_turn *turn)
{
	const struct pn_duel_look *last = &turn->duel->last;

	if (!last->pairs || isnan(last->need))
		return (double)INFINITY;
	return fmax(0, last->need - (double)turn->duel->count) *
	       turn->pair_cost;
}

size_t pn_duel_next_look(const struct pn_duel *duel)
{
	size_t n = duel->count + 1;

	while (n < duel->rule.max_pairs && !pn_duel_is_look(n))
		n++;
	return n;
}

static bool has_least(const struct pn_duel_turn *turn)
{
	return turn->duel->count >= PN_DUEL_MIN_PAIRS;
}

/* Whether `a` comes before `b`, neither of which is over. */
static bool is_before(const struct pn_duel_turn *a,
		      const struct pn_duel_turn *b)
{
	double of_a, of_b;

	if (has_least(a) != has_least(b))
		return has_least(b);
	of_a = has_least(a) ? pn_duel_cost_left(a) : a->pair_cost;
	of_b = has_least(a) ? pn_duel_cost_left(b) : b->pair_cost;
	return of_a < of_b;
}

size_t pn_duel_next(const struct pn_duel_turn *turns, size_t count)
{
	size_t best = SIZE_MAX, i;

	for (i = 0; i < count; i++)
		if (!pn_duel_is_over(turns[i].duel) &&
		    (best == SIZE_MAX || is_before(&turns[i], &turns[best])))
			best = i;
	return best;
}

/* A duel that may still be decided: what could not be told at its end may
 * hold beside others. */
static bool is_open(const struct pn_duel *duel)
{
	return duel->last.pairs >= PN_DUEL_MIN_PAIRS && duel->side &&
	       (duel->last.decision == PN_DUEL_UNDECIDED ||
		duel->last.decision == PN_DUEL_CANNOT_TELL);
}

size_t pn_duel_decide_jointly(struct pn_duel *const *duels, size_t count)
{
	double *q = pn_calloc(count + 1, sizeof(*q));
	size_t i, decided = 0;

	for (i = 0; i < count; i++)
		q[i] = fmin(1, PN_DUEL_ANY * duels[i]->least_evidence);
	pn_stats_adjust(q, q, count);
	for (i = 0; i < count; i++) {
		struct pn_duel *duel = duels[i];

		if (q[i] > PN_DUEL_ALPHA || !is_open(duel))
			continue;
		duel->last.decision =
			duel->side > 0 ? PN_DUEL_SLOWER : PN_DUEL_FASTER;
		decided++;
	}
	free(q);
	return decided;
}
