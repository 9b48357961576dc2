/* callgrind: a call graph of samples with stacks. */
#include "codec/callgrind/callgrind.h"

#include "base/alloc.h"
#include "model/graph/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "(root)"

struct builder {
	const struct pn_profile *p;
	const struct pn_callgrind_columns *columns;
	struct pn_callgrind_graph graph;
	uint32_t *line_node;	 /* by line of the profile */
	uint32_t *location_node; /* of locations without lines */
	uint32_t *seen;	   /* by node: the last sample + 1 it was seen in */
	bool *called;	   /* by node */
	int64_t *as_first; /* by node: what samples cost that begin there */
};

static uint32_t copy(struct builder *b, uint32_t string)
{
	return pn_strtab_add_from(&b->graph.p->strings, &b->p->strings, string);
}

static uint32_t object_of(struct builder *b, const struct pn_location *l)
{
	return l->mapping == PN_NONE ? 0
				     : copy(b, b->p->mappings[l->mapping].file);
}

static uint32_t unnamed(struct builder *b, const struct pn_location *l)
{
	char name[32] = PN_CALLGRIND_UNKNOWN;

	if (l->address)
		snprintf(name, sizeof(name), "0x%016" PRIx64, l->address);
	return pn_callgrind_node(
		&b->graph, object_of(b, l), 0,
		pn_strtab_add_text(&b->graph.p->strings, name));
}

static uint32_t named(struct builder *b, const struct pn_location *l,
		      const struct pn_line *line)
{
	const struct pn_function *f = &b->p->functions[line->function];

	return pn_callgrind_node(&b->graph, object_of(b, l), copy(b, f->file),
				 copy(b, f->name));
}

/* Locations whose lines overlap, as only bytes from elsewhere have them,
 * give the lines to the last one. */
static void name_nodes(struct builder *b)
{
	size_t i;
	uint32_t k;

	b->line_node = pn_calloc(b->p->line_count + 1, sizeof(uint32_t));
	b->location_node =
		pn_calloc(b->p->location_count + 1, sizeof(uint32_t));
	for (i = 0; i < b->p->location_count; i++) {
		const struct pn_location *l = &b->p->locations[i];

		for (k = 0; k < l->line_count; k++)
			b->line_node[l->line_first + k] =
				named(b, l, &b->p->lines[l->line_first + k]);
		if (!l->line_count)
			b->location_node[i] = unnamed(b, l);
	}
}

/* Where a walk from root to leaf is. */
struct walk {
	uint32_t caller; /* or PN_NONE */
	int64_t line;
	uint32_t stamp;
	const int64_t *values;
};

static bool step(struct builder *b, struct walk *w, uint32_t node, int64_t line)
{
	struct pn_edge edge = {
		.caller = w->caller, .callee = node, .line = w->line};
	static const int64_t none[PN_MAX_VALUE_TYPES];
	size_t count = b->columns->count, i;
	bool good = true;

	if (w->caller == PN_NONE) {
		for (i = 0; i < count; i++)
			good &= !__builtin_add_overflow(
				b->as_first[node * count + i], w->values[i],
				&b->as_first[node * count + i]);
	} else if (b->seen[node] != w->stamp) {
		b->called[node] = true;
		good = pn_callgrind_add_call(&b->graph, &edge, w->values);
	} else if (w->caller != node) {
		/* it called itself through others: without a call from the
		 * root readers would add that to what it cost, and without
		 * this one take no part of the cycle for one */
		b->called[node] = true;
		good = pn_callgrind_add_call(&b->graph, &edge, none);
	}
	b->seen[node] = w->stamp;
	w->caller = node;
	w->line = line;
	return good;
}

static bool walk_location(struct builder *b, struct walk *w, uint32_t location)
{
	const struct pn_location *l = &b->p->locations[location];
	bool good = true;
	uint32_t i;

	if (!l->line_count)
		return step(b, w, b->location_node[location], 0);
	for (i = l->line_count; good && i-- > 0;)
		good = step(b, w, b->line_node[l->line_first + i],
			    b->p->lines[l->line_first + i].line);
	return good;
}

static bool add_sample(struct builder *b, size_t sample, const int64_t *values)
{
	const struct pn_profile *p = b->p;
	uint32_t stack = p->samples[sample].stack;
	uint32_t at = p->stack_start[stack + 1];
	struct walk w = {PN_NONE, 0, (uint32_t)sample + 1, values};
	struct pn_cost cost = {0};

	while (at > p->stack_start[stack])
		if (!walk_location(b, &w, p->frames[--at]))
			return false;
	if (w.caller == PN_NONE)
		w.caller = pn_callgrind_node(
			&b->graph, 0, 0,
			pn_strtab_add_text(&b->graph.p->strings, ROOT));
	cost.node = w.caller;
	cost.line = w.line;
	return pn_callgrind_add_cost(&b->graph, &cost, values);
}

static bool call_from_root(struct builder *b, uint32_t node_count)
{
	size_t count = b->columns->count, i;
	struct pn_edge edge = {0};
	uint32_t node;

	for (node = 0; node < node_count; node++) {
		const int64_t *values = b->as_first + node * count;
		bool is_first = false;

		for (i = 0; i < count; i++)
			is_first |= values[i] != 0;
		if (!is_first || !b->called[node])
			continue;
		edge.caller = pn_callgrind_node(
			&b->graph, 0, 0,
			pn_strtab_add_text(&b->graph.p->strings, ROOT));
		edge.callee = node;
		if (!pn_callgrind_add_call(&b->graph, &edge, values))
			return false;
	}
	return true;
}

static int add_samples(struct builder *b, struct pn_error *err)
{
	const struct pn_profile *p = b->p;
	uint32_t nodes = (uint32_t)b->graph.p->graph.node_count;
	int64_t values[PN_MAX_VALUE_TYPES];
	size_t i;

	b->seen = pn_calloc((size_t)nodes + 1, sizeof(*b->seen));
	b->called = pn_calloc((size_t)nodes + 1, sizeof(*b->called));
	b->as_first = pn_calloc((size_t)nodes + 1,
				b->columns->count * sizeof(*b->as_first));
	for (i = 0; i < p->sample_count; i++)
		if (!pn_callgrind_whole(values, b->columns, p,
					p->values + i * p->type_count) ||
		    !add_sample(b, i, values))
			return pn_error_set(err, PN_EINVAL,
					    "callgrind's costs are whole "
					    "numbers of 63 bits, those of "
					    "sample %zu do not fit",
					    i);
	if (!call_from_root(b, nodes))
		return pn_error_set(err, PN_EINVAL,
				    "callgrind's costs are whole numbers of "
				    "63 bits, their sum does not fit");
	return 0;
}

static void add_types(struct builder *b)
{
	size_t i;

	for (i = 0; i < b->columns->count; i++)
		pn_profile_add_type(b->graph.p, "", "");
}

int pn_callgrind_of_stacks(struct pn_profile *out, const struct pn_profile *p,
			   const struct pn_callgrind_columns *columns,
			   struct pn_error *err)
{
	struct builder b = {.p = p, .columns = columns};
	int code;

	pn_profile_init(out);
	b.graph.p = out;
	b.graph.unknown =
		pn_strtab_add_text(&out->strings, PN_CALLGRIND_UNKNOWN);
	add_types(&b);
	name_nodes(&b);
	code = add_samples(&b, err);
	free(b.line_node);
	free(b.location_node);
	free(b.seen);
	free(b.called);
	free(b.as_first);
	pn_callgrind_graph_release(&b.graph);
	if (code)
		pn_profile_release(out);
	return code;
}
