/* A call graph as Racket's profiler has it. */
#include "model/graph/timed.h"

#include "base/alloc.h"
#include "model/graph/callgraph.h"
#include "model/unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct maker {
	struct pn_timed *out;
	const struct pn_profile *p; /* has the graph */
	size_t type, shares; /* value types; shares SIZE_MAX: there are none */
	double scale;
	uint32_t *number;	/* by node of the graph */
	struct pn_strtab pairs; /* of callers and callees, by edge */
	size_t edge_cap;
	const struct pn_callgraph_shares *divided; /* NULL: of no stacks */
};

static double value_of(const struct maker *m, const union pn_value *values,
		       size_t row, size_t type)
{
	double value = pn_profile_number(m->p, values, row, type);

	return m->scale == 1 ? value : value * m->scale;
}

struct keyed {
	double key;
	size_t at;
};

/* Largest first, then as they were. */
static int by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? 1 : -1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void add_node(struct maker *m, uint32_t node)
{
	const struct pn_graph *g = &m->p->graph;
	struct pn_timed_node *to = &m->out->nodes[m->out->node_count];

	*to = (struct pn_timed_node){.node = node};
	to->self = value_of(m, g->self, node, m->type);
	to->total = value_of(m, g->total, node, m->type);
	m->number[node] = (uint32_t)m->out->node_count++;
}

/* Number 0 is the root: a node without location, else one of our own. */
static void add_root(struct maker *m)
{
	const struct pn_graph *g = &m->p->graph;
	struct pn_timed_node *root = &m->out->nodes[0];
	uint32_t i;

	for (i = 0; i < g->node_count; i++)
		if (g->nodes[i].location == PN_NONE) {
			add_node(m, i);
			root->self = 0;
			return;
		}
	*root = (struct pn_timed_node){.node = PN_NONE};
	m->out->node_count = 1;
	for (i = 0; i < g->node_count; i++)
		root->total += value_of(m, g->self, i, m->type);
}

static void add_nodes(struct maker *m)
{
	const struct pn_graph *g = &m->p->graph;
	struct keyed *list = pn_calloc(g->node_count + 1, sizeof(*list));
	size_t i, n = 0;

	m->number = pn_calloc(g->node_count + 1, sizeof(*m->number));
	m->out->nodes = pn_calloc(g->node_count + 2, sizeof(*m->out->nodes));
	add_root(m);
	for (i = 0; i < g->node_count; i++) {
		if (i == m->out->nodes[0].node)
			continue;
		list[n].key = value_of(m, g->total, i, m->type);
		list[n++].at = i;
	}
	qsort(list, n, sizeof(*list), by_key);
	for (i = 0; i < n; i++)
		add_node(m, (uint32_t)list[i].at);
	free(list);
}

static void add_new_edge(struct maker *m, const struct pn_timed_edge *edge)
{
	struct pn_timed *out = m->out;

	out->edges = pn_grow(out->edges, &m->edge_cap, out->edge_count + 1,
			     sizeof(*edge));
	out->edges[out->edge_count++] = *edge;
}

static void add_edge(struct maker *m, const struct pn_timed_edge *edge)
{
	const uint32_t key[2] = {edge->caller, edge->callee};
	size_t had = m->pairs.count;
	uint32_t id = pn_strtab_add(&m->pairs, key, sizeof(key));
	struct pn_timed_edge *known;

	if (m->pairs.count != had) {
		add_new_edge(m, edge);
		return;
	}
	known = &m->out->edges[id - 1]; /* called from several lines */
	known->total += edge->total;
	known->caller_time += edge->caller_time;
	known->callee_time += edge->callee_time;
}

struct met {
	struct pn_timed_edge edge;
	double when;
};

static int by_last(const void *a, const void *b)
{
	const struct met *x = a, *y = b;

	return (x->when < y->when) - (x->when > y->when);
}

/* Of stacks: what was met last comes first, where times are equal; so do
 * Racket's lists. */
static void add_shared_edges(struct maker *m)
{
	const struct pn_callgraph_shares *d = m->divided;
	const struct pn_graph *g = &m->p->graph;
	struct met *list =
		pn_calloc(g->edge_count + 2 * g->node_count + 1, sizeof(*list));
	size_t i, n = 0;

	for (i = 0; i < g->edge_count; i++)
		list[n++] =
			(struct met){{m->number[g->edges[i].caller],
				      m->number[g->edges[i].callee],
				      value_of(m, g->edge_total, i, m->type),
				      d->edges[i].by_callee * m->scale,
				      d->edges[i].by_caller * m->scale},
				     d->edges[i].met};
	for (i = 0; i < g->node_count; i++) {
		double self = value_of(m, g->self, i, m->type);

		if (d->nodes[i].root_met != 0)
			list[n++] = (struct met){
				{0, m->number[i], d->nodes[i].root * m->scale,
				 d->nodes[i].root_share * m->scale,
				 d->nodes[i].root * m->scale},
				d->nodes[i].root_met};
		if (d->nodes[i].leaf_met != 0)
			list[n++] = (struct met){{m->number[i], 0, self, self,
						  d->nodes[i].leaf * m->scale},
						 d->nodes[i].leaf_met};
	}
	qsort(list, n, sizeof(*list), by_last);
	for (i = 0; i < n; i++) /* a graph of stacks has each but once */
		add_new_edge(m, &list[i].edge);
	free(list);
}

