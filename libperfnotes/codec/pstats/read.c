/*
 * Reading Python's profile dumps: one marshalled dict
 *
 *	(file, line, name) -> (primitive calls, calls, own s, cumulative s,
 *			       {caller: (calls, primitive, own, cumulative)})
 *
 * with the caller's two counts the other way round (cProfile), or a plain
 * number of calls for a caller (the pure profile module). Lib/pstats.py.
 *
 * As there: a list will do where values are a tuple, a count may be a whole
 * float, and of a key that comes twice the last value counts, at the place of
 * the first.
 */
#include "base/alloc.h"
#include "codec/frames.h"
#include "codec/pstats/marshal.h"
#include "codec/pstats/pstats.h"
#include "model/graph/graph.h"
#include "model/whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CALLER_DEPTH 3	/* containers around a caller */
#define CALLER_BYTES 10 /* at least: two references, or one and a number */
#define CALLER_USUAL 36 /* a reference, two counts and two times in a tuple */

struct decoder {
	struct pn_profile *p;
	struct pn_frames frames;
	struct pn_marshal m;
	uint32_t *nodes; /* by number of a reference: of its function, + 1 */
	size_t node_cap;
	uint32_t *order; /* nodes as the dump lists them */
	size_t order_count, order_cap;
	size_t *seen; /* by caller: the last edge from it, + 1 */
	size_t seen_cap;
	uint64_t callers; /* that were listed so far */
	/* by function: edges before that one are of an entry that a later one
	 * replaced; NULL while there is none */
	size_t *valid_from;
	size_t valid_cap;
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

static int take_function(uint32_t *out, struct decoder *d,
			 const struct pn_marshal_value *v, struct pn_error *err)
{
	const struct pn_marshal_value *items = pn_marshal_items(&d->m, v);

	if (v->kind != PN_MARSHAL_TUPLE || v->count != 3 ||
	    items[0].kind != PN_MARSHAL_STRING ||
	    items[1].kind != PN_MARSHAL_INT ||
	    items[2].kind != PN_MARSHAL_STRING)
		return pn_marshal_fail(
			&d->m, err,
			"expected a function as a tuple of file, "
			"line and name before here");
	*out = node_of(d, items);
	return 0;
}

static void *grow_zeroed(void *items, size_t *cap, size_t need, size_t size)
{
	size_t had = *cap;
	char *now;

	if (need <= had)
		return items;
	now = pn_grow(items, cap, need, size);
	memset(now + had * size, 0, (*cap - had) * size);
	return now;
}

/* A function is met once and then referred to by its number. */
static uint32_t *memo_of(struct decoder *d)
{
	size_t number = pn_marshal_number(&d->m);

	if (number == SIZE_MAX)
		return NULL;
	d->nodes = grow_zeroed(d->nodes, &d->node_cap, number + 1,
			       sizeof(*d->nodes));
	return &d->nodes[number];
}

/* The function that comes next; *end: there is none, but the end of a dict. */
static int next_function(uint32_t *out, bool *end, struct decoder *d, int depth,
			 struct pn_error *err)
{
	uint32_t *memo = memo_of(d);
	struct pn_marshal_value v;

	*end = false;
	if (memo && *memo) {
		pn_marshal_skip_reference(&d->m);
		*out = *memo - 1;
		return 0;
	}
	if (pn_marshal_next(&v, &d->m, depth, err))
		return PN_EINVAL;
	*end = v.kind == PN_MARSHAL_END;
	if (*end)
		return 0;
	if (take_function(out, d, &v, err))
		return PN_EINVAL;
	if (memo)
		*memo = *out + 1;
	return 0;
}

static bool take_count(int64_t *out, const struct pn_marshal_value *v)
{
	*out = v->v.i;
	if (v->kind == PN_MARSHAL_FLOAT)
		return v->v.d >= 0 && pn_whole_number(out, v->v.d);
	return v->kind == PN_MARSHAL_INT && v->v.i >= 0;
}

/* Says that values are none, whose first n are to be counts. */
static int fail_values(const struct decoder *d,
		       const struct pn_marshal_value *v, size_t n,
		       const char *text, struct pn_error *err)
{
	int64_t count;
	size_t i;

	for (i = 0; i < n; i++)
		if ((v[i].kind == PN_MARSHAL_INT ||
		     v[i].kind == PN_MARSHAL_FLOAT) &&
		    !take_count(&count, &v[i]))
			text = "a number of calls that is negative or not "
			       "whole before here";
	return pn_marshal_fail(&d->m, err, text);
}

static bool is_sequence(const struct pn_marshal_value *v, size_t count)
{
	return (v->kind == PN_MARSHAL_TUPLE || v->kind == PN_MARSHAL_LIST) &&
	       v->count == count;
}

static bool take_seconds(double *out, const struct pn_marshal_value *v)
{
	*out = v->kind == PN_MARSHAL_INT ? (double)v->v.i : v->v.d;
	return v->kind == PN_MARSHAL_INT ||
	       (v->kind == PN_MARSHAL_FLOAT && isfinite(v->v.d));
}

/* The values of a caller: its calls alone, or four. */
static int take_caller_values(struct pn_edge *edge, double seconds[2],
			      const struct decoder *d,
			      const struct pn_marshal_value *items,
			      size_t count, struct pn_error *err)
{
	edge->primitive = -1;
	seconds[0] = seconds[1] = 0;
	if (!take_count(&edge->calls, &items[0]) ||
	    (count != 1 && (!take_count(&edge->primitive, &items[1]) ||
			    !take_seconds(&seconds[0], &items[2]) ||
			    !take_seconds(&seconds[1], &items[3]))))
		return fail_values(d, items, count == 1 ? 1 : 2,
				   "expected a caller's number of calls, or "
				   "its 2 counts and 2 times, before here",
				   err);
	return 0;
}

static int take_caller_value(struct pn_edge *edge, double seconds[2],
			     const struct decoder *d,
			     const struct pn_marshal_value *v,
			     struct pn_error *err)
{
	if (is_sequence(v, 4))
		return take_caller_values(edge, seconds, d,
					  pn_marshal_items(&d->m, v), 4, err);
	return take_caller_values(edge, seconds, d, v, 1, err);
}

static int next_items(struct pn_marshal_value *items, size_t count,
		      struct decoder *d, int depth, struct pn_error *err)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (pn_marshal_next(&items[i], &d->m, depth, err))
			return PN_EINVAL;
	return 0;
}

