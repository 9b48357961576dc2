/*
 * Merging profiles: call graphs. Costs are united by place; two nodes of one
 * profile are never united, whatever their place: their totals overlap.
 */
#include "model/graph/graph.h"
#include "analysis/merge/state.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Of two counts one of which may be unknown (-1). */
static int64_t add_calls(int64_t a, int64_t b)
{
	if (a < 0 || b < 0)
		return -1;
	return a > INT64_MAX - b ? INT64_MAX : a + b;
}

/* Whether a node was only named, as the caller of others: nothing is known of
 * its own calls then, and what another profile knows is all. */
static bool is_named_only(const struct pn_graph *g, size_t row, size_t width)
{
	size_t i;

	if (g->nodes[row].calls >= 0)
		return false;
	/* 0 and 0.0 have the same bits */
	for (i = row * width; i < (row + 1) * width; i++)
		if (g->self[i].i || g->total[i].i)
			return false;
	return true;
}

static void add_node_calls(struct pn_merge *m, size_t row, size_t at)
{
	const struct pn_graph *in = &m->in->graph;
	struct pn_node *to = &m->out.graph.nodes[row];

	if (is_named_only(in, at, m->in->type_count))
		return;
	if (is_named_only(&m->out.graph, row, m->out.type_count)) {
		to->calls = in->nodes[at].calls;
		to->primitive = in->nodes[at].primitive;
		return;
	}
	to->calls = add_calls(to->calls, in->nodes[at].calls);
	to->primitive = add_calls(to->primitive, in->nodes[at].primitive);
}

/* A row of `in`, in the columns of `out`, on top of one that is there. */
static void add_values(union pn_value *to, size_t to_row,
		       const struct pn_merge *m, const union pn_value *from,
		       size_t from_row)
{
	size_t width = m->out.type_count;
	union pn_value row[PN_MAX_VALUE_TYPES];

	if (!width)
		return;
	pn_merge_row(row, m, from + from_row * width);
	pn_merge_add_row(to + to_row * width, m, row);
}

/* How many nodes of `in` were met at each location of `out`; the first one
 * is of those without. */
struct met {
	uint32_t *counts;
	size_t cap;
};

static uint32_t count_node(struct met *met, uint32_t location)
{
	size_t had = met->cap, at = location == PN_NONE ? 0 : location + 1u;

	met->counts =
		pn_grow(met->counts, &met->cap, at + 1, sizeof(*met->counts));
	memset(met->counts + had, 0, (met->cap - had) * sizeof(*met->counts));
	return met->counts[at]++;
}

/* The first node of a profile at a location is one with the first of the
 * others there, the second with the second. PN_NONE: none had so many. */
static uint32_t find_node(struct pn_merge *m, uint32_t location, uint32_t order,
			  uint32_t hash)
{
	size_t slot = pn_slots_first(&m->nodes, hash);
	uint32_t row;

	while (pn_slots_row(&row, &m->nodes, &slot, hash))
		if (m->out.graph.nodes[row].location == location &&
		    m->order[row] == order)
			return row;
	return PN_NONE;
}

static uint32_t new_node(struct pn_merge *m, uint32_t location, uint32_t order,
			 const struct pn_node *node)
{
	uint32_t row = pn_graph_add_node(&m->out, location, node->calls,
					 node->primitive);

	m->order = pn_grow(m->order, &m->order_cap, (size_t)row + 1,
			   sizeof(*m->order));
	m->listed = pn_grow(m->listed, &m->listed_cap, (size_t)row + 1,
			    sizeof(*m->listed));
	m->order[row] = order;
	m->listed[row] = 0;
	return row;
}

static void add_node(struct pn_merge *m, uint32_t at, struct met *met)
{
	const struct pn_graph *in = &m->in->graph;
	const struct pn_node *node = &in->nodes[at];
	struct pn_graph *g = &m->out.graph;
	uint32_t hash, row, order, location = node->location;
	uint64_t word;

	if (location != PN_NONE)
		location = pn_merge_location(m, location);
	order = count_node(met, location);
	word = (uint64_t)location << 32 | order;
	hash = pn_slots_hash(&m->nodes, &word, 1);
	row = find_node(m, location, order, hash);
	if (row == PN_NONE) {
		row = new_node(m, location, order, node);
		pn_slots_add(&m->nodes, hash, row);
	} else {
		add_node_calls(m, row, at);
	}
	add_values(g->self, row, m, in->self, at);
	pn_merge_runs_node(m, row, at);
	add_values(g->total, row, m, in->total, at);
	if (!m->listed[row] && !is_named_only(g, row, m->out.type_count))
		m->listed[row] = ++m->listed_count;
	m->of_node[at] = row;
}

