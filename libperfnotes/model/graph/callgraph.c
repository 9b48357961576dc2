/* Stacks to a call graph. Samples are united by stack first, so that a stack
 * is walked once however many samples share it. */
#include "model/graph/callgraph.h"
#include "base/alloc.h"
#include "base/slots.h"
#include "model/graph/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
	uint32_t node;
	int64_t line;
	uint64_t address;
	size_t edge; /* to what it calls, the place before it */
};

/* The last stack, + 1, that counted a node or edge. */
struct seen {
	size_t *stack;
	size_t cap, known; /* of which so many are set */
};

struct work {
	const struct pn_profile *p;
	struct pn_profile *out;
	struct pn_strtab nodes, costs; /* keys, as bytes */
	struct pn_slots edges;	       /* by caller and callee */
	/* nodes + 1 of `p`'s functions, and of its locations without one */
	uint32_t *of_function, *of_location;
	struct place *places; /* of one stack, leaf first */
	size_t place_count, place_cap;
	struct seen nodes_seen, edges_seen;
	struct pn_callgraph_shares *shares; /* NULL: not asked for */
	size_t *times; /* of each node, how often it is on this stack */
	size_t share_nodes, share_edges; /* that have room */
};

static uint32_t copy_string(struct work *w, uint32_t id)
{
	return pn_strtab_add(&w->out->strings, pn_profile_text(w->p, id),
			     pn_strtab_len(&w->p->strings, id));
}

/* `function` speaks in strings of `out`. */
static uint32_t node_of(struct work *w, const struct pn_function *function)
{
	uint64_t key[4] = {function->name, function->system_name,
			   function->file, (uint64_t)function->start_line};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {.line = function->start_line};
	size_t had = w->nodes.count;
	uint32_t id = pn_strtab_add(&w->nodes, key, sizeof(key));

	if (w->nodes.count != had) {
		line.function = pn_profile_add_function(w->out, function);
		pn_graph_add_node(
			w->out,
			pn_profile_add_location(w->out, &location, &line, 1),
			-1, -1);
	}
	return id - 1; /* 0 is "" */
}

static inline uint32_t node_of_function(struct work *w, uint32_t at)
{
	const struct pn_function *f = &w->p->functions[at];
	struct pn_function copy;

	if (w->of_function[at])
		return w->of_function[at] - 1;
	copy = (struct pn_function){
		.name = copy_string(w, f->name),
		.system_name = copy_string(w, f->system_name),
		.file = copy_string(w, f->file),
		.start_line = f->start_line,
	};
	w->of_function[at] = node_of(w, &copy) + 1;
	return w->of_function[at] - 1;
}

/* A place that only its address tells apart. */
static uint32_t node_of_address(struct work *w, uint32_t at)
{
	const struct pn_location *location = &w->p->locations[at];
	struct pn_function function = {0};
	char name[32];

	if (w->of_location[at])
		return w->of_location[at] - 1;
	snprintf(name, sizeof(name), "0x%" PRIx64, location->address);
	function.name = pn_strtab_add_text(&w->out->strings, name);
	if (location->mapping != PN_NONE)
		function.file =
			copy_string(w, w->p->mappings[location->mapping].file);
	w->of_location[at] = node_of(w, &function) + 1;
	return w->of_location[at] - 1;
}

static inline void add_place(struct work *w, uint32_t node, int64_t line,
			     uint64_t address)
{
	struct place *place;

	if (w->place_count == w->place_cap)
		w->places = pn_grow(w->places, &w->place_cap,
				    w->place_count + 1, sizeof(*w->places));
	place = &w->places[w->place_count++];
	place->node = node;
	place->line = line;
	place->address = address;
}

static void find_places(struct work *w, size_t stack)
{
	const struct pn_profile *p = w->p;
	uint32_t i, n;

	w->place_count = 0;
	for (i = p->stack_start[stack]; i < p->stack_start[stack + 1]; i++) {
		const struct pn_location *l = &p->locations[p->frames[i]];

		if (!l->line_count)
			add_place(w, node_of_address(w, p->frames[i]), 0,
				  l->address);
		for (n = 0; n < l->line_count; n++) {
			const struct pn_line *line =
				&p->lines[l->line_first + n];

			add_place(w, node_of_function(w, line->function),
				  line->line, l->address);
		}
	}
}