/* Edges of and to the root, where the graph has none. */
static void add_root_edges(struct maker *m)
{
	const struct pn_graph *g = &m->p->graph;
	bool *called = pn_calloc(g->node_count + 1, sizeof(*called));
	double time;
	size_t i;

	for (i = 0; i < g->edge_count; i++)
		called[g->edges[i].callee] |=
			g->edges[i].caller != g->edges[i].callee;
	for (i = 0; i < g->node_count; i++) {
		time = value_of(m, g->total, i, m->type);
		if (!called[i])
			add_edge(m, &(struct pn_timed_edge){0, m->number[i],
							    time, time, time});
		time = value_of(m, g->self, i, m->type);
		if (time != 0)
			add_edge(m, &(struct pn_timed_edge){m->number[i], 0,
							    time, time, time});
	}
	free(called);
}

static void add_edges(struct maker *m)
{
	const struct pn_graph *g = &m->p->graph;
	size_t i;

	for (i = 0; i < g->edge_count; i++) {
		struct pn_timed_edge edge = {
			.caller = m->number[g->edges[i].caller],
			.callee = m->number[g->edges[i].callee]};

		edge.total = value_of(m, g->edge_total, i, m->type);
		edge.caller_time = edge.callee_time = edge.total;
		if (m->shares != SIZE_MAX) {
			edge.caller_time =
				value_of(m, g->edge_self, i, m->shares);
			edge.callee_time =
				value_of(m, g->edge_total, i, m->shares);
		}
		add_edge(m, &edge);
	}
	if (m->out->nodes[0].node == PN_NONE)
		add_root_edges(m);
}

/* The edges at one of their ends, node by node, largest time first; first[n]
 * up to first[n + 1] are those of node n. */
static size_t *sort_edges(const struct pn_timed *t, size_t *first, bool callers)
{
	struct keyed *list = pn_calloc(t->edge_count + 1, sizeof(*list));
	size_t *sorted = pn_calloc(t->edge_count + 1, sizeof(*sorted));
	size_t i, *next = pn_calloc(t->node_count + 1, sizeof(*next));

	for (i = 0; i < t->edge_count; i++)
		first[(callers ? t->edges[i].callee : t->edges[i].caller) +
		      1]++;
	for (i = 1; i <= t->node_count; i++)
		first[i] += first[i - 1];
	memcpy(next, first, (t->node_count + 1) * sizeof(*next));
	for (i = 0; i < t->edge_count; i++) {
		const struct pn_timed_edge *edge = &t->edges[i];
		size_t to = next[callers ? edge->callee : edge->caller]++;

		list[to].key = callers ? edge->caller_time : edge->callee_time;
		list[to].at = i;
	}
	for (i = 0; i < t->node_count; i++)
		qsort(list + first[i], first[i + 1] - first[i], sizeof(*list),
		      by_key);
	for (i = 0; i < t->edge_count; i++)
		sorted[i] = list[i].at;
	free(list);
	free(next);
	return sorted;
}

static void sort_all(struct pn_timed *t)
{
	size_t *callers = pn_calloc(t->node_count + 2, sizeof(*callers));
	size_t *callees = pn_calloc(t->node_count + 2, sizeof(*callees));
	size_t i;

	t->callers = sort_edges(t, callers, true);
	t->callees = sort_edges(t, callees, false);
	for (i = 0; i < t->node_count; i++) {
		struct pn_timed_node *node = &t->nodes[i];

		node->caller_first = callers[i];
		node->caller_count = callers[i + 1] - callers[i];
		node->callee_first = callees[i];
		node->callee_count = callees[i + 1] - callees[i];
	}
	free(callers);
	free(callees);
}

const char *pn_timed_name(struct pn_buf *src, const struct pn_timed *timed,
			  size_t node)
{
	const struct pn_profile *p = timed->graph;
	uint32_t at = timed->nodes[node].node;
	const struct pn_location *l;
	const struct pn_line *line;
	const struct pn_function *f;
	int64_t number;

	pn_buf_clear(src);
	at = at == PN_NONE ? PN_NONE : p->graph.nodes[at].location;
	l = at == PN_NONE ? NULL : &p->locations[at];
	if (!l || !l->line_count)
		return "";
	line = &p->lines[l->line_first];
	f = &p->functions[line->function];
	number = line->line ? line->line : f->start_line;
	pn_buf_add_text(src, pn_profile_text(p, f->file));
	if (src->len) /* Racket's reader wants a line, from 1 on */
		pn_buf_printf(src, ":%" PRId64 ":%" PRId64,
			      number > 0 ? number : 1,
			      line->column > 0 ? line->column - 1 : 0);
	return pn_profile_text(p, f->name);
}