static int next_caller_value(struct pn_edge *edge, double seconds[2],
			     struct decoder *d, struct pn_error *err)
{
	struct pn_marshal_value items[4];

	if (pn_marshal_enter_tuple(&d->m, 4)) {
		if (next_items(items, 4, d, CALLER_DEPTH + 1, err))
			return PN_EINVAL;
		return take_caller_values(edge, seconds, d, items, 4, err);
	}
	if (next_items(items, 1, d, CALLER_DEPTH, err))
		return PN_EINVAL;
	return take_caller_value(edge, seconds, d, &items[0], err);
}

/* The edge of a caller that this entry, whose edges begin at `first`, lists:
 * one that is new, or where it was listed before. */
static size_t edge_of(struct decoder *d, size_t first,
		      const struct pn_edge *edge)
{
	size_t *seen;

	d->seen = grow_zeroed(d->seen, &d->seen_cap, (size_t)edge->caller + 1,
			      sizeof(*d->seen));
	seen = &d->seen[edge->caller];
	if (*seen <= first) {
		*seen = pn_graph_add_edge(d->p, edge) + 1;
		return *seen - 1;
	}
	d->p->graph.edges[*seen - 1] = *edge;
	d->p->complete = false;
	return *seen - 1;
}

static void add_caller(struct decoder *d, size_t first,
		       const struct pn_edge *edge, const double seconds[2])
{
	size_t at = edge_of(d, first, edge);

	d->p->graph.edge_self[at].d = seconds[0];
	d->p->graph.edge_total[at].d = seconds[1];
	d->callers++;
}

/* A dict that has a number of its own, or is referred to. */
static int take_callers(struct decoder *d, uint32_t callee,
			const struct pn_marshal_value *callers,
			struct pn_error *err)
{
	uint64_t most = pn_marshal_offset(&d->m) / CALLER_BYTES;
	size_t i, first = d->p->graph.edge_count;

	/* one dict by reference at every function */
	if (callers->count > most - d->callers)
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
		add_caller(d, first, &edge, seconds);
	}
	return 0;
}

/* The callers of a dict that was entered. */
static int next_callers(struct decoder *d, uint32_t callee,
			struct pn_error *err)
{
	size_t first = d->p->graph.edge_count;
	bool end;

	for (;;) {
		struct pn_edge edge = {.callee = callee};
		double seconds[2];

		if (next_function(&edge.caller, &end, d, CALLER_DEPTH, err))
			return PN_EINVAL;
		if (end)
			return 0;
		if (next_caller_value(&edge, seconds, d, err))
			return PN_EINVAL;
		add_caller(d, first, &edge, seconds);
	}
}

/* The two counts and two times of a function, and its callers, but where they
 * were entered: *entered. */
static int next_values(struct pn_marshal_value items[5], bool *entered,
		       struct decoder *d, struct pn_error *err)
{
	struct pn_marshal_value value;

	*entered = false;
	if (!pn_marshal_enter_tuple(&d->m, 5)) {
		if (pn_marshal_next(&value, &d->m, 1, err))
			return PN_EINVAL;
		memset(items, 0, 5 * sizeof(*items));
		if (is_sequence(&value, 5))
			memcpy(items, pn_marshal_items(&d->m, &value),
			       5 * sizeof(*items));
		return 0;
	}
	if (next_items(items, 4, d, 2, err))
		return PN_EINVAL;
	*entered = pn_marshal_enter_dict(&d->m);
	items[4].kind = PN_MARSHAL_DICT;
	return *entered ? 0 : next_items(&items[4], 1, d, 2, err);
}

/* A function comes into the dump, or another time: what was said of it before
 * is replaced. */
