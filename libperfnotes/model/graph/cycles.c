/* Cycles of a call graph, and what their functions can cost at most. */
#include "model/graph/cycles.h"

#include "base/alloc.h"
#include "model/graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct search {
	uint32_t *first; /* arcs of node n: to[first[n]] up to first[n + 1] */
	uint32_t *to;
	uint32_t *cursor; /* the arc of a node to look at next */
	uint32_t *order;  /* when a node was met, from 1; 0: not yet */
	uint32_t *low;	  /* the earliest node that is reached from it */
	uint32_t *path;	  /* the nodes being looked at */
	uint32_t *open;	  /* nodes met whose component is not known yet */
	size_t path_count, open_count;
	uint32_t met;
	uint32_t *cycle; /* PN_NONE: not known yet */
	size_t cycle_count;
};

static uint32_t *numbers(size_t count)
{
	return pn_calloc(count + 2, sizeof(uint32_t));
}

static void list_arcs(struct search *s, size_t nodes, const struct pn_arc *arcs,
		      size_t count)
{
	size_t i;

	s->first = numbers(nodes);
	s->cursor = numbers(nodes);
	s->to = numbers(count);
	for (i = 0; i < count; i++)
		s->first[arcs[i].from + 1]++;
	for (i = 0; i < nodes; i++)
		s->first[i + 1] += s->first[i];
	memcpy(s->cursor, s->first, nodes * sizeof(*s->cursor));
	for (i = 0; i < count; i++)
		s->to[s->cursor[arcs[i].from]++] = arcs[i].to;
	memcpy(s->cursor, s->first, nodes * sizeof(*s->cursor));
}

static void meet(struct search *s, uint32_t node)
{
	s->order[node] = s->low[node] = ++s->met;
	s->path[s->path_count++] = node;
	s->open[s->open_count++] = node;
}

/* All that is reached from `node` has been looked at. */
static void leave(struct search *s, uint32_t node)
{
	uint32_t member, above;

	s->path_count--;
	if (s->path_count) {
		above = s->path[s->path_count - 1];
		if (s->low[node] < s->low[above])
			s->low[above] = s->low[node];
	}
	if (s->low[node] != s->order[node])
		return;
	do {
		member = s->open[--s->open_count];
		s->cycle[member] = (uint32_t)s->cycle_count;
	} while (member != node);
	s->cycle_count++;
}

static void search_from(struct search *s, uint32_t root)
{
	meet(s, root);
	while (s->path_count) {
		uint32_t node = s->path[s->path_count - 1], to;

		if (s->cursor[node] == s->first[node + 1]) {
			leave(s, node);
			continue;
		}
		to = s->to[s->cursor[node]++];
		if (!s->order[to])
			meet(s, to);
		else if (s->cycle[to] == PN_NONE && s->order[to] < s->low[node])
			s->low[node] = s->order[to];
	}
}

size_t pn_cycles_find(uint32_t *cycle, size_t nodes, const struct pn_arc *arcs,
		      size_t count)
{
	struct search s = {.cycle = cycle};
	size_t i;

	list_arcs(&s, nodes, arcs, count);
	s.order = numbers(nodes);
	s.low = numbers(nodes);
	s.path = numbers(nodes);
	s.open = numbers(nodes);
	for (i = 0; i < nodes; i++)
		cycle[i] = PN_NONE;
	for (i = 0; i < nodes; i++)
		if (!s.order[i])
			search_from(&s, (uint32_t)i);
	free(s.first);
	free(s.to);
	free(s.cursor);
	free(s.order);
	free(s.low);
	free(s.path);
	free(s.open);
	return s.cycle_count;
}

/* An edge to or from the root, which is no function, is no call. */
static bool is_call(const struct pn_graph *g, const struct pn_edge *edge)
{
	return g->nodes[edge->caller].location != PN_NONE &&
	       g->nodes[edge->callee].location != PN_NONE;
}

static uint32_t *cycles_of(size_t *count, const struct pn_graph *g)
{
	struct pn_arc *arcs = pn_calloc(g->edge_count + 1, sizeof(*arcs));
	uint32_t *cycle = numbers(g->node_count);
	size_t i, n = 0;

	for (i = 0; i < g->edge_count; i++)
		if (is_call(g, &g->edges[i])) {
			arcs[n].from = g->edges[i].caller;
			arcs[n++].to = g->edges[i].callee;
		}
	*count = pn_cycles_find(cycle, g->node_count, arcs, n);
	free(arcs);
	return cycle;
}

/* What a cycle costs. */
struct sum {
	union pn_value value;
	double lost; /* by rounding, of a double (Neumaier 1974) */
};

static void add_double(struct sum *to, double from)
{
	double sum = to->value.d + from;

	to->lost += fabs(to->value.d) >= fabs(from) ? to->value.d - sum + from
						    : from - sum + to->value.d;
	to->value.d = sum;
}

