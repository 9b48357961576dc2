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

/* The edges that were looked up last are found without the table. */
#define RECENT_BITS 14

struct recent {
	uint32_t caller, callee, edge;
};

struct place {
	uint32_t node;
	uint32_t edge; /* to what it calls, the place before it */
};

/* Of an edge what is looked at at each place of a stack. */
struct link {
	uint32_t caller, callee;
	uint32_t mark; /* the last stack, + 1, that counted it */
};

struct work {
	const struct pn_profile *p;
	struct pn_profile *out;
	size_t types;
	bool whole;		       /* all values are integers */
	struct pn_strtab nodes, costs; /* keys, as bytes */
	struct pn_slots edges;	       /* by caller and callee */
	struct link *links;	       /* of the edges */
	size_t link_cap;
	uint32_t *of_function; /* nodes + 1 of `p`'s functions */
	uint32_t *of_location; /* those of its locations that have one */
	struct recent *recent;
	struct place *places; /* of one stack, leaf first */
	size_t place_count, place_cap;
	uint32_t *marks; /* of nodes: the last stack, + 1, that counted one */
	size_t mark_count;
	struct pn_callgraph_shares *shares; /* NULL: not asked for */
	size_t share_nodes, share_edges;    /* that have room */
};

static uint32_t copy_string(struct work *w, uint32_t id)
{
	return pn_strtab_add_from(&w->out->strings, &w->p->strings, id);
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

/* What was not looked up yet, or is of several functions; there is room for
 * `left` places more behind it. */
static void add_location(struct work *w, uint32_t at, size_t left)
{
	const struct pn_profile *p = w->p;
	const struct pn_location *l = &p->locations[at];
	uint32_t node, i;

	w->places = pn_grow(w->places, &w->place_cap,
			    w->place_count + l->line_count + left + 1,
			    sizeof(*w->places));
	for (i = 0; i < l->line_count || !i; i++) {
		node = l->line_count
			       ? node_of_function(
					 w,
					 p->lines[l->line_first + i].function)
			       : node_of_address(w, at);
		if (l->line_count < 2)
			w->of_location[at] = node + 1;
		w->places[w->place_count++].node = node;
	}
}

static void find_places(struct work *w, size_t stack)
{
	const struct pn_profile *p = w->p;
	const uint32_t *at = p->frames + p->stack_start[stack];
	const uint32_t *end = p->frames + p->stack_start[stack + 1];
	struct place *place;

	w->place_count = 0;
	w->places = pn_grow(w->places, &w->place_cap, (size_t)(end - at) + 1,
			    sizeof(*w->places));
	for (place = w->places; at < end; at++) {
		uint32_t node = w->of_location[*at];

		if (node) {
			place++->node = node - 1;
			continue;
		}
		w->place_count = (size_t)(place - w->places);
		add_location(w, *at, (size_t)(end - at));
		place = w->places + w->place_count;
	}
	w->place_count = (size_t)(place - w->places);
}

static inline void add_whole(union pn_value *to, union pn_value value)
{
	to->i = (int64_t)((uint64_t)to->i + (uint64_t)value.i);
}

static inline void add_value(const struct work *w, size_t type,
			     union pn_value *to, union pn_value value)
{
	if (w->p->types[type].number == PN_NUMBER_INT)
		add_whole(to, value);
	else
		to->d += value.d;
}

/* Whole numbers by pairs: most profiles have one or two pairs of types. */
static inline void add_row(const struct work *w, union pn_value *to,
			   const union pn_value *row)
{
	size_t i = 0, types = w->types;

	if (!w->whole) {
		for (; i < types; i++)
			add_value(w, i, &to[i], row[i]);
		return;
	}
	if (types & 1)
		add_whole(&to[0], row[0]);
	for (i = types & 1; i < types; i += 2) {
		add_whole(&to[i], row[i]);
		add_whole(&to[i + 1], row[i + 1]);
	}
}

static uint32_t add_edge(struct work *w, struct link link, uint32_t hash)
{
	struct pn_edge edge = {.caller = link.caller,
			       .callee = link.callee,
			       .calls = -1,
			       .primitive = -1};
	uint32_t row = (uint32_t)pn_graph_add_edge(w->out, &edge);

	w->links = pn_grow(w->links, &w->link_cap, (size_t)row + 1,
			   sizeof(*w->links));
	w->links[row] = link;
	pn_slots_add(&w->edges, hash, row);
	return row;
}

static uint32_t look_up_edge(struct work *w, uint32_t caller, uint32_t callee)
{
	const uint64_t word = (uint64_t)caller << 32 | callee;
	uint32_t row, hash = pn_slots_hash_word(&w->edges, word);
	size_t slot = pn_slots_first(&w->edges, hash);

	while (pn_slots_row(&row, &w->edges, &slot, hash))
		if (w->links[row].caller == caller &&
		    w->links[row].callee == callee)
			return row;
	return add_edge(w, (struct link){caller, callee, 0}, hash);
}

/* Multiplied by odd numbers (of xxHash32), highest bits. */
static inline struct recent *recent_of(const struct work *w, uint32_t caller,
				       uint32_t callee)
{
	uint32_t hash = caller * 2654435761u + callee * 2246822519u;

	return &w->recent[hash >> (32 - RECENT_BITS)];
}

static inline uint32_t edge_of(struct work *w, uint32_t caller, uint32_t callee)
{
	struct recent *recent = recent_of(w, caller, callee);

	if (recent->caller != caller || recent->callee != callee) {
		recent->edge = look_up_edge(w, caller, callee);
		recent->caller = caller;
		recent->callee = callee;
	}
	return recent->edge;
}

static struct recent *no_recent(void)
{
	size_t size = sizeof(struct recent) << RECENT_BITS;

	return memset(pn_malloc(size), 0xff, size); /* no node */
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

/* To what each place calls. */
static void find_edges(struct work *w)
{
	struct place *place, *end = w->places + w->place_count;

	for (place = w->places + 1; place < end; place++)
		place->edge = edge_of(w, place->node, place[-1].node);
}

static void *more_room(void *array, size_t *had, size_t count, size_t size)
{
	char *all = pn_realloc_array(array, count, size);

	memset(all + *had * size, 0, (count - *had) * size);
	*had = count;
	return all;
}

static void count_nodes(struct work *w, uint32_t mark,
			const union pn_value *row)
{
	const struct place *place, *end = w->places + w->place_count;
	const struct pn_graph *g = &w->out->graph;
	size_t types = w->types;

	if (w->mark_count < g->node_cap)
		w->marks = more_room(w->marks, &w->mark_count, g->node_cap,
				     sizeof(*w->marks));
	for (place = w->places; place < end; place++)
		if (w->marks[place->node] != mark) {
			w->marks[place->node] = mark;
			add_row(w, g->total + place->node * types, row);
		}
}

static void count_edges(struct work *w, uint32_t mark,
			const union pn_value *row)
{
	const struct place *place, *end = w->places + w->place_count;
	const struct pn_graph *g = &w->out->graph;
	size_t types = w->types;

	if (w->place_count > 1)
		add_row(w, g->edge_self + w->places[1].edge * types, row);
	for (place = w->places + 1; place < end; place++) {
		struct link *link = &w->links[place->edge];

		if (link->mark != mark) {
			link->mark = mark;
			add_row(w, g->edge_total + place->edge * types, row);
		}
	}
}

static void count_stack(struct work *w, size_t stack, const union pn_value *row)
{
	const uint32_t mark = (uint32_t)stack + 1;
	size_t at, types = w->types;
	struct pn_graph *g = &w->out->graph;

	find_places(w, stack);
	if (!w->place_count)
		return;
	at = cost_of(w, stack);
	add_row(w, g->cost_values + at * types, row);
	add_row(w, g->self + w->places[0].node * types, row);
	count_nodes(w, mark, row);
	find_edges(w);
	count_edges(w, mark, row);
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
		const struct place *place = &w->places[i];
		struct pn_callgraph_node_share *node = &s->nodes[place->node];

		if (node->mark != mark) {
			node->mark = mark;
			node->times = 0;
			add_value(w, s->type, &node->total, value);
		}
		node->times++;
	}
	find_edges(w);
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
	bool free_too = true;
	size_t i;

	pn_profile_init(out);
	copy_types(&w);
	w.of_function =
		pn_calloc(p->function_count + 1, sizeof(*w.of_function));
	w.of_location =
		pn_calloc(p->location_count + 1, sizeof(*w.of_location));
	w.recent = no_recent();
	sums = sum_stacks(&w);
	for (i = 0; i < p->stack_count && free_too; i++)
		free_too = !pn_graph_has_cost(p, sums + i * p->type_count);
	for (i = 0; i < p->stack_count; i++) {
		row = sums + i * p->type_count;
		if (!free_too && !pn_graph_has_cost(p, row))
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
	free(w.links);
	free(w.marks);
	free(w.of_function);
	free(w.of_location);
	free(w.recent);
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
