/* callgrind: rows of the graph by what they are. A function is a node, and as
 * each node has a location of its own, both have one index. */
#include "codec/callgrind/callgrind.h"

#include "base/alloc.h"
#include "codec/program.h"
#include "model/graph/graph.h"

#include <stdlib.h>
#include <string.h>

void pn_callgrind_graph_release(struct pn_callgrind_graph *g)
{
	pn_frames_release(&g->frames);
	pn_slots_release(&g->costs);
	pn_slots_release(&g->edges);
	free(g->mapping_of);
	memset(g, 0, sizeof(*g));
}

static uint32_t mapping_of(struct pn_callgrind_graph *g, uint32_t object)
{
	struct pn_mapping mapping = {.file = object};
	size_t had = g->mapping_cap;

	if (!object || object == g->unknown)
		return PN_NONE;
	g->mapping_of = pn_grow(g->mapping_of, &g->mapping_cap,
				(size_t)object + 1, sizeof(*g->mapping_of));
	if (g->mapping_cap > had)
		memset(g->mapping_of + had, 0,
		       (g->mapping_cap - had) * sizeof(*g->mapping_of));
	if (!g->mapping_of[object])
		g->mapping_of[object] =
			pn_profile_add_mapping(g->p, &mapping) + 1;
	return g->mapping_of[object] - 1;
}

uint32_t pn_callgrind_node(struct pn_callgrind_graph *g, uint32_t object,
			   uint32_t file, uint32_t name)
{
	struct pn_frame frame = {
		.name = name,
		.file = file == g->unknown ? 0 : file,
		.mapping = mapping_of(g, object),
	};
	uint32_t location = pn_frames_location(&g->frames, g->p, &frame);

	if (location == g->p->graph.node_count)
		pn_graph_add_node(g->p, location, -1, -1);
	return location;
}

static bool add_row(union pn_value *row, const int64_t *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (__builtin_add_overflow(row[i].i, values[i], &row[i].i))
			return false;
	return true;
}

bool pn_callgrind_add_cost(struct pn_callgrind_graph *g,
			   const struct pn_cost *cost, const int64_t *values)
{
	uint64_t key[3] = {(uint64_t)cost->node << 32 | cost->file,
			   (uint64_t)cost->line, cost->address};
	uint32_t hash = pn_slots_hash(&g->costs, key, 3), row;
	struct pn_graph *graph = &g->p->graph;
	size_t count = g->p->type_count, at;
	const struct pn_cost *c;

	if (!add_row(graph->self + cost->node * count, values, count))
		return false;
	at = pn_slots_first(&g->costs, hash);
	while (pn_slots_row(&row, &g->costs, &at, hash)) {
		c = &graph->costs[row];
		if (c->node == cost->node && c->file == cost->file &&
		    c->line == cost->line && c->address == cost->address)
			return add_row(graph->cost_values + row * count, values,
				       count);
	}
	row = (uint32_t)pn_graph_add_cost(g->p, cost);
	pn_slots_add(&g->costs, hash, row);
	return add_row(graph->cost_values + row * count, values, count);
}

static size_t edge_of(struct pn_callgrind_graph *g, const struct pn_edge *edge)
{
	uint64_t key[4] = {(uint64_t)edge->caller << 32 | edge->callee,
			   (uint64_t)edge->line, edge->file, edge->address};
	uint32_t hash = pn_slots_hash(&g->edges, key, 4), row;
	size_t at = pn_slots_first(&g->edges, hash);
	struct pn_edge new = *edge;
	const struct pn_edge *e;

	while (pn_slots_row(&row, &g->edges, &at, hash)) {
		e = &g->p->graph.edges[row];
		if (e->caller == edge->caller && e->callee == edge->callee &&
		    e->line == edge->line && e->file == edge->file &&
		    e->address == edge->address)
			return row;
	}
	new.calls = 0;
	new.primitive = -1;
	row = (uint32_t)pn_graph_add_edge(g->p, &new);
	pn_slots_add(&g->edges, hash, row);
	return row;
}

bool pn_callgrind_add_call(struct pn_callgrind_graph *g,
			   const struct pn_edge *edge, const int64_t *values)
{
	size_t count = g->p->type_count, row = edge_of(g, edge);
	struct pn_graph *graph = &g->p->graph;

	return !__builtin_add_overflow(graph->edges[row].calls, edge->calls,
				       &graph->edges[row].calls) &&
	       add_row(graph->edge_total + row * count, values, count);
}

void pn_callgrind_program_first(struct pn_profile *p)
{
	uint32_t at = 0;

	while (at < p->mapping_count && p->mappings[at].file != p->header.cmd)
		at++;
	pn_program_first(p, at);
}
