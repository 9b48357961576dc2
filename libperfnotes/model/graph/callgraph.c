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

/* A location of `p` with at most one function: it has one node, and calls the
 * same function as the last time, mostly. */
struct site {
	uint32_t node;	 /* + 1; 0: not looked up, or of several functions */
	uint32_t callee; /* + 1, of `edge` */
	uint32_t edge;
};

struct place {
	uint32_t node;
	uint32_t edge;	   /* to what it calls, the place before it */
	struct site *site; /* NULL: of several functions */
};

/* The last stack, + 1, that counted a node or edge. */
struct seen {
	uint32_t *stack;
	size_t cap, known; /* of which so many are set */
};

struct work {
	const struct pn_profile *p;
	struct pn_profile *out;
	size_t types;
	bool whole;		       /* all values are integers */
	struct pn_strtab nodes, costs; /* keys, as bytes */
	struct pn_slots edges;	       /* by caller and callee */
	uint32_t *of_function;	       /* nodes + 1 of `p`'s functions */
	struct site *sites;	       /* by location of `p` */
	struct place *places;	       /* of one stack, leaf first */
	size_t place_count, place_cap;
	struct seen nodes_seen, edges_seen;
	struct pn_callgraph_shares *shares; /* NULL: not asked for */
	size_t share_nodes, share_edges;    /* that have room */
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

	snprintf(name, sizeof(name), "0x%" PRIx64, location->address);
	function.name = pn_strtab_add_text(&w->out->strings, name);
	if (location->mapping != PN_NONE)
		function.file =
			copy_string(w, w->p->mappings[location->mapping].file);
	return node_of(w, &function);
}

static inline void add_place(struct work *w, uint32_t node, struct site *site)
{
	struct place *place;

	if (w->place_count == w->place_cap)
		w->places = pn_grow(w->places, &w->place_cap,
				    w->place_count + 1, sizeof(*w->places));
	place = &w->places[w->place_count++];
	place->node = node;
	place->site = site;
}

/* What was not looked up yet, or is of several functions. */
static void add_location(struct work *w, uint32_t at)
{
	const struct pn_profile *p = w->p;
	const struct pn_location *l = &p->locations[at];
	uint32_t node, i;

	for (i = 0; i < l->line_count || !i; i++) {
		node = l->line_count
			       ? node_of_function(
					 w,
					 p->lines[l->line_first + i].function)
			       : node_of_address(w, at);
		if (l->line_count < 2)
			w->sites[at].node = node + 1;
		add_place(w, node, l->line_count < 2 ? &w->sites[at] : NULL);
	}
}

static void find_places(struct work *w, size_t stack)
{
	const struct pn_profile *p = w->p;
	uint32_t i;

	w->place_count = 0;
	for (i = p->stack_start[stack]; i < p->stack_start[stack + 1]; i++) {
		struct site *site = &w->sites[p->frames[i]];

		if (site->node)
			add_place(w, site->node - 1, site);
		else
			add_location(w, p->frames[i]);
	}
}

static inline void add_value(const struct work *w, size_t type,
			     union pn_value *to, union pn_value value)
{
	if (w->p->types[type].number == PN_NUMBER_INT)
		to->i = (int64_t)((uint64_t)to->i + (uint64_t)value.i);
	else
		to->d += value.d;
}

static inline void add_row(const struct work *w, union pn_value *to,
			   const union pn_value *row)
{
	size_t i;

	for (i = 0; i < w->types && w->whole; i++)
		to[i].i = (int64_t)((uint64_t)to[i].i + (uint64_t)row[i].i);
	for (; i < w->types; i++)
		add_value(w, i, &to[i], row[i]);
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
	if (seen->stack[at] == (uint32_t)stack + 1)
		return false;
	seen->stack[at] = (uint32_t)stack + 1;
	return true;
}

static uint32_t edge_of(struct work *w, uint32_t caller, uint32_t callee)
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

/* Of the leaf. */
static size_t cost_of(struct work *w, size_t stack)
{
	const struct pn_profile *p = w->p;
	const struct pn_location *l =
		&p->locations[p->frames[p->stack_start[stack]]];
	struct pn_cost cost = {
		.node = w->places[0].node,
		.line = l->line_count ? p->lines[l->line_first].line : 0,
		.address = l->address};
	uint64_t key[3] = {cost.node, (uint64_t)cost.line, cost.address};
	size_t had = w->costs.count;
	uint32_t id = pn_strtab_add(&w->costs, key, sizeof(key));

	if (w->costs.count != had)
		pn_graph_add_cost(w->out, &cost);
	return id - 1;
}

/* To what is called from a place; most call what they called before. */
static inline uint32_t edge_from(struct work *w, const struct place *from,
				 uint32_t callee)
{
	struct site *site = from->site;

	if (!site)
		return edge_of(w, from->node, callee);
	if (site->callee != callee + 1) {
		site->edge = edge_of(w, from->node, callee);
		site->callee = callee + 1;
	}
	return site->edge;
}

static void count_stack(struct work *w, size_t stack, const union pn_value *row)
{
	size_t i, at, types = w->types;
	struct pn_graph *g = &w->out->graph;

	find_places(w, stack);
	if (!w->place_count)
		return;
	at = cost_of(w, stack);
	add_row(w, g->cost_values + at * types, row);
	add_row(w, g->self + w->places[0].node * types, row);
	for (i = 0; i < w->place_count; i++) {
		uint32_t node = w->places[i].node;

		if (is_first(&w->nodes_seen, node, stack))
			add_row(w, g->total + node * types, row);
		if (!i)
			continue;
		at = edge_from(w, &w->places[i], w->places[i - 1].node);
		if (!is_first(&w->edges_seen, at, stack))
			continue;
		add_row(w, g->edge_total + at * types, row);
		if (i == 1)
			add_row(w, g->edge_self + at * types, row);
	}
}

