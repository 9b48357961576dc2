/*
 * Reading Python's profile dumps: one marshalled dict
 *
 *	(file, line, name) -> (primitive calls, calls, own s, cumulative s,
 *			       {caller: (calls, primitive, own, cumulative)})
 *
 * with the caller's two counts the other way round (cProfile), or a plain
 * number of calls for a caller (the pure profile module). Lib/pstats.py.
 */
#include "base/alloc.h"
#include "codec/frames.h"
#include "codec/pstats/marshal.h"
#include "codec/pstats/pstats.h"
#include "model/graph/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DUMP_MAX ((uint64_t)1 << 32)
#define CALLER_BYTES 10 /* at least: two references, or one and a number */

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_marshal m;
	uint32_t *nodes; /* by place in the pool: of its function, + 1 */
	size_t node_cap;
	uint32_t *order; /* nodes as the dump lists them */
	size_t order_count, order_cap;
	size_t *seen; /* by caller: the last callee it was listed at, + 1 */
	size_t seen_cap, seen_count;
};

/* The node of a function: nodes and locations have one numbering. */
static uint32_t node_of(struct decoder *d, const struct pn_marshal_value *items)
{
	struct pn_frame frame = {
		.name = items[2].v.string,
		.file = items[0].v.string,
		.mapping = PN_NONE,
		.start_line = items[1].v.i,
		.line = items[1].v.i,
	};
	uint32_t at = pn_frames_location(&d->frames, d->p, &frame);

	if (at == d->p->graph.node_count)
		pn_graph_add_node(d->p, at, -1, -1);
	return at;
}

/* A function is met once and then referred to: its place in the pool is the
 * same, unless nothing has a number and the pool is used again. */
static uint32_t *memo_of(struct decoder *d, const struct pn_marshal_value *v)
{
	size_t had = d->node_cap;

	if (!d->m.ref_count)
		return NULL;
	d->nodes =
		pn_grow(d->nodes, &d->node_cap, v->v.at + 1, sizeof(*d->nodes));
	memset(d->nodes + had, 0, (d->node_cap - had) * sizeof(*d->nodes));
	return &d->nodes[v->v.at];
}

static int take_function(uint32_t *out, struct decoder *d,
			 const struct pn_marshal_value *v, struct pn_error *err)
{
	const struct pn_marshal_value *items = pn_marshal_items(&d->m, v);
	uint32_t *memo;

	if (v->kind != PN_MARSHAL_TUPLE || v->count != 3)
		items = NULL;
	memo = items ? memo_of(d, v) : NULL;
	if (memo && *memo) {
		*out = *memo - 1;
		return 0;
	}
	if (!items || items[0].kind != PN_MARSHAL_STRING ||
	    items[1].kind != PN_MARSHAL_INT ||
	    items[2].kind != PN_MARSHAL_STRING)
		return pn_marshal_fail(
			&d->m, err,
			"expected a function as a tuple of file, "
			"line and name before here");
	*out = node_of(d, items);
	if (memo)
		*memo = *out + 1;
	return 0;
}

static bool take_count(int64_t *out, const struct pn_marshal_value *v)
{
	*out = v->v.i;
	return v->kind == PN_MARSHAL_INT && v->v.i >= 0;
}

static bool take_seconds(double *out, const struct pn_marshal_value *v)
{
	*out = v->kind == PN_MARSHAL_INT ? (double)v->v.i : v->v.d;
	return v->kind == PN_MARSHAL_INT ||
	       (v->kind == PN_MARSHAL_FLOAT && isfinite(v->v.d));
}

static int take_caller_value(struct pn_edge *edge, double seconds[2],
			     struct decoder *d,
			     const struct pn_marshal_value *v,
			     struct pn_error *err)
{
	const struct pn_marshal_value *items = pn_marshal_items(&d->m, v);

	edge->primitive = -1;
	seconds[0] = seconds[1] = 0;
	if (v->kind == PN_MARSHAL_INT && take_count(&edge->calls, v))
		return 0;
	if (v->kind != PN_MARSHAL_TUPLE || v->count != 4 ||
	    !take_count(&edge->calls, &items[0]) ||
	    !take_count(&edge->primitive, &items[1]) ||
	    !take_seconds(&seconds[0], &items[2]) ||
	    !take_seconds(&seconds[1], &items[3]))
		return pn_marshal_fail(
			&d->m, err,
			"expected a caller's number of calls, or "
			"its 2 counts and 2 times, before here");
	return 0;
}

/* Whether the caller was listed at this callee before. */
static bool is_again(struct decoder *d, uint32_t caller, uint32_t callee)
{
	size_t had = d->seen_cap;

	if (caller >= had) {
		d->seen = pn_grow(d->seen, &d->seen_cap, (size_t)caller + 1,
				  sizeof(*d->seen));
		while (had < d->seen_cap)
			d->seen[had++] = 0;
	}
	if (d->seen[caller] == (size_t)callee + 1)
		return true;
	d->seen[caller] = (size_t)callee + 1;
	return false;
}

