/* Ranking by mean wall time. */
#include "analysis/measured/ranking.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int fastest_first(const void *left, const void *right)
{
	const struct pn_rank *a = left, *b = right;

	return (a->wall.mean > b->wall.mean) - (a->wall.mean < b->wall.mean);
}

/* The ratio of two means and its deviation, that of independent quotients to
 * first order: Ku, J. Res. NBS 70C (1966). */
static void compare(struct pn_rank *to, const struct pn_rank *base)
{
	double a = base->wall.sd / base->wall.mean;
	double b = to->wall.sd / to->wall.mean;

	to->ratio = to->wall.mean / base->wall.mean;
	to->deviation = to->ratio * sqrt(a * a + b * b);
}

struct pn_rank *pn_ranking_of(size_t *count, const struct pn_measured *measured,
			      size_t n, bool reference, bool in_order)
{
	struct pn_rank *ranks = pn_calloc(n + 1, sizeof(*ranks)), first;
	size_t i, best = 0;

	*count = 0;
	for (i = 0; i < n; i++) {
		struct pn_rank *r = &ranks[*count];

		if (!pn_measured_summary(&r->wall, measured[i].profile,
					 "wall") ||
		    !(r->wall.mean > 0))
			continue;
		r->measured = &measured[i];
		if (!reference && fastest_first(r, &ranks[best]) < 0)
			best = *count;
		++*count;
	}
	first = ranks[best];
	memmove(ranks + 1, ranks, best * sizeof(*ranks));
	ranks[0] = first;
	if (!in_order && *count > 2)
		qsort(ranks + 1, *count - 1, sizeof(*ranks), fastest_first);
	for (i = 0; i < *count; i++)
		compare(&ranks[i], &ranks[0]);
	return ranks;
}
