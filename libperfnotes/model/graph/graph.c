/* Call graphs grow a row at a time; their columns share one capacity. */
#include "model/graph/graph.h"
#include "base/alloc.h"
#include "base/large.h"

#include <stdlib.h>
#include <string.h>

/* Room for as many rows as the table has, each of `types` values. */
static union pn_value *grow_values(union pn_value *values, size_t cap,
				   size_t types)
{
	return types ? pn_realloc_array(values, cap, types * sizeof(*values))
		     : values;
}

static void zero_row(union pn_value *values, size_t row, size_t types)
{
	size_t i;

	for (i = 0; i < types; i++)
		values[row * types + i].i = 0;
}

uint32_t pn_graph_add_node(struct pn_profile *p, uint32_t location,
			   int64_t calls, int64_t primitive)
{
	struct pn_graph *g = &p->graph;
	size_t had = g->node_cap;

	g->nodes = pn_grow(g->nodes, &g->node_cap, g->node_count + 1,
			   sizeof(*g->nodes));
	if (g->node_cap != had) {
		g->self = grow_values(g->self, g->node_cap, p->type_count);
		g->total = grow_values(g->total, g->node_cap, p->type_count);
	}
	zero_row(g->self, g->node_count, p->type_count);
	zero_row(g->total, g->node_count, p->type_count);
	g->nodes[g->node_count].location = location;
	g->nodes[g->node_count].calls = calls;
	g->nodes[g->node_count].primitive = primitive;
	return (uint32_t)g->node_count++;
}

void pn_graph_expect_edges(struct pn_profile *p, size_t count)
{
	struct pn_graph *g = &p->graph;
	size_t row = p->type_count * sizeof(*g->edge_self);
	bool has;

	if (g->edge_cap || !count)
		return;
	g->edges = pn_large_try(count * sizeof(*g->edges));
	g->edge_self = pn_large_try(count * row);
	g->edge_total = pn_large_try(count * row);
	has = g->edges && g->edge_self && g->edge_total;
	if (has) {
		g->edge_cap = count;
		return;
	}
	free(g->edges);
	free(g->edge_self);
	free(g->edge_total);
	g->edges = NULL;
	g->edge_self = g->edge_total = NULL;
}

size_t pn_graph_add_edge(struct pn_profile *p, const struct pn_edge *edge)
{
	struct pn_graph *g = &p->graph;
	size_t had = g->edge_cap;

	g->edges = pn_grow(g->edges, &g->edge_cap, g->edge_count + 1,
			   sizeof(*g->edges));
	if (g->edge_cap != had) {
		g->edge_self =
			grow_values(g->edge_self, g->edge_cap, p->type_count);
		g->edge_total =
			grow_values(g->edge_total, g->edge_cap, p->type_count);
	}
	zero_row(g->edge_self, g->edge_count, p->type_count);
	zero_row(g->edge_total, g->edge_count, p->type_count);
	g->edges[g->edge_count] = *edge;
	return g->edge_count++;
}

size_t pn_graph_add_cost(struct pn_profile *p, const struct pn_cost *cost)
{
	struct pn_graph *g = &p->graph;
	size_t had = g->cost_cap;

	g->costs = pn_grow(g->costs, &g->cost_cap, g->cost_count + 1,
			   sizeof(*g->costs));
	if (g->cost_cap != had)
		g->cost_values =
			grow_values(g->cost_values, g->cost_cap, p->type_count);
	zero_row(g->cost_values, g->cost_count, p->type_count);
	g->costs[g->cost_count] = *cost;
	return g->cost_count++;
}

bool pn_graph_has_cost(const struct pn_profile *p, const union pn_value *row)
{
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (p->types[i].number == PN_NUMBER_INT ? row[i].i != 0
							: row[i].d != 0)
			return true;
	return false;
}

static void reorder_rows(void *rows, size_t count, size_t size,
			 const uint32_t *order)
{
	char *copy = pn_calloc(count + 1, size);
	size_t i;

	if (rows && size && count) {
		memcpy(copy, rows, count * size);
		for (i = 0; i < count; i++)
			memcpy((char *)rows + i * size, copy + order[i] * size,
			       size);
	}
	free(copy);
}

void pn_graph_reorder(struct pn_profile *p, const uint32_t *order)
{
	struct pn_graph *g = &p->graph;
	size_t i, n = g->node_count, width = p->type_count * sizeof(*g->self);
	uint32_t *now = pn_calloc(n + 1, sizeof(*now));

	reorder_rows(g->nodes, n, sizeof(*g->nodes), order);
	reorder_rows(g->self, n, width, order);
	reorder_rows(g->total, n, width, order);
	for (i = 0; i < n; i++)
		now[order[i]] = (uint32_t)i;
	for (i = 0; i < g->edge_count; i++) {
		g->edges[i].caller = now[g->edges[i].caller];
		g->edges[i].callee = now[g->edges[i].callee];
	}
	free(now);
}
