/*
 * Merging profiles: call graphs. Costs are united by place; two nodes of one
 * profile are never united, whatever their place: their totals overlap.
 */
#include "analysis/merge_state.h"
#include "base/alloc.h"
#include "model/graph.h"

#include <stdlib.h>
#include <string.h>

/* Of two counts one of which may be unknown (-1). */
static int64_t add_calls(int64_t a, int64_t b)
{
	if (a < 0 || b < 0)
		return -1;
	return a > INT64_MAX - b ? INT64_MAX : a + b;
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

/* The node of an earlier profile at this location that is not taken, or
 * PN_NONE. */
static uint32_t find_node(struct pn_merge *m, uint32_t location, uint32_t hash,
			  unsigned char *taken, size_t had)
{
	size_t slot = pn_slots_first(&m->nodes, hash);
	uint32_t row;

	while (pn_slots_row(&row, &m->nodes, &slot, hash))
		if (m->out.graph.nodes[row].location == location && row < had &&
		    !taken[row]) {
			taken[row] = 1;
			return row;
		}
	return PN_NONE;
}

static void add_node(struct pn_merge *m, uint32_t at, unsigned char *taken,
		     size_t had)
{
	const struct pn_graph *in = &m->in->graph;
	const struct pn_node *node = &in->nodes[at];
	struct pn_graph *g = &m->out.graph;
	uint32_t hash, row, location = node->location;
	uint64_t word;

	if (location != PN_NONE)
		location = pn_merge_location(m, location);
	word = location;
	hash = pn_slots_hash(&m->nodes, &word, 1);
	row = find_node(m, location, hash, taken, had);
	if (row == PN_NONE) {
		row = pn_graph_add_node(&m->out, location, node->calls,
					node->primitive);
		pn_slots_add(&m->nodes, hash, row);
	} else {
		g->nodes[row].calls =
			add_calls(g->nodes[row].calls, node->calls);
		g->nodes[row].primitive =
			add_calls(g->nodes[row].primitive, node->primitive);
	}
	add_values(g->self, row, m, in->self, at);
	add_values(g->total, row, m, in->total, at);
	m->of_node[at] = row;
}

static size_t find_edge(struct pn_merge *m, const struct pn_edge *edge)
{
	struct pn_graph *g = &m->out.graph;
	uint64_t words[2] = {(uint64_t)edge->caller << 32 | edge->callee,
			     (uint64_t)edge->line};
	uint32_t row, hash = pn_slots_hash(&m->edges, words, 2);
	size_t slot = pn_slots_first(&m->edges, hash);

	while (pn_slots_row(&row, &m->edges, &slot, hash)) {
		struct pn_edge *had = &g->edges[row];

		if (had->caller != edge->caller ||
		    had->callee != edge->callee || had->line != edge->line)
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
	size_t i, had = m->out.graph.node_count;
	unsigned char *taken = pn_calloc(had + 1, 1);

	for (i = 0; i < in->node_count; i++)
		add_node(m, (uint32_t)i, taken, had);
	for (i = 0; i < in->edge_count; i++)
		add_edge(m, i);
	for (i = 0; i < in->cost_count; i++)
		add_cost(m, i);
	free(taken);
}
