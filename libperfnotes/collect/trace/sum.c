/* Sums of calls. */
#include "collect/trace/sum.h"

#include "base/alloc.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define STEPS 256 /* of a depth of calls beyond that the rest is kept */
#define EXACT_NS 1

double pn_trace_time_ns(const struct pn_trace_time *t,
			const struct pn_trace_cost *cost)
{
	return t->ns - (double)t->inside * cost->inside_ns -
	       (double)t->outside * cost->outside_ns;
}

static int compare_places(const struct pn_trace_sum *a,
			  const struct pn_trace_sum *b)
{
	if (a->callee != b->callee)
		return a->callee < b->callee ? -1 : 1;
	return (a->caller > b->caller) - (a->caller < b->caller);
}

static int compare(const void *left, const void *right)
{
	const struct pn_trace_sum *a = left, *b = right;
	int order = compare_places(a, b);

	return order ? order : (a->run > b->run) - (a->run < b->run);
}

static void add_time(struct pn_trace_time *to, const struct pn_trace_time *t)
{
	to->ns += t->ns;
	to->inside += t->inside;
	to->outside += t->outside;
}

static void add_sum(struct pn_trace_sum *to, const struct pn_trace_sum *s)
{
	to->calls += s->calls;
	to->primitive += s->primitive;
	to->below += s->below;
	add_time(&to->self, &s->self);
	add_time(&to->total, &s->total);
}

size_t pn_trace_sums_unite(struct pn_trace_sum *sums, size_t count)
{
	size_t n = 0, i;

	if (count)
		qsort(sums, count, sizeof(*sums), compare);
	for (i = 0; i < count; i++)
		if (!n || compare(&sums[n - 1], &sums[i]))
			sums[n++] = sums[i];
		else
			add_sum(&sums[n - 1], &sums[i]);
	return n;
}

static bool did_the_same(const struct pn_trace_sum *a,
			 const struct pn_trace_sum *b)
{
	return a->calls == b->calls && a->primitive == b->primitive &&
	       a->below == b->below && a->self.inside == b->self.inside &&
	       a->self.outside == b->self.outside &&
	       a->total.inside == b->total.inside &&
	       a->total.outside == b->total.outside;
}

/* Of one place; *to is the first of them. */
static void fold(struct pn_trace_sum *to, const struct pn_trace_sum *sums,
		 size_t count, size_t run_count)
{
	double self_ns = sums[0].self.ns;
	bool same = count == run_count;
	struct pn_trace_sum all = sums[0];
	size_t i;

	for (i = 1; i < count; i++) {
		same = same && did_the_same(&sums[0], &sums[i]);
		if (sums[i].self.ns < self_ns)
			self_ns = sums[i].self.ns;
		add_sum(&all, &sums[i]);
	}
	if (same) {
		all.disturbed_ns = all.self.ns - self_ns * (double)run_count;
		all.self.ns -= all.disturbed_ns;
	}
	*to = all;
}

size_t pn_trace_sums_fold(struct pn_trace_sum *sums, size_t count,
			  size_t run_count)
{
	size_t n = 0, i, next;

	for (i = 0; i < count; i = next) {
		for (next = i + 1; next < count; next++)
			if (compare_places(&sums[i], &sums[next]))
				break;
		fold(&sums[n++], &sums[i], next - i, run_count);
	}
	return n;
}

/* No time below can take more from a call than what it has beside its own. */
static double bounded(double ns, const struct pn_trace_sum *s)
{
	return fmax(fmin(ns, s->total.ns - s->self.ns - s->disturbed_ns), 0);
}

/* A function that calls itself: its time is within that of the calls which
 * entered it. */
static bool is_inner(const struct pn_trace_sum *edge)
{
	return edge->caller == edge->callee;
}

/* Of the times of a callee the share that calls from one place had. */
static double *shares_of(const struct pn_trace_sum *edges, size_t count,
			 size_t places)
{
	double *shares = pn_calloc(count + 1, sizeof(*shares));
	double *all = pn_calloc(places + 1, sizeof(*all));
	size_t i;

	for (i = 0; i < count; i++)
		if (!is_inner(&edges[i]))
			all[edges[i].callee] += fmax(edges[i].total.ns, 0);
	for (i = 0; i < count; i++)
		if (!is_inner(&edges[i]) && all[edges[i].callee] > 0)
			shares[i] = fmax(edges[i].total.ns, 0) /
				    all[edges[i].callee];
	free(all);
	return shares;
}

/* One step up: true while something changes. `below` has what was taken from
 * all calls that a place makes. */
static bool step_up(double *taken, double *below, const double *shares,
		    const struct pn_trace_sum *edges, size_t count)
{
	bool changed = false;
	size_t i;

	for (i = 0; i < count; i++) {
		const struct pn_trace_sum *e = &edges[i];
		double now = e->disturbed_ns;

		if (!is_inner(e))
			now += bounded(below[e->callee] * shares[i], e);

		changed = changed || fabs(now - taken[i]) > EXACT_NS;
		if (e->caller != UINT32_MAX)
			below[e->caller] += now - taken[i];
		taken[i] = now;
	}
	return changed;
}

void pn_trace_sums_settle(struct pn_trace_sum *nodes, size_t node_count,
			  struct pn_trace_sum *edges, size_t edge_count,
			  size_t places)
{
	double *shares = shares_of(edges, edge_count, places);
	double *taken = pn_calloc(edge_count + 1, sizeof(*taken));
	double *below = pn_calloc(places + 1, sizeof(*below));
	double *entered = pn_calloc(places + 1, sizeof(*entered));
	size_t i, steps = 0;

	while (steps++ < STEPS &&
	       step_up(taken, below, shares, edges, edge_count))
		;
	for (i = 0; i < edge_count; i++) {
		edges[i].total.ns -= fmax(
			fmin(taken[i], edges[i].total.ns - edges[i].self.ns),
			0);
		if (!is_inner(&edges[i]))
			entered[edges[i].callee] += taken[i];
	}
	for (i = 0; i < node_count; i++)
		nodes[i].total.ns -=
			fmin(entered[nodes[i].callee], nodes[i].total.ns);
	free(shares);
	free(taken);
	free(below);
	free(entered);
}
