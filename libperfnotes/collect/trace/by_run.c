/* What each function cost itself in each of several runs. */
#include "collect/trace/by_run.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

#define MAX_NS 4e18 /* below INT64_MAX */

void pn_trace_shares_add(struct pn_trace_shares *shares,
			 const struct pn_trace_share *share)
{
	shares->list = pn_grow(shares->list, &shares->cap, shares->count + 1,
			       sizeof(*shares->list));
	shares->list[shares->count++] = *share;
}

/* Sums of what has not been rounded, so that runs add up to the whole. */
static void put_times(struct pn_profile *p,
		      const struct pn_trace_shares *shares,
		      const uint32_t *nodes)
{
	size_t runs = pn_profile_runs(p), i, count = p->graph.node_count * runs;
	double *sums = pn_calloc(count, sizeof(*sums));

	for (i = 0; i < shares->count; i++) {
		const struct pn_trace_share *s = &shares->list[i];

		if (s->run < runs)
			sums[nodes[s->location] * runs + s->run] += s->self_ns;
	}
	for (i = 0; i < count; i++)
		p->graph.self_by_run[i * p->type_count].i =
			llround(fmax(fmin(sums[i], MAX_NS), -MAX_NS));
	free(sums);
}

void pn_trace_shares_put(struct pn_profile *p,
			 const struct pn_trace_shares *shares,
			 const uint32_t *nodes)
{
	size_t runs = pn_profile_runs(p), width = p->type_count, i;

	if (runs < 2)
		return;
	p->graph.self_by_run = pn_calloc(p->graph.node_count * runs,
					 width * sizeof(*p->graph.self_by_run));
	if (width > 1)
		put_times(p, shares, nodes);
	for (i = 0; i < shares->count; i++) {
		const struct pn_trace_share *s = &shares->list[i];
		size_t row = nodes[s->location] * runs + s->run;

		if (s->run < runs)
			p->graph.self_by_run[(row + 1) * width - 1].i +=
				(int64_t)s->calls;
	}
}

void pn_trace_shares_release(struct pn_trace_shares *shares)
{
	free(shares->list);
	*shares = (struct pn_trace_shares){0};
}