static void *more_room(void *array, size_t *had, size_t count, size_t size)
{
	char *all = pn_realloc_array(array, count, size);

	memset(all + *had * size, 0, (count - *had) * size);
	*had = count;
	return all;
}

/* For all nodes and edges that there are by now. */
static inline void share_room(struct work *w)
{
	const struct pn_graph *g = &w->out->graph;
	struct pn_callgraph_shares *s = w->shares;

	if (w->share_nodes < g->node_cap)
		s->nodes = more_room(s->nodes, &w->share_nodes, g->node_cap,
				     sizeof(*s->nodes));
	if (w->share_edges < g->edge_cap)
		s->edges = more_room(s->edges, &w->share_edges, g->edge_cap,
				     sizeof(*s->edges));
}

static inline void meet(struct pn_callgraph_shares *s, double *when)
{
	if (*when == 0)
		*when = ++s->met;
}

static inline double part(double value, uint32_t times)
{
	return times == 1 ? value : value / times;
}

/* How often each function stands on the stack, and what it calls. */
static void share_places(struct work *w, uint32_t mark, union pn_value value)
{
	struct pn_callgraph_shares *s = w->shares;
	size_t i;

	share_room(w);
	for (i = 0; i < w->place_count; i++) {
		struct place *place = &w->places[i];
		struct pn_callgraph_node_share *node = &s->nodes[place->node];

		if (node->mark != mark) {
			node->mark = mark;
			node->times = 0;
			add_value(w, s->type, &node->total, value);
		}
		node->times++;
		if (i)
			place->edge = edge_from(w, place, place[-1].node);
	}
	share_room(w);
}

static void share_edges(struct work *w, uint32_t mark, union pn_value value,
			double number)
{
	struct pn_callgraph_shares *s = w->shares;
	size_t i;

	for (i = 1; i < w->place_count; i++) {
		const struct place *place = &w->places[i];
		struct pn_callgraph_edge_share *edge = &s->edges[place->edge];

		if (edge->mark != mark) {
			edge->mark = mark;
			add_value(w, s->type, &edge->total, value);
		}
		meet(s, &edge->met);
		edge->by_callee += part(number, s->nodes[place[-1].node].times);
		edge->by_caller += part(number, s->nodes[place->node].times);
	}
}

static void share_stack(struct work *w, size_t stack, const union pn_value *row)
{
	struct pn_callgraph_shares *s = w->shares;
	const union pn_value value = row[s->type];
	const uint32_t mark = (uint32_t)stack + 1;
	struct pn_callgraph_node_share *leaf, *root;
	double number = pn_profile_number(w->p, row, 0, s->type);

	find_places(w, stack);
	if (!w->place_count)
		return;
	share_places(w, mark, value);
	leaf = &s->nodes[w->places[0].node];
	root = &s->nodes[w->places[w->place_count - 1].node];
	add_value(w, s->type, &leaf->self, value);
	meet(s, &root->root_met);
	meet(s, &leaf->leaf_met);
	leaf->leaf += part(number, leaf->times);
	root->root += number;
	root->root_share += part(number, root->times);
	share_edges(w, mark, value, number);
}

/* What was added up beside the shares, to where a graph has it. */
static void share_out(struct work *w)
{
	struct pn_graph *g = &w->out->graph;
	const struct pn_callgraph_shares *s = w->shares;
	size_t i, types = w->p->type_count;

	for (i = 0; i < g->node_count; i++) {
		g->self[i * types + s->type] = s->nodes[i].self;
		g->total[i * types + s->type] = s->nodes[i].total;
	}
	for (i = 0; i < g->edge_count; i++)
		g->edge_total[i * types + s->type] = s->edges[i].total;
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

	w->types = w->p->type_count;
	w->whole = true;
	for (i = 0; i < w->types; i++) {
		const struct pn_value_type *type = &w->p->types[i];

		pn_profile_add_type(w->out, pn_profile_text(w->p, type->type),
				    pn_profile_text(w->p, type->unit));
		w->out->types[i].better = type->better;
		w->out->types[i].number = type->number;
		w->whole = w->whole && type->number == PN_NUMBER_INT;
	}
	w->out->default_type = copy_string(w, w->p->default_type);
}

static void make_graph(struct pn_profile *out,
		       struct pn_callgraph_shares *shares,
		       const struct pn_profile *p)
{
	struct work w = {.p = p, .out = out, .shares = shares};
	union pn_value *sums, *row;
	size_t i;

	pn_profile_init(out);
	copy_types(&w);
	w.of_function =
		pn_calloc(p->function_count + 1, sizeof(*w.of_function));
	w.sites = pn_calloc(p->location_count + 1, sizeof(*w.sites));
	sums = sum_stacks(&w);
	for (i = 0; i < p->stack_count; i++) {
		row = sums + i * p->type_count;
		if (!pn_graph_has_cost(p, row))
			continue;
		if (shares)
			share_stack(&w, i, row);
		else
			count_stack(&w, i, row);
	}
	if (shares)
		share_out(&w);
	free(sums);
	pn_strtab_release(&w.nodes);
	pn_slots_release(&w.edges);
	pn_strtab_release(&w.costs);
	free(w.places);
	free(w.nodes_seen.stack);
	free(w.edges_seen.stack);
	free(w.of_function);
	free(w.sites);
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
	free(shares->nodes);
	free(shares->edges);
}