static void begin_entry(struct decoder *d, uint32_t at)
{
	const struct pn_graph *g = &d->p->graph;

	if (g->nodes[at].calls < 0) {
		d->order = pn_grow(d->order, &d->order_cap, d->order_count + 1,
				   sizeof(*d->order));
		d->order[d->order_count++] = at;
		return;
	}
	d->valid_from = grow_zeroed(d->valid_from, &d->valid_cap,
				    (size_t)at + 1, sizeof(*d->valid_from));
	d->valid_from[at] = g->edge_count;
	d->p->complete = false;
}

static int take_entry(struct decoder *d, uint32_t at, struct pn_error *err)
{
	struct pn_graph *g = &d->p->graph;
	struct pn_marshal_value items[5];
	int64_t primitive, calls;
	double own, cumulative;
	bool entered;

	if (next_values(items, &entered, d, err))
		return PN_EINVAL;
	if (!take_count(&primitive, &items[0]) ||
	    !take_count(&calls, &items[1]) || !take_seconds(&own, &items[2]) ||
	    !take_seconds(&cumulative, &items[3]) ||
	    items[4].kind != PN_MARSHAL_DICT)
		return fail_values(d, items, 2,
				   "expected 2 counts, 2 times and the "
				   "callers of a function before here",
				   err);
	begin_entry(d, at);
	g->nodes[at].calls = calls;
	g->nodes[at].primitive = primitive;
	g->self[at].d = own;
	g->total[at].d = cumulative;
	return entered ? next_callers(d, at, err)
		       : take_callers(d, at, &items[4], err);
}

static int take_dump(struct decoder *d, struct pn_error *err)
{
	int code = pn_marshal_open_dict(&d->m, err);

	while (!code) {
		uint32_t at = 0;
		bool end;

		code = next_function(&at, &end, d, 1, err);
		if (code || end)
			break;
		code = take_entry(d, at, err);
		/* nothing can refer to items that took no number */
		if (!d->m.ref_count)
			d->m.pool_count = 0;
	}
	if (!code && !d->p->graph.node_count)
		return pn_marshal_fail(&d->m, err, "a dump without functions");
	return code;
}

/* Leave out the callers of entries that were replaced. */
static void drop_replaced(struct decoder *d)
{
	struct pn_graph *g = &d->p->graph;
	size_t i, kept = 0;

	for (i = 0; i < g->edge_count; i++) {
		uint32_t callee = g->edges[i].callee;

		if (callee < d->valid_cap && i < d->valid_from[callee])
			continue;
		g->edges[kept] = g->edges[i];
		g->edge_self[kept] = g->edge_self[i];
		g->edge_total[kept++] = g->edge_total[i];
	}
	g->edge_count = kept;
}

/* Put those behind the others that are callers of nothing that is left, and
 * have no costs: how many there are. */
static size_t order_orphans(struct decoder *d)
{
	const struct pn_graph *g = &d->p->graph;
	unsigned char *calls = pn_calloc(g->node_count + 1, 1);
	size_t i, count = 0;

	for (i = 0; i < g->edge_count; i++)
		calls[g->edges[i].caller] = 1;
	for (i = 0; i < g->node_count; i++)
		if (g->nodes[i].calls < 0 && calls[i])
			d->order[d->order_count++] = (uint32_t)i;
	for (i = 0; i < g->node_count; i++)
		if (g->nodes[i].calls < 0 && !calls[i]) {
			d->order[d->order_count++] = (uint32_t)i;
			count++;
		}
	free(calls);
	return count;
}

/* Functions in the order of the dict, which reports without a sort key show
 * and ties stay in; behind them those that are callers only. */
static void order_nodes(struct decoder *d)
{
	struct pn_graph *g = &d->p->graph;
	size_t orphans;

	if (d->valid_from)
		drop_replaced(d);
	d->order = pn_grow(d->order, &d->order_cap, g->node_count + 1,
			   sizeof(*d->order));
	orphans = order_orphans(d);
	pn_graph_reorder(d->p, d->order);
	g->node_count -= orphans;
}

/* Room for as many callers as a file of that size has at most, usually. */
static void expect_callers(struct pn_profile *p, const struct pn_reader *in)
{
	uint64_t left = pn_reader_left(in);

	if (left != UINT64_MAX && !pn_reader_was_gzip(in))
		pn_graph_expect_edges(p, (size_t)(left / CALLER_USUAL));
}

int pn_pstats_read(struct pn_profile *out, struct pn_reader *in,
		   struct pn_error *err)
{
	struct decoder d = {.p = out};
	bool more = false;
	int code;

	pn_profile_add_type(out, "time", "seconds");
	out->types[0].number = PN_NUMBER_DOUBLE;
	out->types[0].better = PN_BETTER_LESS;
	d.m.in = in;
	d.m.strings = &out->strings;
	expect_callers(out, in);
	code = take_dump(&d, err);
	if (!code)
		code = pn_marshal_has_more(&more, &d.m, err);
	if (!code)
		order_nodes(&d);
	if (more)
		out->complete = false;
	if (d.m.unread)
		code = d.m.unread;
	pn_marshal_release(&d.m);
	pn_frames_release(&d.frames);
	free(d.nodes);
	free(d.order);
	free(d.seen);
	free(d.valid_from);
	return code;
}