static int take_callers(struct decoder *d, uint32_t callee,
			const struct pn_marshal_value *callers,
			struct pn_error *err)
{
	size_t i, at;
	size_t most = (size_t)(d->m.end - d->m.begin) / CALLER_BYTES;

	/* one dict by reference at every function */
	if (callers->count > most - d->p->graph.edge_count)
		return pn_marshal_fail(&d->m, err,
				       "more callers than the dump has room "
				       "for before here");
	for (i = 0; i < callers->count; i++) {
		const struct pn_marshal_value *pair =
			pn_marshal_items(&d->m, callers) + 2 * i;
		struct pn_edge edge = {.callee = callee};
		double seconds[2];

		if (take_function(&edge.caller, d, pair, err) ||
		    take_caller_value(&edge, seconds, d, pair + 1, err))
			return PN_EINVAL;
		if (is_again(d, edge.caller, callee))
			return pn_marshal_fail(&d->m, err,
					       "one caller twice before here");
		at = pn_graph_add_edge(d->p, &edge);
		d->p->graph.edge_self[at].d = seconds[0];
		d->p->graph.edge_total[at].d = seconds[1];
	}
	return 0;
}

static int take_entry(struct decoder *d, const struct pn_marshal_value *key,
		      const struct pn_marshal_value *value,
		      struct pn_error *err)
{
	const struct pn_marshal_value *items = pn_marshal_items(&d->m, value);
	struct pn_graph *g = &d->p->graph;
	struct pn_marshal_value callers;
	int64_t primitive, calls;
	double own, cumulative;
	uint32_t at = 0;

	if (take_function(&at, d, key, err))
		return PN_EINVAL;
	if (value->kind != PN_MARSHAL_TUPLE || value->count != 5 ||
	    !take_count(&primitive, &items[0]) ||
	    !take_count(&calls, &items[1]) || !take_seconds(&own, &items[2]) ||
	    !take_seconds(&cumulative, &items[3]) ||
	    items[4].kind != PN_MARSHAL_DICT)
		return pn_marshal_fail(&d->m, err,
				       "expected 2 counts, 2 times and the "
				       "callers of a function before here");
	if (g->nodes[at].calls >= 0)
		return pn_marshal_fail(&d->m, err,
				       "one function twice before here");
	callers = items[4];
	d->order = pn_grow(d->order, &d->order_cap, d->order_count + 1,
			   sizeof(*d->order));
	d->order[d->order_count++] = at;
	g->nodes[at].calls = calls;
	g->nodes[at].primitive = primitive;
	g->self[at].d = own;
	g->total[at].d = cumulative;
	return take_callers(d, at, &callers, err);
}

static int take_dump(struct decoder *d, struct pn_error *err)
{
	struct pn_marshal_value key, value;
	int code = pn_marshal_open_dict(&d->m, err);

	while (!code) {
		code = pn_marshal_next(&key, &d->m, 1, err);
		if (code || key.kind == PN_MARSHAL_END)
			break;
		code = pn_marshal_next(&value, &d->m, 1, err);
		if (!code)
			code = take_entry(d, &key, &value, err);
		/* nothing can refer to items that took no number */
		if (!d->m.ref_count)
			d->m.pool_count = 0;
	}
	if (!code && !d->p->graph.node_count)
		return pn_marshal_fail(&d->m, err, "a dump without functions");
	return code;
}

/* Functions in the order of the dict, which reports without a sort key show
 * and ties stay in; behind them those that are callers only. */
static void order_nodes(struct decoder *d)
{
	const struct pn_graph *g = &d->p->graph;
	size_t i;

	d->order = pn_grow(d->order, &d->order_cap, g->node_count + 1,
			   sizeof(*d->order));
	for (i = 0; i < g->node_count; i++)
		if (g->nodes[i].calls < 0)
			d->order[d->order_count++] = (uint32_t)i;
	pn_graph_reorder(d->p, d->order);
}

int pn_pstats_read(struct pn_profile *out, struct pn_reader *in,
		   struct pn_error *err)
{
	struct decoder d = {.p = out};
	struct pn_buf bytes = {0};
	int code = pn_reader_rest(&bytes, in, DUMP_MAX, err);

	if (!code) {
		pn_profile_add_type(out, "time", "seconds");
		out->types[0].number = PN_NUMBER_DOUBLE;
		out->types[0].better = PN_BETTER_LESS;
		d.m.begin = d.m.at = bytes.data;
		d.m.end = bytes.data + bytes.len;
		d.m.strings = &out->strings;
		code = take_dump(&d, err);
	}
	if (!code)
		order_nodes(&d);
	if (!code && d.m.at != d.m.end)
		out->complete = false;
	pn_marshal_release(&d.m);
	pn_frames_release(&d.frames);
	free(d.nodes);
	free(d.order);
	free(d.seen);
	pn_buf_release(&bytes);
	return code;
}