static inline void add_row(const struct work *w, union pn_value *to,
			   const union pn_value *row)
{
	size_t i;

	for (i = 0; i < w->p->type_count; i++)
		if (w->p->types[i].number == PN_NUMBER_INT)
			to[i].i = (int64_t)((uint64_t)to[i].i +
					    (uint64_t)row[i].i);
		else
			to[i].d += row[i].d;
}

/* Whether `at` was not met yet on this stack. */
static inline bool is_first(struct seen *seen, size_t at, size_t stack)
{
	if (at >= seen->known) {
		seen->stack = pn_grow(seen->stack, &seen->cap, at + 1,
				      sizeof(*seen->stack));
		while (seen->known < seen->cap)
			seen->stack[seen->known++] = 0;
	}
	if (seen->stack[at] == stack + 1)
		return false;
	seen->stack[at] = stack + 1;
	return true;
}

static size_t edge_of(struct work *w, uint32_t caller, uint32_t callee)
{
	const uint64_t word = (uint64_t)caller << 32 | callee;
	struct pn_edge edge = {.caller = caller,
			       .callee = callee,
			       .calls = -1,
			       .primitive = -1};
	uint32_t row, hash = pn_slots_hash_word(&w->edges, word);
	size_t slot = pn_slots_first(&w->edges, hash);

	while (pn_slots_row(&row, &w->edges, &slot, hash))
		if (w->out->graph.edges[row].caller == caller &&
		    w->out->graph.edges[row].callee == callee)
			return row;
	row = (uint32_t)pn_graph_add_edge(w->out, &edge);
	pn_slots_add(&w->edges, hash, row);
	return row;
}

static size_t cost_of(struct work *w, const struct place *leaf)
{
	uint64_t key[3] = {leaf->node, (uint64_t)leaf->line, leaf->address};
	struct pn_cost cost = {.node = leaf->node,
			       .line = leaf->line,
			       .address = leaf->address};
	size_t had = w->costs.count;
	uint32_t id = pn_strtab_add(&w->costs, key, sizeof(key));

	if (w->costs.count != had)
		pn_graph_add_cost(w->out, &cost);
	return id - 1;
}

static void make_room(double **array, size_t had, size_t count)
{
	*array = pn_realloc_array(*array, count, sizeof(**array));
	memset(*array + had, 0, (count - had) * sizeof(**array));
}

/* For all nodes and edges that there are by now. */
static void share_room(struct work *w)
{
	const struct pn_graph *g = &w->out->graph;
	struct pn_callgraph_shares *s = w->shares;

	if (w->share_nodes < g->node_cap) {
		make_room(&s->root, w->share_nodes, g->node_cap);
		make_room(&s->root_share, w->share_nodes, g->node_cap);
		make_room(&s->leaf, w->share_nodes, g->node_cap);
		make_room(&s->root_met, w->share_nodes, g->node_cap);
		make_room(&s->leaf_met, w->share_nodes, g->node_cap);
		w->times = pn_realloc_array(w->times, g->node_cap,
					    sizeof(*w->times));
		memset(w->times, 0, g->node_cap * sizeof(*w->times));
		w->share_nodes = g->node_cap;
	}
	if (w->share_edges < g->edge_cap) {
		make_room(&s->by_callee, w->share_edges, g->edge_cap);
		make_room(&s->by_caller, w->share_edges, g->edge_cap);
		make_room(&s->edge_met, w->share_edges, g->edge_cap);
		w->share_edges = g->edge_cap;
	}
}

static void meet(struct pn_callgraph_shares *s, double *when)
{
	if (*when == 0)
		*when = ++s->met;
}

