/* Reading Racket's JSON: nodes first, edges by number at the end. */
#include "base/alloc.h"
#include "base/number.h"
#include "codec/frames.h"
#include "codec/json/walk.h"
#include "codec/racket/racket.h"
#include "model/graph/graph.h"
#include "model/graph/timed.h"
#include "model/timeline/events.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct edge {
	int64_t caller, callee;
	double total, caller_time, callee_time;
};

struct thread {
	int64_t id;
	double time;
};

struct node {
	struct decoder *of;
	uint32_t id, src; /* strings, 0: false */
	double self, total;
	struct pn_buf threads; /* JSON */
};

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct edge *edges;
	size_t edge_count, edge_cap;
	struct pn_strtab pairs; /* caller, callee: the numbers of edges */
	double cpu_time, sample_number, total_time; /* NaN: not told */
	struct pn_buf threads;	 /* of nodes, by "id\nsrc"; JSON */
	struct pn_strtab labels; /* of nodes, to find two of one name */
	bool has_nodes;
};

/* An edge stands in the list of its caller and in that of its callee. */
static bool is_same(const struct edge *a, const struct edge *b)
{
	return a->total == b->total && a->caller_time == b->caller_time &&
	       a->callee_time == b->callee_time;
}

static int add_edge(struct decoder *d, struct pn_json *json,
		    const struct edge *edge, struct pn_error *err)
{
	const int64_t key[2] = {edge->caller, edge->callee};
	uint32_t id =
		pn_strtab_add(&d->pairs, key, sizeof(key)) - 1; /* 0 is "" */

	if (id < d->edge_count)
		return is_same(&d->edges[id], edge)
			       ? 0
			       : pn_json_fail(json, err,
					      "the edge has other times in the "
					      "list of its other end");
	d->edges = pn_grow(d->edges, &d->edge_cap, d->edge_count + 1,
			   sizeof(*d->edges));
	d->edges[d->edge_count++] = *edge;
	return 0;
}

static int take_edge(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("caller", edge, caller),
		PN_JSON_FIELD("callee", edge, callee),
		PN_JSON_FIELD("total", edge, total),
		PN_JSON_FIELD("caller_time", edge, caller_time),
		PN_JSON_FIELD("callee_time", edge, callee_time),
		{0},
	};
	struct edge edge = {.caller = -1, .callee = -1};
	int code = pn_json_walk_object(&edge, NULL, json, first, fields, err);

	if (code)
		return code;
	if (edge.caller < 0 || edge.callee < 0)
		return pn_json_fail(json, err,
				    "expected the numbers of caller and "
				    "callee");
	return add_edge(((struct node *)to)->of, json, &edge, err);
}

/* "path:line:column" from the right; anything else is a path. */
static void split_src(struct decoder *d, uint32_t text, struct pn_frame *frame)
{
	const char *src = pn_profile_text(d->p, text);
	const char *column, *line = NULL;
	size_t len;

	column = strrchr(src, ':');
	if (column)
		for (line = column - 1; line > src && *line != ':'; line--)
			;
	if (!column || line <= src ||
	    !pn_number_int(&frame->line, line + 1,
			   (size_t)(column - line) - 1) ||
	    !pn_number_int(&frame->column, column + 1, strlen(column + 1)) ||
	    frame->line < 1 || frame->column < 0 ||
	    frame->column == INT64_MAX) {
		frame->line = frame->column = 0;
		frame->file = text;
		return;
	}
	len = (size_t)(line - src);
	frame->column++; /* Racket counts columns from 0 */
	frame->file = pn_strtab_add(&d->p->strings, src, len);
}

/* "id\nsrc" as a JSON key: what tells nodes apart. */
static int keep_threads(struct decoder *d, const struct node *node,
			struct pn_json *json, struct pn_error *err)
{
	struct pn_buf label = {0};
	struct pn_json_writer w;
	size_t had = d->labels.count;

	pn_buf_printf(&label, "%s\n%s", pn_profile_text(d->p, node->id),
		      pn_profile_text(d->p, node->src));
	pn_strtab_add(&d->labels, label.data, label.len);
	if (d->labels.count == had) {
		pn_buf_release(&label);
		return pn_json_fail(json, err,
				    "another node has this id and src");
	}
	if (node->threads.len) {
		if (d->threads.len)
			pn_buf_add_byte(&d->threads, ',');
		pn_json_writer_init(&w, &d->threads, 0);
		pn_json_string_n(&w, pn_buf_text(&label), label.len);
		pn_buf_add_byte(&d->threads, ':');
		pn_buf_add(&d->threads, node->threads.data, node->threads.len);
	}
	pn_buf_release(&label);
	return 0;
}

static void add_node(struct decoder *d, const struct node *node)
{
	struct pn_frame frame = {.name = node->id, .mapping = PN_NONE};
	struct pn_graph *g = &d->p->graph;
	uint32_t location = PN_NONE, at;

	split_src(d, node->src, &frame);
	frame.start_line = frame.line;
	if (g->node_count || frame.name || frame.file)
		location = pn_frames_location(&d->frames, d->p, &frame);
	at = pn_graph_add_node(d->p, location, -1, -1);
	g->self[at * PN_RACKET_TYPES].d = node->self;
	g->total[at * PN_RACKET_TYPES].d = node->total;
}