/* Functions of one name and place, as those of two objects, are told apart. */
static void number_names(struct pn_timed *t)
{
	struct pn_buf src = {0}, key = {0};
	struct pn_strtab names = {0};
	uint32_t *count = pn_calloc(t->node_count + 2, sizeof(*count)), id;
	size_t i;

	for (i = 0; i < t->node_count; i++) {
		const char *name = pn_timed_name(&src, t, i);

		pn_buf_clear(&key);
		pn_buf_printf(&key, "%s\n%s", name, pn_buf_text(&src));
		id = pn_strtab_add(&names, key.data, key.len);
		t->nodes[i].alike = count[id]++;
	}
	pn_strtab_release(&names);
	pn_buf_release(&src);
	pn_buf_release(&key);
	free(count);
}

/* How many samples there are; of a graph nobody knows. */
static double count_samples(const struct pn_profile *p)
{
	const char *type;
	double count = 0;
	size_t i, k;

	if (!p->sample_count)
		return 1;
	for (k = 0; k < p->type_count; k++) {
		type = pn_profile_text(p, p->types[k].type);
		if (!strcmp(type, "samples") &&
		    p->types[k].number == PN_NUMBER_INT)
			break;
	}
	for (i = 0; i < p->sample_count; i++)
		count += k < p->type_count
				 ? (double)p->values[i * p->type_count + k].i
				 : 1;
	return fmax(count, 1);
}

static void add_totals(struct maker *m, const struct pn_profile *profile)
{
	struct pn_timed *out = m->out;
	double cpu = out->of_stacks ? (double)profile->duration_ns / 1e6 : 0;
	size_t i;

	for (i = 0; i < m->p->graph.node_count; i++)
		out->total_time += value_of(m, m->p->graph.self, i, m->type);
	out->cpu_time = fmax(cpu, out->total_time);
	out->samples = count_samples(out->of_stacks ? profile : m->p);
	pn_profile_fact(&out->cpu_time, profile, PN_TIMED_CPU_TIME);
	pn_profile_fact(&out->samples, profile, PN_TIMED_SAMPLES);
	pn_profile_fact(&out->total_time, profile, PN_TIMED_TOTAL_TIME);
	out->thread_count = out->of_stacks ? 0 : profile->events.thread_count;
	if (!out->thread_count)
		out->thread_count = 1;
}

static int find_types(struct maker *m, struct pn_error *err)
{
	const struct pn_profile *p = m->p;
	size_t i, time = SIZE_MAX;
	const char *unit;

	m->shares = SIZE_MAX;
	for (i = 0; i < p->type_count; i++) {
		unit = pn_profile_text(p, p->types[i].unit);
		if (!strcmp(pn_profile_text(p, p->types[i].type),
			    PN_TIMED_EDGE_TIME))
			m->shares = i;
		else if (pn_unit_comparable(unit, "ms") &&
			 (time == SIZE_MAX ||
			  p->types[i].type == p->default_type))
			time = i;
	}
	if (m->type == SIZE_MAX)
		m->type = time;
	if (m->type == SIZE_MAX)
		return pn_error_set(err, PN_EINVAL,
				    "need values in a unit of time");
	unit = pn_profile_text(p, p->types[m->type].unit);
	if (m->scale == 0)
		m->scale = strcmp(unit, "milliseconds") != 0
				   ? pn_unit_scale(&unit, 1, unit, "ms")
				   : 1;
	return 0;
}

static void make(struct maker *m, const struct pn_profile *profile)
{
	m->out->graph = m->p;
	add_nodes(m);
	if (m->divided)
		add_shared_edges(m);
	else
		add_edges(m);
	sort_all(m->out);
	number_names(m->out);
	add_totals(m, profile);
	free(m->number);
	pn_strtab_release(&m->pairs);
}

int pn_timed_init(struct pn_timed *out, const struct pn_profile *profile,
		  size_t type, double scale, struct pn_error *err)
{
	struct maker m = {
		.out = out, .p = profile, .type = type, .scale = scale};
	struct pn_callgraph_shares divided = {0};
	int code = find_types(&m, err);

	if (code)
		return code;
	memset(out, 0, sizeof(*out));
	pn_profile_init(&out->made);
	out->of_stacks = profile->sample_count && !profile->graph.node_count;
	if (out->of_stacks) {
		divided.type = m.type;
		pn_callgraph_share(&out->made, &divided, profile);
		m.p = &out->made;
		m.divided = &divided;
	}
	make(&m, profile);
	pn_callgraph_shares_release(&divided);
	return 0;
}

void pn_timed_release(struct pn_timed *timed)
{
	free(timed->nodes);
	free(timed->edges);
	free(timed->callers);
	free(timed->callees);
	pn_profile_release(&timed->made);
	memset(timed, 0, sizeof(*timed));
}