static void add(struct sum *to, const union pn_value *from, bool whole)
{
	if (!whole)
		add_double(to, from->d);
	else if (__builtin_add_overflow(to->value.i, from->i, &to->value.i))
		to->value.i = from->i < 0 ? INT64_MIN : INT64_MAX;
}

static void bring_down(union pn_value *value, const union pn_value *bound,
		       bool whole)
{
	if (whole ? value->i > bound->i : value->d > bound->d)
		*value = *bound;
}

static void bound_column(struct pn_profile *p, size_t column,
			 const uint32_t *cycle, const uint32_t *sizes,
			 struct sum *sums)
{
	struct pn_graph *g = &p->graph;
	bool whole = p->types[column].number == PN_NUMBER_INT;
	size_t i, types = p->type_count;

	for (i = 0; i < g->node_count; i++)
		add(&sums[cycle[i]], &g->self[i * types + column], whole);
	for (i = 0; i < g->edge_count; i++) {
		const struct pn_edge *e = &g->edges[i];
		const union pn_value *value =
			&g->edge_total[i * types + column];

		if (is_call(g, e) && cycle[e->caller] != cycle[e->callee])
			add(&sums[cycle[e->caller]], value, whole);
	}
	for (i = 0; i < g->node_count; i++) {
		union pn_value sum = sums[cycle[i]].value;

		if (sizes[cycle[i]] < 2)
			continue;
		/* of infinite ones nothing is known to be lost */
		if (!whole && isfinite(sum.d))
			sum.d += sums[cycle[i]].lost;
		bring_down(&g->total[i * types + column], &sum, whole);
	}
}

static void bound_edges(struct pn_profile *p, size_t column,
			const uint32_t *cycle)
{
	struct pn_graph *g = &p->graph;
	bool whole = p->types[column].number == PN_NUMBER_INT;
	size_t i, types = p->type_count;

	for (i = 0; i < g->edge_count; i++) {
		const struct pn_edge *e = &g->edges[i];
		union pn_value *value = &g->edge_total[i * types + column];

		if (!is_call(g, e) || cycle[e->caller] != cycle[e->callee])
			continue;
		bring_down(value, &g->total[e->caller * types + column], whole);
		bring_down(value, &g->total[e->callee * types + column], whole);
	}
}

/* Calls out of a cycle that are counted, but have no cost of their own, as
 * Python's module profile writes them: what it costs is not known. */
static void leave_untimed(const struct pn_profile *p, const uint32_t *cycle,
			  uint32_t *sizes)
{
	const struct pn_graph *g = &p->graph;
	size_t i, types = p->type_count;

	for (i = 0; i < g->edge_count; i++) {
		const struct pn_edge *e = &g->edges[i];

		if (is_call(g, e) && cycle[e->caller] != cycle[e->callee] &&
		    !pn_graph_has_cost(p, g->edge_total + i * types) &&
		    pn_graph_has_cost(p, g->total + e->callee * types))
			sizes[cycle[e->caller]] = 0;
	}
}

static bool any_below_0(const struct pn_profile *p, size_t column,
			const union pn_value *values, size_t rows)
{
	bool whole = p->types[column].number == PN_NUMBER_INT;
	size_t i, types = p->type_count;

	for (i = 0; i < rows; i++)
		if (whole ? values[i * types + column].i < 0
			  : values[i * types + column].d < 0)
			return true;
	return false;
}

/* A part of it may be more than the whole, also where what is negative is not
 * seen, as it was added to something else. */
static bool is_difference(const struct pn_profile *p, size_t column)
{
	const struct pn_graph *g = &p->graph;

	return any_below_0(p, column, g->self, g->node_count) ||
	       any_below_0(p, column, g->total, g->node_count) ||
	       any_below_0(p, column, g->edge_self, g->edge_count) ||
	       any_below_0(p, column, g->edge_total, g->edge_count);
}

static void bound(struct pn_profile *p, bool edges)
{
	size_t i, cycles;
	uint32_t *cycle = cycles_of(&cycles, &p->graph);
	struct sum *sums = pn_calloc(cycles + 1, sizeof(*sums));
	uint32_t *sizes = numbers(cycles);

	for (i = 0; i < p->graph.node_count; i++)
		sizes[cycle[i]]++;
	leave_untimed(p, cycle, sizes);
	for (i = 0; i < p->type_count; i++) {
		if (is_difference(p, i))
			continue;
		memset(sums, 0, cycles * sizeof(*sums));
		bound_column(p, i, cycle, sizes, sums);
		if (edges)
			bound_edges(p, i, cycle);
	}
	free(sums);
	free(sizes);
	free(cycle);
}

void pn_cycles_bound_totals(struct pn_profile *p)
{
	bound(p, false);
}

void pn_cycles_bound(struct pn_profile *p)
{
	bound(p, true);
}