static int take_node(void *to, struct pn_json *json, enum pn_json_event first,
		     struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("id", node, id),
		PN_JSON_FIELD("src", node, src),
		PN_JSON_FIELD("self", node, self),
		PN_JSON_FIELD("total", node, total),
		{"callers", .each = take_edge},
		{"callees", .each = take_edge},
		PN_JSON_FIELD("thread_ids", node, threads),
		{0},
	};
	struct decoder *d = to;
	struct node node = {.of = d};
	int code = pn_json_walk_object(&node, &d->p->strings, json, first,
				       fields, err);

	if (!code)
		code = keep_threads(d, &node, json, err);
	if (!code)
		add_node(d, &node);
	pn_buf_release(&node.threads);
	return code;
}

static int take_nodes(void *to, struct pn_json *json, enum pn_json_event first,
		      struct pn_error *err)
{
	((struct decoder *)to)->has_nodes = true;
	return pn_json_walk_array(to, json, first, take_node, err);
}

static int add_edges(struct decoder *d, struct pn_error *err)
{
	struct pn_graph *g = &d->p->graph;
	size_t i, at;

	for (i = 0; i < d->edge_count; i++) {
		const struct edge *e = &d->edges[i];
		struct pn_edge edge = {.calls = -1, .primitive = -1};

		if ((uint64_t)e->caller >= g->node_count ||
		    (uint64_t)e->callee >= g->node_count)
			return pn_error_set(err, PN_EINVAL,
					    "an edge from %" PRId64
					    " to %" PRId64 " of %zu nodes",
					    e->caller, e->callee,
					    g->node_count);
		edge.caller = (uint32_t)e->caller;
		edge.callee = (uint32_t)e->callee;
		at = pn_graph_add_edge(d->p, &edge) * PN_RACKET_TYPES;
		g->edge_total[at + PN_RACKET_TIME].d = e->total;
		g->edge_self[at + PN_RACKET_EDGE_TIME].d = e->caller_time;
		g->edge_total[at + PN_RACKET_EDGE_TIME].d = e->callee_time;
	}
	return 0;
}

/* {"id": 0, "time": 148.0} */
static int take_thread(void *to, struct pn_json *json, enum pn_json_event first,
		       struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		PN_JSON_FIELD("id", thread, id),
		PN_JSON_FIELD("time", thread, time),
		{0},
	};
	struct decoder *d = to;
	struct thread thread = {0};
	char text[24];
	uint32_t at;
	int code = pn_json_walk_object(&thread, NULL, json, first, fields, err);

	if (code)
		return code;
	snprintf(text, sizeof(text), "%" PRId64, thread.id);
	at = pn_events_add_thread(d->p, PN_NONE,
				  pn_strtab_add_text(&d->p->strings, text), 0);
	d->p->events.threads[at].cost = thread.time;
	return 0;
}

static void add_fact(struct decoder *d, const char *name, const char *unit,
		     double value)
{
	if (!isnan(value))
		pn_profile_add_fact(d->p, name, unit, value);
}

/* Which threads a node was seen in has no place in the model. */
static void keep_extra(struct decoder *d)
{
	struct pn_header *header = &d->p->header;
	struct pn_buf text = {0};

	pn_buf_printf(&text, "{\"thread_ids\":{%s}}", pn_buf_text(&d->threads));
	header->extras = pn_calloc(1, sizeof(*header->extras));
	header->extra_count = 1;
	header->extras[0].key =
		pn_strtab_add_text(&d->p->strings, PN_RACKET_EXTRA);
	header->extras[0].value =
		pn_strtab_add(&d->p->strings, text.data, text.len);
	pn_buf_release(&text);
}

static void add_types(struct pn_profile *p)
{
	size_t i;

	pn_profile_add_type(p, "time", "milliseconds");
	pn_profile_add_type(p, PN_TIMED_EDGE_TIME, "milliseconds");
	for (i = 0; i < PN_RACKET_TYPES; i++) {
		p->types[i].number = PN_NUMBER_DOUBLE;
		p->types[i].better = PN_BETTER_LESS;
	}
	p->default_type = p->types[PN_RACKET_TIME].type;
}

int pn_racket_read(struct pn_profile *out, struct pn_reader *in,
		   struct pn_error *err)
{
	static const struct pn_json_field fields[] = {
		{"nodes", take_nodes},
		PN_JSON_FIELD("cpu_time", decoder, cpu_time),
		PN_JSON_FIELD("sample_number", decoder, sample_number),
		{"thread_times", .each = take_thread},
		PN_JSON_FIELD("total_time", decoder, total_time),
		{0},
	};
	struct decoder d = {.p = out,
			    .cpu_time = NAN,
			    .sample_number = NAN,
			    .total_time = NAN};
	int code;

	add_types(out);
	code = pn_json_walk_document(&d, &out->strings, in, fields, err);
	if (!code && (!d.has_nodes || !out->graph.node_count))
		code = pn_error_set(err, PN_EINVAL, "expected nodes");
	if (!code)
		code = add_edges(&d, err);
	if (!code) {
		add_fact(&d, PN_TIMED_CPU_TIME, "ms", d.cpu_time);
		add_fact(&d, PN_TIMED_SAMPLES, "count", d.sample_number);
		add_fact(&d, PN_TIMED_TOTAL_TIME, "ms", d.total_time);
		keep_extra(&d);
	}
	pn_frames_release(&d.frames);
	pn_strtab_release(&d.pairs);
	pn_strtab_release(&d.labels);
	pn_buf_release(&d.threads);
	free(d.edges);
	return code;
}
