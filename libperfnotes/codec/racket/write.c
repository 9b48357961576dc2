/*
 * Writing Racket's JSON. Of stacks the times of edges are divided as Racket
 * divides them. A graph of another format has one time an edge, which stands
 * for all three, and Racket's node 0 calls what nobody calls. Callers and
 * callees are sorted as Racket sorts them, nodes by total time.
 */
#include "base/alloc.h"
#include "base/json/json.h"
#include "base/number.h"
#include "codec/racket/racket.h"
#include "codec/racket/said.h"
#include "model/graph/callgraph.h"
#include "model/unit.h"
#include "model/unnamed.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct edge {
	uint32_t caller, callee; /* numbers in the file */
	double total, caller_time, callee_time;
};

struct encoder {
	const struct pn_profile *p; /* has the graph */
	size_t type, shares; /* value types; shares SIZE_MAX: there are none */
	double scale;	     /* to milliseconds */
	uint32_t *number;    /* by node: its number in the file */
	uint32_t *order;     /* by number, the other way round; PN_NONE: 0 */
	uint32_t *alike;     /* by number: how many had its name before */
	size_t count;	     /* nodes of the file */
	struct edge *edges;
	size_t edge_count, edge_cap;
	struct pn_strtab pairs;	       /* of callers and callees, by edge */
	size_t *by_caller, *by_callee; /* edges, sorted */
	struct pn_racket_said said;
	bool told;				   /* times of threads */
	const struct pn_callgraph_shares *divided; /* NULL: of no stacks */
	const struct pn_profile *sampled;	   /* what `p` was made of */
	struct pn_json_writer w;
};

