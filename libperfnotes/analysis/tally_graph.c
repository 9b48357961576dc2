/* Adding up over a call graph: nodes that stand for several functions. */
#include "analysis/tally.h"

#include "base/alloc.h"
#include "model/graph/cycles.h"

#include <stdlib.h>

struct sum {
	int64_t value, divisor;
};

struct groups {
	const struct pn_profile *p;
	const struct pn_nodes *nodes;
	const struct pn_weight *weight;
	struct pn_tally *tallies;
	uint32_t *members; /* of a node: functions that it stands for */
	struct sum *most;  /* of a node: the largest total among them ... */
	bool *falls;	   /* ... where none is negative, as in a difference */
	struct sum *below; /* of a node: what is called outside of it */
};

static struct sum sum_of(const struct groups *g, const union pn_value *row)
{
	struct sum sum = {pn_weight_value(g->weight, g->p, row),
			  pn_weight_divisor(g->weight, g->p, row)};

	return sum;
}

static void add(struct sum *to, struct sum sum)
{
	to->value = pn_weight_add(to->value, sum.value);
	to->divisor = pn_weight_add(to->divisor, sum.divisor);
}

/* Returns whether each node stands for one function. */
static bool count_functions(struct groups *g)
{
	const struct pn_graph *graph = &g->p->graph;
	size_t i, types = g->p->type_count;
	bool apart = true;

	for (i = 0; i < graph->node_count; i++) {
		struct sum self = sum_of(g, graph->self + i * types);
		struct sum total = sum_of(g, graph->total + i * types);
		uint32_t node = pn_nodes_of_graph(g->nodes, i);
		int64_t calls = graph->nodes[i].calls;
		struct pn_tally *tally;

		if (node == PN_NONE)
			continue;
		tally = &g->tallies[node];
		tally->flat = pn_weight_add(tally->flat, self.value);
		tally->flat_div = pn_weight_add(tally->flat_div, self.divisor);
		if (!g->members[node]++ || total.value > g->most[node].value)
			g->most[node] = total;
		g->falls[node] |= total.value < 0;
		apart = apart && g->members[node] == 1;
		if (calls >= 0)
			tally->calls = pn_weight_add(
				tally->calls < 0 ? 0 : tally->calls, calls);
	}
	return apart;
}

/* The calls that lead from one node to another; returns how many. */
static size_t list_calls(struct groups *g, struct pn_arc *arcs)
{
	const struct pn_graph *graph = &g->p->graph;
	size_t i, n = 0, types = g->p->type_count;

	for (i = 0; i < graph->edge_count; i++) {
		const struct pn_edge *e = &graph->edges[i];
		uint32_t from = pn_nodes_of_graph(g->nodes, e->caller);
		uint32_t to = pn_nodes_of_graph(g->nodes, e->callee);

		if (from == PN_NONE || to == PN_NONE || from == to)
			continue;
		add(&g->below[from], sum_of(g, graph->edge_total + i * types));
		arcs[n].from = from;
		arcs[n++].to = to;
	}
	return n;
}

static void set_totals(struct groups *g)
{
	size_t i;

	for (i = 0; i < g->nodes->count; i++) {
		struct pn_tally *tally = &g->tallies[i];
		struct sum total = {tally->flat, tally->flat_div};

		add(&total, g->below[i]);
		if (g->members[i] == 1 ||
		    (!g->falls[i] && g->most[i].value > total.value))
			total = g->most[i];
		tally->cum = total.value;
		tally->cum_div = total.divisor;
	}
}

/* What the nodes of each cycle cost together. */
static struct sum *sum_cycles(struct groups *g, const uint32_t *cycle,
			      size_t count)
{
	const struct pn_graph *graph = &g->p->graph;
	struct sum *sums = pn_calloc(count + 1, sizeof(*sums));
	size_t i, types = g->p->type_count;

	for (i = 0; i < g->nodes->count; i++) {
		struct sum self = {g->tallies[i].flat, g->tallies[i].flat_div};

		add(&sums[cycle[i]], self);
	}
	for (i = 0; i < graph->edge_count; i++) {
		const struct pn_edge *e = &graph->edges[i];
		uint32_t from = pn_nodes_of_graph(g->nodes, e->caller);
		uint32_t to = pn_nodes_of_graph(g->nodes, e->callee);

		if (from != PN_NONE && to != PN_NONE &&
		    cycle[from] != cycle[to])
			add(&sums[cycle[from]],
			    sum_of(g, graph->edge_total + i * types));
	}
	return sums;
}

static void bound_totals(struct groups *g, const struct pn_arc *arcs,
			 size_t arc_count)
{
	size_t i, nodes = g->nodes->count, count;
	uint32_t *cycle = pn_calloc(nodes + 1, sizeof(*cycle));
	uint32_t *sizes = pn_calloc(nodes + 1, sizeof(*sizes));
	struct sum *sums;

	count = pn_cycles_find(cycle, nodes, arcs, arc_count);
	sums = sum_cycles(g, cycle, count);
	for (i = 0; i < nodes; i++)
		sizes[cycle[i]]++;
	for (i = 0; i < nodes; i++) {
		struct pn_tally *tally = &g->tallies[i];
		struct sum most = sums[cycle[i]];

		/* a negative bound is none: the costs are a difference */
		if (sizes[cycle[i]] < 2 || most.value < 0 ||
		    tally->cum <= most.value)
			continue;
		tally->cum = most.value;
		tally->cum_div = most.divisor;
	}
	free(cycle);
	free(sizes);
	free(sums);
}

/* What calls add to nodes that stand for several functions. */
static void count_calls(struct groups *g)
{
	struct pn_arc *arcs =
		pn_calloc(g->p->graph.edge_count + 1, sizeof(*arcs));
	size_t count = list_calls(g, arcs);

	set_totals(g);
	if (g->nodes->granularity <= PN_BY_FILES)
		bound_totals(g, arcs, count);
	free(arcs);
}

void pn_tally_graph(struct pn_tally *tallies, const struct pn_profile *profile,
		    const struct pn_nodes *nodes,
		    const struct pn_weight *weight)
{
	struct groups g = {profile, nodes, weight, tallies};

	g.members = pn_calloc(nodes->count + 1, sizeof(*g.members));
	g.most = pn_calloc(nodes->count + 1, sizeof(*g.most));
	g.below = pn_calloc(nodes->count + 1, sizeof(*g.below));
	g.falls = pn_calloc(nodes->count + 1, sizeof(*g.falls));
	if (count_functions(&g))
		set_totals(&g); /* bounded already */
	else
		count_calls(&g);
	free(g.members);
	free(g.most);
	free(g.below);
	free(g.falls);
}
