/* Costs by line or by address of a call graph, as rows of their own. */
#include "analysis/cost_lines.h"

#include "base/alloc.h"
#include "base/strtab.h"
#include "model/graph/graph.h"

#include <stdlib.h>

struct split {
	struct pn_profile *p;
	struct pn_graph old;
	bool by_address;
	struct pn_strtab rows;	/* keys as bytes; id - 1 is the new node */
	struct pn_strtab files; /* function and file, as bytes */
	uint32_t *in_file;	/* id - 1: the function with that file */
	size_t in_file_cap;
	bool *has_costs;  /* by old node */
	uint32_t *entry;  /* by old node: where calls to it lead */
	int64_t *entered; /* the line of `entry` */
	uint32_t *owner;  /* by new node: the old one */
	size_t owner_cap;
};

static void add_row(struct split *s, union pn_value *to,
		    const union pn_value *from, int sign)
{
	size_t i;

	for (i = 0; i < s->p->type_count; i++)
		if (s->p->types[i].number != PN_NUMBER_INT)
			to[i].d += sign * from[i].d;
		else
			to[i].i =
				(int64_t)((uint64_t)to[i].i +
					  (uint64_t)sign * (uint64_t)from[i].i);
}

static const struct pn_location *location_of(const struct split *s,
					     uint32_t node)
{
	uint32_t location = s->old.nodes[node].location;

	return location == PN_NONE ? NULL : &s->p->locations[location];
}

/* The node's function, in the file that was inlined there; PN_NONE when it
 * has none. */
static uint32_t function_in(struct split *s, uint32_t node, uint32_t file)
{
	const struct pn_location *location = location_of(s, node);
	uint32_t key[2], id, function;
	size_t had = s->files.count;
	struct pn_function copy;

	if (!location || !location->line_count)
		return PN_NONE;
	function = s->p->lines[location->line_first].function;
	if (!file || function == PN_NONE)
		return function;
	key[0] = function;
	key[1] = file;
	id = pn_strtab_add(&s->files, key, sizeof(key)) - 1;
	if (s->files.count == had)
		return s->in_file[id];
	copy = s->p->functions[function];
	copy.file = file;
	s->in_file = pn_grow(s->in_file, &s->in_file_cap, (size_t)id + 1,
			     sizeof(*s->in_file));
	s->in_file[id] = pn_profile_add_function(s->p, &copy);
	return s->in_file[id];
}

static void own(struct split *s, uint32_t row, uint32_t node)
{
	s->owner = pn_grow(s->owner, &s->owner_cap, (size_t)row + 1,
			   sizeof(*s->owner));
	s->owner[row] = node;
}

static uint32_t row_of(struct split *s, uint32_t node, uint32_t file,
		       int64_t line, uint64_t address)
{
	const struct pn_location *was = location_of(s, node);
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line at = {.line = line};
	uint64_t key[4] = {node, file, (uint64_t)line, 0};
	size_t had = s->rows.count;
	uint32_t row;

	if (s->by_address)
		key[3] = address;
	row = pn_strtab_add(&s->rows, key, sizeof(key)) - 1;
	if (s->rows.count == had)
		return row;
	if (was)
		location.mapping = was->mapping;
	location.address = address;
	at.function = function_in(s, node, file);
	row = pn_graph_add_node(s->p,
				pn_profile_add_location(s->p, &location, &at,
							at.function != PN_NONE),
				-1, -1);
	own(s, row, node);
	return row;
}

static void split_costs(struct split *s)
{
	size_t i, types = s->p->type_count;

	for (i = 0; i < s->old.cost_count; i++) {
		const struct pn_cost *cost = &s->old.costs[i];
		const union pn_value *row = s->old.cost_values + i * types;
		uint32_t node = cost->node;
		uint32_t to =
			row_of(s, node, cost->file, cost->line, cost->address);
		bool first = !s->has_costs[node];

		add_row(s, s->p->graph.self + to * types, row, 1);
		add_row(s, s->p->graph.total + to * types, row, 1);
		add_row(s, s->old.self + node * types, row, -1);
		s->has_costs[node] = true;
		if (!first && (cost->file || cost->line >= s->entered[node]))
			continue;
		s->entry[node] = to;
		s->entered[node] = cost->file ? INT64_MAX : cost->line;
	}
}