static double value_of(const struct encoder *e, const union pn_value *values,
		       size_t row, size_t type)
{
	union pn_value v = values[row * e->p->type_count + type];
	double value =
		e->p->types[type].number == PN_NUMBER_INT ? (double)v.i : v.d;

	return e->scale == 1 ? value : value * e->scale;
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

/* Number 0 is the root: a node without location, else one of our own. */
static void number_nodes(struct encoder *e)
{
	const struct pn_graph *g = &e->p->graph;
	struct keyed *list = pn_calloc(g->node_count + 1, sizeof(*list));
	size_t i, n = 0;

	e->number = pn_calloc(g->node_count + 1, sizeof(*e->number));
	e->order = pn_calloc(g->node_count + 1, sizeof(*e->order));
	e->order[0] = PN_NONE;
	for (i = 0; i < g->node_count; i++) {
		if (g->nodes[i].location == PN_NONE && e->order[0] == PN_NONE) {
			e->order[0] = (uint32_t)i;
			continue;
		}
		list[n].key = value_of(e, g->total, i, e->type);
		list[n++].at = i;
	}
	qsort(list, n, sizeof(*list), by_key);
	e->count = 1;
	for (i = 0; i < n; i++) {
		e->number[list[i].at] = (uint32_t)e->count;
		e->order[e->count++] = (uint32_t)list[i].at;
	}
	free(list);
}

static void add_edge(struct encoder *e, const struct edge *edge)
{
	const uint32_t key[2] = {edge->caller, edge->callee};
	size_t had = e->pairs.count;
	uint32_t id = pn_strtab_add(&e->pairs, key, sizeof(key));
	struct edge *known;

	if (e->pairs.count != had) {
		e->edges = pn_grow(e->edges, &e->edge_cap, e->edge_count + 1,
				   sizeof(*edge));
		e->edges[e->edge_count++] = *edge;
		return;
	}
	known = &e->edges[id - 1]; /* called from several lines */
	known->total += edge->total;
	known->caller_time += edge->caller_time;
	known->callee_time += edge->callee_time;
}

/* What stands first and last on stacks. */
static void add_stack_ends(struct encoder *e)
{
	const struct pn_callgraph_shares *d = e->divided;
	double self;
	size_t i;

	for (i = 0; i < e->p->graph.node_count; i++) {
		self = value_of(e, e->p->graph.self, i, e->type);
		if (d->root[i] != 0)
			add_edge(e, &(struct edge){0, e->number[i],
						   d->root[i] * e->scale,
						   d->root_share[i] * e->scale,
						   d->root[i] * e->scale});
		if (self != 0)
			add_edge(e, &(struct edge){e->number[i], 0, self, self,
						   d->leaf[i] * e->scale});
	}
}

/* Edges of and to the root, where the graph has none. */
static void add_root_edges(struct encoder *e)
{
	const struct pn_graph *g = &e->p->graph;
	bool *called = pn_calloc(g->node_count + 1, sizeof(*called));
	double time;
	size_t i;

	for (i = 0; i < g->edge_count; i++)
		called[g->edges[i].callee] |=
			g->edges[i].caller != g->edges[i].callee;
	for (i = 0; i < g->node_count; i++) {
		time = value_of(e, g->total, i, e->type);
		if (!called[i])
			add_edge(e, &(struct edge){0, e->number[i], time, time,
						   time});
		time = value_of(e, g->self, i, e->type);
		if (time != 0)
			add_edge(e, &(struct edge){e->number[i], 0, time, time,
						   time});
	}
	free(called);
}

static void number_edges(struct encoder *e)
{
	const struct pn_graph *g = &e->p->graph;
	size_t i;

	for (i = 0; i < g->edge_count; i++) {
		struct edge edge = {.caller = e->number[g->edges[i].caller],
				    .callee = e->number[g->edges[i].callee]};

		edge.total = value_of(e, g->edge_total, i, e->type);
		edge.caller_time = edge.callee_time = edge.total;
		if (e->shares != SIZE_MAX) {
			edge.caller_time =
				value_of(e, g->edge_self, i, e->shares);
			edge.callee_time =
				value_of(e, g->edge_total, i, e->shares);
		}
		if (e->divided) {
			edge.caller_time = e->divided->by_callee[i] * e->scale;
			edge.callee_time = e->divided->by_caller[i] * e->scale;
		}
		add_edge(e, &edge);
	}
	if (e->divided)
		add_stack_ends(e);
	else if (e->order[0] == PN_NONE)
		add_root_edges(e);
}

/* The edges of each node at one of their ends, largest time first; `first`
 * has count + 1 places. */
static size_t *sort_edges(const struct encoder *e, size_t *first, bool callers)
{
	struct keyed *list = pn_calloc(e->edge_count + 1, sizeof(*list));
	size_t *sorted = pn_calloc(e->edge_count + 1, sizeof(*sorted));
	size_t i, *next = pn_calloc(e->count + 1, sizeof(*next));

	for (i = 0; i < e->edge_count; i++)
		first[(callers ? e->edges[i].callee : e->edges[i].caller) +
		      1]++;
	for (i = 1; i <= e->count; i++)
		first[i] += first[i - 1];
	memcpy(next, first, (e->count + 1) * sizeof(*next));
	for (i = 0; i < e->edge_count; i++) {
		const struct edge *edge = &e->edges[i];
		size_t to = next[callers ? edge->callee : edge->caller]++;

		list[to].key = callers ? edge->caller_time : edge->callee_time;
		list[to].at = i;
	}
	for (i = 0; i < e->count; i++)
		qsort(list + first[i], first[i + 1] - first[i], sizeof(*list),
		      by_key);
	for (i = 0; i < e->edge_count; i++)
		sorted[i] = list[i].at;
	free(list);
	free(next);
	return sorted;
}

/* Racket writes 5.0 where JSON would do with 5. */
/* `whole` without ".0" where it is. */
static void write_number(struct encoder *e, const char *key, double value,
			 bool whole)
{
	char text[PN_NUMBER_TEXT];
	size_t len = pn_number_write(text, isfinite(value) ? value : 0, !whole);

	pn_json_key(&e->w, key);
	pn_json_raw(&e->w, text, len);
}

static void write_time(struct encoder *e, const char *key, double value)
{
	write_number(e, key, value, false);
}

static void write_edge(struct encoder *e, const struct edge *edge)
{
	pn_json_open(&e->w, '{');
	pn_json_member_int(&e->w, "callee", edge->callee);
	write_time(e, "callee_time", edge->callee_time);
	pn_json_member_int(&e->w, "caller", edge->caller);
	write_time(e, "caller_time", edge->caller_time);
	write_time(e, "total", edge->total);
	pn_json_close(&e->w, '}');
}

static void write_edges(struct encoder *e, const char *key,
			const size_t *sorted, const size_t *first, size_t at)
{
	size_t i;

	pn_json_key(&e->w, key);
	pn_json_open(&e->w, '[');
	for (i = first[at]; i < first[at + 1]; i++)
		write_edge(e, &e->edges[sorted[i]]);
	pn_json_close(&e->w, ']');
}

static void write_text(struct encoder *e, const char *key, const char *text)
{
	pn_json_key(&e->w, key);
	if (*text)
		pn_json_string(&e->w, text);
	else
		pn_json_bool(&e->w, false);
}

/* Name and place of a node; "" where it has none. */
static const char *name_node(struct pn_buf *src, const struct encoder *e,
			     uint32_t node)
{
	uint32_t at =
		node == PN_NONE ? PN_NONE : e->p->graph.nodes[node].location;
	const struct pn_location *l =
		at == PN_NONE ? NULL : &e->p->locations[at];
	const struct pn_line *line;
	const struct pn_function *f;
	int64_t number;

	pn_buf_clear(src);
	if (!l || !l->line_count)
		return "";
	line = &e->p->lines[l->line_first];
	f = &e->p->functions[line->function];
	number = line->line ? line->line : f->start_line;
	pn_buf_add_text(src, pn_profile_text(e->p, f->file));
	if (src->len) /* Racket's reader wants a line, from 1 on */
		pn_buf_printf(src, ":%" PRId64 ":%" PRId64,
			      number > 0 ? number : 1,
			      line->column > 0 ? line->column - 1 : 0);
	return pn_profile_text(e->p, f->name);
}

static void write_threads(struct encoder *e, const char *id, const char *src)
{
	struct pn_buf label = {0};
	const struct pn_buf *threads = NULL;
	uint32_t at;

	pn_buf_printf(&label, "%s\n%s", id, src);
	if (pn_strtab_find(&at, &e->said.labels, label.data, label.len) &&
	    at < e->said.cap)
		threads = &e->said.threads[at];
	pn_json_key(&e->w, "thread_ids");
	if (threads && threads->len)
		pn_json_raw(&e->w, pn_buf_text(threads), threads->len);
	else if (e->told || e->said.members.len || (!*id && !*src))
		pn_json_raw(&e->w, "[]", 2);
	else
		pn_json_raw(&e->w, "[0]", 3); /* of write_totals */
	pn_buf_release(&label);
}

/* Functions of one name and place, as those of two objects, stay apart for
 * readers, who tell nodes by both: "f", "f#2". */
static void number_names(struct encoder *e)
{
	struct pn_buf src = {0}, key = {0};
	struct pn_strtab names = {0};
	uint32_t *count = pn_calloc(e->count + 2, sizeof(*count)), id;
	size_t i;

	e->alike = pn_calloc(e->count + 1, sizeof(*e->alike));
	for (i = 0; i < e->count; i++) {
		const char *name = name_node(&src, e, e->order[i]);

		pn_buf_clear(&key);
		pn_buf_printf(&key, "%s\n%s", name, pn_buf_text(&src));
		id = pn_strtab_add(&names, key.data, key.len);
		e->alike[i] = count[id]++;
	}
	pn_strtab_release(&names);
	pn_buf_release(&src);
	pn_buf_release(&key);
	free(count);
}

static void write_node(struct encoder *e, size_t at, const size_t *callers,
		       const size_t *callees)
{
	const struct pn_graph *g = &e->p->graph;
	uint32_t node = e->order[at];
	struct pn_buf src = {0}, id = {0};
	double total = 0;
	size_t i;

	if (node != PN_NONE)
		total = value_of(e, g->total, node, e->type);
	for (i = 0; node == PN_NONE && i < g->node_count; i++)
		total += value_of(e, g->self, i, e->type);
	pn_buf_add_text(&id, name_node(&src, e, node));
	if (e->alike[at])
		pn_buf_printf(&id, "#%" PRIu32, e->alike[at] + 1);
	pn_json_open(&e->w, '{');
	write_edges(e, "callees", e->by_caller, callees, at);
	write_edges(e, "callers", e->by_callee, callers, at);
	write_text(e, "id", pn_buf_text(&id));
	write_time(e, "self",
		   node == PN_NONE ? 0 : value_of(e, g->self, node, e->type));
	write_text(e, "src", pn_buf_text(&src));
	write_threads(e, pn_buf_text(&id), pn_buf_text(&src));
	write_time(e, "total", total);
	pn_json_close(&e->w, '}');
	pn_buf_release(&src);
	pn_buf_release(&id);
}

/* How many samples there are; of a graph nobody knows. */
static double count_samples(const struct pn_profile *p)
{
	const char *type;
	double count = 0;
	size_t i, k;

	if (!p)
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

/* A fact in its own unit, or what would be there without. */
static void write_fact(struct encoder *e, const char *key, const char *name,
		       double otherwise, bool whole)
{
	const struct pn_profile *p = e->sampled ? e->sampled : e->p;

	pn_profile_fact(&otherwise, p, name);
	write_number(e, key, otherwise, whole);
}

static void write_thread(struct encoder *e, const char *id, double time)
{
	pn_json_open(&e->w, '{');
	pn_json_key(&e->w, "id");
	pn_json_raw(&e->w, id, strlen(id));
	write_time(e, "time", time);
	pn_json_close(&e->w, '}');
}

/* Without costs of threads all is of one. */
static void write_threads_of_all(struct encoder *e, double total)
{
	const struct pn_events *events = &e->p->events;
	int64_t id;
	size_t i;

	pn_json_key(&e->w, "thread_times");
	pn_json_open(&e->w, '[');
	for (i = 0; e->told && i < events->thread_count; i++) {
		const char *text = pn_profile_text(e->p, events->threads[i].id);

		if (pn_number_int(&id, text, strlen(text)))
			write_thread(e, text, events->threads[i].cost);
	}
	if (!e->told)
		write_thread(e, "0", total);
	pn_json_close(&e->w, ']');
}

/* What Racket's own reader asks for, also of what it did not write:
 * json->profile fails where one of them is missing. */
static void write_totals(struct encoder *e)
{
	double total = 0, cpu;
	size_t i;

	for (i = 0; i < e->p->graph.node_count; i++)
		total += value_of(e, e->p->graph.self, i, e->type);
	cpu = e->sampled ? (double)e->sampled->duration_ns / 1e6 : 0;
	write_fact(e, "cpu_time", PN_RACKET_CPU_TIME, fmax(cpu, total), false);
	write_fact(e, "sample_number", PN_RACKET_SAMPLES,
		   count_samples(e->sampled), true);
	write_threads_of_all(e, total);
	write_fact(e, "total_time", PN_RACKET_TOTAL_TIME, total, false);
}

static void write_document(struct encoder *e, struct pn_buf *out)
{
	size_t *callers = pn_calloc(e->count + 2, sizeof(*callers));
	size_t *callees = pn_calloc(e->count + 2, sizeof(*callees));
	size_t i;

	e->by_callee = sort_edges(e, callers, true);
	e->by_caller = sort_edges(e, callees, false);
	pn_json_writer_init(&e->w, out, 0);
	pn_json_open(&e->w, '{');
	if (e->said.members.len)
		pn_buf_add(out, e->said.members.data, e->said.members.len);
	else
		write_totals(e);
	pn_json_key(&e->w, "nodes");
	pn_json_open(&e->w, '[');
	for (i = 0; i < e->count; i++)
		write_node(e, i, callers, callees);
	pn_json_close(&e->w, ']');
	pn_json_close(&e->w, '}');
	pn_buf_add_byte(out, '\n');
	free(callers);
	free(callees);
}

static int find_types(struct encoder *e, struct pn_error *err)
{
	const struct pn_profile *p = e->p;
	const char *unit;
	size_t i;

	e->type = e->shares = SIZE_MAX;
	for (i = 0; i < p->type_count; i++) {
		unit = pn_profile_text(p, p->types[i].unit);
		if (!strcmp(pn_profile_text(p, p->types[i].type), "edge-time"))
			e->shares = i;
		else if (pn_unit_comparable(unit, "ms") &&
			 (e->type == SIZE_MAX ||
			  p->types[i].type == p->default_type))
			e->type = i;
	}
	if (e->type == SIZE_MAX)
		return pn_error_set(err, PN_EINVAL,
				    "format racket needs values in a unit of "
				    "time");
	unit = pn_profile_text(p, p->types[e->type].unit);
	e->scale = strcmp(unit, "milliseconds") != 0
			   ? pn_unit_scale(&unit, 1, unit, "ms")
			   : 1;
	return 0;
}

static int write_graph(struct pn_buf *out, struct encoder *e,
		       struct pn_error *err)
{
	int code = pn_racket_said_read(&e->said, e->p, err);

	e->told = !e->sampled && e->p->events.thread_count;
	if (!code) {
		number_nodes(e);
		number_edges(e);
		number_names(e);
		write_document(e, out);
	}
	free(e->number);
	free(e->order);
	free(e->alike);
	free(e->edges);
	pn_strtab_release(&e->pairs);
	free(e->by_caller);
	free(e->by_callee);
	pn_racket_said_release(&e->said);
	return code;
}

static int write_named(struct pn_buf *out, const struct pn_profile *profile,
		       struct pn_error *err)
{
	struct encoder e = {.p = profile};
	struct pn_callgraph_shares divided = {0};
	struct pn_profile graph;
	int code = find_types(&e, err);

	if (code)
		return code;
	if (!profile->sample_count || profile->graph.node_count)
		return write_graph(out, &e, err);
	divided.type = e.type;
	pn_callgraph_share(&graph, &divided, profile);
	e.p = &graph;
	e.sampled = profile;
	e.divided = &divided;
	code = write_graph(out, &e, err);
	pn_profile_release(&graph);
	pn_callgraph_shares_release(&divided);
	return code;
}

int pn_racket_write(struct pn_buf *out, const struct pn_profile *profile,
		    struct pn_error *err)
{
	return pn_unnamed_write(out, profile, write_named, err);
}