/* The stack that was counted last. */
static void share_stack(struct work *w, const union pn_value *row)
{
	struct pn_callgraph_shares *s = w->shares;
	double value = w->p->types[s->type].number == PN_NUMBER_INT
			       ? (double)row[s->type].i
			       : row[s->type].d;
	size_t i, edge, n = w->place_count;
	uint32_t caller, callee;

	share_room(w);
	for (i = 0; i < n; i++)
		w->times[w->places[i].node]++;
	callee = w->places[0].node;
	caller = w->places[n - 1].node;
	meet(s, &s->root_met[caller]);
	meet(s, &s->leaf_met[callee]);
	s->leaf[callee] += value / (double)w->times[callee];
	s->root[caller] += value;
	s->root_share[caller] += value / (double)w->times[caller];
	for (i = 1; i < n; i++) {
		caller = w->places[i].node;
		callee = w->places[i - 1].node;
		edge = w->places[i].edge;
		meet(s, &s->edge_met[edge]);
		s->by_callee[edge] += value / (double)w->times[callee];
		s->by_caller[edge] += value / (double)w->times[caller];
	}
	for (i = 0; i < n; i++)
		w->times[w->places[i].node] = 0;
}

static void count_stack(struct work *w, size_t stack, const union pn_value *row)
{
	size_t i, at, types = w->p->type_count;
	struct pn_graph *g = &w->out->graph;

	find_places(w, stack);
	if (!w->place_count)
		return;
	at = cost_of(w, &w->places[0]);
	add_row(w, g->cost_values + at * types, row);
	add_row(w, g->self + w->places[0].node * types, row);
	for (i = 0; i < w->place_count; i++) {
		uint32_t node = w->places[i].node;

		if (is_first(&w->nodes_seen, node, stack))
			add_row(w, g->total + node * types, row);
		if (!i)
			continue;
		at = edge_of(w, node, w->places[i - 1].node);
		w->places[i].edge = at;
		if (!is_first(&w->edges_seen, at, stack))
			continue;
		add_row(w, g->edge_total + at * types, row);
		if (i == 1)
			add_row(w, g->edge_self + at * types, row);
	}
	if (w->shares)
		share_stack(w, row);
}

/* The sums of the samples of each stack. */
static union pn_value *sum_stacks(const struct work *w)
{
	const struct pn_profile *p = w->p;
	union pn_value *sums =
		pn_calloc(p->stack_count, p->type_count * sizeof(*sums));
	size_t i;

	for (i = 0; i < p->sample_count; i++)
		add_row(w, sums + p->samples[i].stack * p->type_count,
			p->values + i * p->type_count);
	return sums;
}

static void copy_types(struct work *w)
{
	size_t i;

	for (i = 0; i < w->p->type_count; i++) {
		const struct pn_value_type *type = &w->p->types[i];

		pn_profile_add_type(w->out, pn_profile_text(w->p, type->type),
				    pn_profile_text(w->p, type->unit));
		w->out->types[i].better = type->better;
		w->out->types[i].number = type->number;
	}
	w->out->default_type = copy_string(w, w->p->default_type);
}

static void make_graph(struct pn_profile *out,
		       struct pn_callgraph_shares *shares,
		       const struct pn_profile *p)
{
	struct work w = {.p = p, .out = out, .shares = shares};
	union pn_value *sums;
	size_t i;

	pn_profile_init(out);
	copy_types(&w);
	w.of_function =
		pn_calloc(p->function_count + 1, sizeof(*w.of_function));
	w.of_location =
		pn_calloc(p->location_count + 1, sizeof(*w.of_location));
	sums = sum_stacks(&w);
	for (i = 0; i < p->stack_count; i++)
		if (pn_graph_has_cost(p, sums + i * p->type_count))
			count_stack(&w, i, sums + i * p->type_count);
	free(sums);
	pn_strtab_release(&w.nodes);
	pn_slots_release(&w.edges);
	pn_strtab_release(&w.costs);
	free(w.places);
	free(w.nodes_seen.stack);
	free(w.edges_seen.stack);
	free(w.times);
	free(w.of_function);
	free(w.of_location);
}

void pn_callgraph_of(struct pn_profile *out, const struct pn_profile *p)
{
	make_graph(out, NULL, p);
}

void pn_callgraph_share(struct pn_profile *out,
			struct pn_callgraph_shares *shares,
			const struct pn_profile *p)
{
	make_graph(out, shares, p);
}

void pn_callgraph_shares_release(struct pn_callgraph_shares *shares)
{
	free(shares->by_callee);
	free(shares->by_caller);
	free(shares->root);
	free(shares->root_share);
	free(shares->leaf);
	free(shares->edge_met);
	free(shares->root_met);
	free(shares->leaf_met);
}