/* A node for what no line of a function has. */
static void add_rest(struct split *s, uint32_t node)
{
	struct pn_graph *g = &s->p->graph;
	const struct pn_node *was = &s->old.nodes[node];
	const uint64_t key[5] = {node};
	size_t types = s->p->type_count;
	const union pn_value *rest = s->old.self + node * types;
	uint32_t row;

	if (s->has_costs[node]) {
		g->nodes[s->entry[node]].calls = was->calls;
		if (!pn_graph_has_cost(s->p, rest))
			return;
	}
	pn_strtab_add(&s->rows, key, sizeof(key));
	row = pn_graph_add_node(s->p, was->location, -1, was->primitive);
	own(s, row, node);
	add_row(s, g->self + row * types, rest, 1);
	if (s->has_costs[node]) {
		add_row(s, g->total + row * types, rest, 1);
		return;
	}
	add_row(s, g->total + row * types, s->old.total + node * types, 1);
	g->nodes[row].calls = was->calls;
	s->entry[node] = row;
}

static void split_calls(struct split *s)
{
	size_t i, at, types = s->p->type_count;

	for (i = 0; i < s->old.edge_count; i++) {
		struct pn_edge edge = s->old.edges[i];
		const union pn_value *total = s->old.edge_total + i * types;
		uint32_t node = edge.caller;

		edge.callee = s->entry[edge.callee];
		edge.caller = s->entry[node];
		if (s->has_costs[node]) {
			edge.caller = row_of(s, node, edge.file, edge.line,
					     edge.address);
			add_row(s, s->p->graph.total + edge.caller * types,
				total, 1);
		}
		at = pn_graph_add_edge(s->p, &edge);
		add_row(s, s->p->graph.edge_total + at * types, total, 1);
		add_row(s, s->p->graph.edge_self + at * types,
			s->old.edge_self + i * types, 1);
	}
}

static void bound_lines(struct split *s)
{
	struct pn_graph *g = &s->p->graph;
	size_t i, n, types = s->p->type_count;

	for (i = 0; i < g->node_count; i++)
		for (n = 0; n < types; n++) {
			union pn_value *value = &g->total[i * types + n];
			const union pn_value *most =
				&s->old.total[s->owner[i] * types + n];

			if (s->p->types[n].number == PN_NUMBER_INT
				    ? most->i >= 0 && value->i > most->i
				    : most->d >= 0 && value->d > most->d)
				*value = *most;
		}
}

static void release_graph(struct pn_graph *g)
{
	free(g->nodes);
	free(g->self);
	free(g->self_by_run);
	free(g->total);
	free(g->edges);
	free(g->edge_self);
	free(g->edge_total);
	free(g->costs);
	free(g->cost_values);
}

void pn_cost_lines_split(struct pn_profile *p, bool by_address)
{
	struct split s = {.p = p, .old = p->graph, .by_address = by_address};
	size_t count = p->graph.node_count;
	uint32_t i;

	if (!p->graph.cost_count)
		return;
	p->graph = (struct pn_graph){0};
	s.has_costs = pn_calloc(count, sizeof(*s.has_costs));
	s.entry = pn_calloc(count, sizeof(*s.entry));
	s.entered = pn_calloc(count, sizeof(*s.entered));
	split_costs(&s);
	for (i = 0; i < count; i++)
		add_rest(&s, i);
	split_calls(&s);
	bound_lines(&s);
	release_graph(&s.old);
	pn_strtab_release(&s.rows);
	pn_strtab_release(&s.files);
	free(s.in_file);
	free(s.has_costs);
	free(s.entry);
	free(s.entered);
	free(s.owner);
}