static size_t find_edge(struct pn_merge *m, const struct pn_edge *edge)
{
	struct pn_graph *g = &m->out.graph;
	uint64_t words[4] = {(uint64_t)edge->caller << 32 | edge->callee,
			     (uint64_t)edge->line, edge->file, edge->address};
	uint32_t row, hash = pn_slots_hash(&m->edges, words, 4);
	size_t slot = pn_slots_first(&m->edges, hash);

	while (pn_slots_row(&row, &m->edges, &slot, hash)) {
		struct pn_edge *had = &g->edges[row];

		if (had->caller != edge->caller ||
		    had->callee != edge->callee || had->line != edge->line ||
		    had->file != edge->file || had->address != edge->address)
			continue;
		had->calls = add_calls(had->calls, edge->calls);
		had->primitive = add_calls(had->primitive, edge->primitive);
		return row;
	}
	row = (uint32_t)pn_graph_add_edge(&m->out, edge);
	pn_slots_add(&m->edges, hash, row);
	return row;
}

static void add_edge(struct pn_merge *m, size_t at)
{
	const struct pn_graph *in = &m->in->graph;
	struct pn_graph *g = &m->out.graph;
	struct pn_edge edge = in->edges[at];
	size_t row;

	edge.caller = m->of_node[edge.caller];
	edge.callee = m->of_node[edge.callee];
	edge.file = pn_merge_string(m, edge.file);
	row = find_edge(m, &edge);
	add_values(g->edge_self, row, m, in->edge_self, at);
	add_values(g->edge_total, row, m, in->edge_total, at);
}

static size_t find_cost(struct pn_merge *m, const struct pn_cost *cost)
{
	struct pn_graph *g = &m->out.graph;
	uint64_t words[3] = {(uint64_t)cost->node << 32 | cost->file,
			     (uint64_t)cost->line, cost->address};
	uint32_t row, hash = pn_slots_hash(&m->costs, words, 3);
	size_t slot = pn_slots_first(&m->costs, hash);

	while (pn_slots_row(&row, &m->costs, &slot, hash)) {
		const struct pn_cost *had = &g->costs[row];

		if (had->node == cost->node && had->file == cost->file &&
		    had->line == cost->line && had->address == cost->address)
			return row;
	}
	row = (uint32_t)pn_graph_add_cost(&m->out, cost);
	pn_slots_add(&m->costs, hash, row);
	return row;
}

static void add_cost(struct pn_merge *m, size_t at)
{
	const struct pn_graph *in = &m->in->graph;
	struct pn_cost cost = in->costs[at];
	size_t row;

	cost.node = m->of_node[cost.node];
	cost.file = pn_merge_string(m, cost.file);
	row = find_cost(m, &cost);
	add_values(m->out.graph.cost_values, row, m, in->cost_values, at);
}

void pn_merge_graph(struct pn_merge *m)
{
	const struct pn_graph *in = &m->in->graph;
	struct met met = {0};
	size_t i;

	for (i = 0; i < in->node_count; i++)
		add_node(m, (uint32_t)i, &met);
	for (i = 0; i < in->edge_count; i++)
		add_edge(m, i);
	for (i = 0; i < in->cost_count; i++)
		add_cost(m, i);
	free(met.counts);
}

/* Functions in the order in which the profiles list them, as pstats adds
 * dumps: what was a caller's name at first comes where it was listed. */
void pn_merge_graph_end(struct pn_merge *m)
{
	const struct pn_graph *g = &m->out.graph;
	uint32_t *order, named = m->listed_count;
	size_t i;

	if (g->cost_count || m->run_count || !g->node_count)
		return;
	order = pn_calloc(g->node_count, sizeof(*order));
	for (i = 0; i < g->node_count; i++)
		order[m->listed[i] ? m->listed[i] - 1 : named++] = (uint32_t)i;
	pn_graph_reorder(&m->out, order);
	free(order);
}
