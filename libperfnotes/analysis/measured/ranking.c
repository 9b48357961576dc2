/* Ranking by median wall time. */
#include "analysis/measured/ranking.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int fastest_first(const void *left, const void *right)
{
	const struct pn_rank *a = left, *b = right;

	return (a->wall.median > b->wall.median) -
	       (a->wall.median < b->wall.median);
}

/* A shell's own time is taken off: what took less has 0, or nearly. */
static void compare(struct pn_rank *to, const struct pn_rank *base)
{
	size_t n, m;
	double *a = pn_measured_sorted(&n, base->measured->profile, "wall");
	double *b = pn_measured_sorted(&m, to->measured->profile, "wall");

	to->ratio.value = to->wall.median / base->wall.median;
	to->ratio.low = to->ratio.high = NAN;
	if (a && b && a[0] > 0 && b[0] > 0)
		pn_ratio_of(&to->ratio, a, n, b, m);
	free(a);
	free(b);
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
		    !(r->wall.median > 0))
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
