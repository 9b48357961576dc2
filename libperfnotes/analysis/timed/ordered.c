/* The functions of a timed call graph in Racket's order. */
#include "analysis/timed/ordered.h"

#include "base/alloc.h"
#include "base/text/similar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Racket computes with fractions; what is left of a sum of doubles counts as
 * nothing. */
#define NOTHING 1e-9
#define LOOKS_MAX 100000000 /* for the best place to cut a cycle, in all */

static const char *const orders[] = {
	[PN_ORDER_TOPOLOGICAL] = "topological",
	[PN_ORDER_SELF] = "self",
	[PN_ORDER_TOTAL] = "total",
};

#define ORDERS (sizeof(orders) / sizeof(*orders))

void pn_timed_order_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; i < ORDERS; i++)
		pn_buf_printf(out, "%s%s", i ? between : "", orders[i]);
}

int pn_timed_order_find(enum pn_timed_order *out, const char *name,
			struct pn_error *err)
{
	size_t i;

	for (i = 0; i < ORDERS; i++)
		if (!strcmp(orders[i], name)) {
			*out = (enum pn_timed_order)i;
			return 0;
		}
	return pn_unknown_name("order", name, pn_timed_order_names, err);
}

/* Of one function: the time that comes from callers and goes to callees that
 * are not placed yet. */
struct flow {
	double in, out, had_in, had_out;
	bool placed;
};

struct list {
	uint32_t *items;
	size_t count, cap;
};

static void push(struct list *list, uint32_t item)
{
	list->items = pn_grow(list->items, &list->cap, list->count + 1,
			      sizeof(*list->items));
	list->items[list->count++] = item;
}

struct sorting {
	const struct pn_timed *t;
	struct list todo;   /* nodes, the last one found first */
	uint32_t *at;	    /* of each node its place in `todo` */
	struct flow *flows; /* by place */
	struct list maybe;  /* places that may have become ends */
	struct list left, right;
	size_t looks;
};

static const struct pn_timed_edge *callee_edge(const struct pn_timed *t,
					       uint32_t node, size_t i)
{
	return &t->edges[t->callees[t->nodes[node].callee_first + i]];
}

static const struct pn_timed_edge *caller_edge(const struct pn_timed *t,
					       uint32_t node, size_t i)
{
	return &t->edges[t->callers[t->nodes[node].caller_first + i]];
}

static int by_number(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* All that a node leads to, breadth first, appended; callees in the order of
 * the graph. */
static void find_below(struct sorting *s, struct list *found, bool *known,
		       uint32_t from)
{
	size_t next = found->count, i;
	struct list edges = {0};

	push(found, from);
	known[from] = true;
	for (; next < found->count; next++) {
		const struct pn_timed_node *node =
			&s->t->nodes[found->items[next]];

		edges.count = 0;
		for (i = 0; i < node->callee_count; i++)
			push(&edges,
			     (uint32_t)s->t->callees[node->callee_first + i]);
		if (edges.count)
			qsort(edges.items, edges.count, sizeof(*edges.items),
			      by_number);
		for (i = 0; i < edges.count; i++) {
			uint32_t to = s->t->edges[edges.items[i]].callee;

			if (known[to])
				continue;
			known[to] = true;
			push(found, to);
		}
	}
	free(edges.items);
}

/* From the root, then what nothing above leads to. */
static void find_all(struct sorting *s)
{
	bool *known = pn_calloc(s->t->node_count + 1, sizeof(*known));
	struct list found = {0};
	uint32_t node;
	size_t i;

	for (node = 0; node < s->t->node_count; node++)
		if (!known[node])
			find_below(s, &found, known, node);
	for (i = found.count; i-- > 1;) { /* the root is the first one */
		s->at[found.items[i]] = (uint32_t)s->todo.count;
		push(&s->todo, found.items[i]);
	}
	free(found.items);
	free(known);
}

static void sum_flows(struct sorting *s)
{
	size_t place, i;

	s->flows = pn_calloc(s->todo.count + 1, sizeof(*s->flows));
	for (place = 0; place < s->todo.count; place++) {
		struct flow *flow = &s->flows[place];
		uint32_t node = s->todo.items[place];

		for (i = 0; i < s->t->nodes[node].caller_count; i++) {
			const struct pn_timed_edge *e =
				caller_edge(s->t, node, i);

			if (e->caller && e->caller != node)
				flow->in += e->callee_time;
		}
		for (i = 0; i < s->t->nodes[node].callee_count; i++) {
			const struct pn_timed_edge *e =
				callee_edge(s->t, node, i);

			if (e->callee && e->callee != node)
				flow->out += e->caller_time;
		}
		flow->had_in = flow->in;
		flow->had_out = flow->out;
		push(&s->maybe, (uint32_t)place);
	}
}

static bool is_nothing(double left, double had)
{
	return fabs(left) <= NOTHING * fabs(had);
}

/* Those of `maybe` that have no callees left, or no callers, in order. */
static struct list take_ends(struct sorting *s, bool sinks)
{
	struct list ends = {0};
	size_t i;

	for (i = 0; i < s->maybe.count; i++) {
		uint32_t place = s->maybe.items[i];
		struct flow *flow = &s->flows[place];

		if (flow->placed ||
		    !(sinks ? is_nothing(flow->out, flow->had_out)
			    : is_nothing(flow->in, flow->had_in)))
			continue;
		flow->placed = true;
		push(&ends, place);
	}
	return ends;
}

/* Into whom least flows of what flows out: ties in reverse order. `first` is
 * where places begin that are not all placed. */
static struct list take_best(struct sorting *s, size_t *first)
{
	struct list best = {0};
	double least = 0, ratio;
	size_t place, i;

	while (*first < s->todo.count && s->flows[*first].placed)
		(*first)++;
	for (place = *first; place < s->todo.count; place++) {
		struct flow *flow = &s->flows[place];

		if (flow->placed)
			continue;
		ratio = flow->in / flow->out;
		if (!best.count || ratio < least * (1 - NOTHING)) {
			best.count = 0;
			least = ratio;
		} else if (ratio > least * (1 + NOTHING)) {
			continue;
		}
		push(&best, (uint32_t)place);
		if (s->looks++ > LOOKS_MAX)
			break;
	}
	for (i = 0; i < best.count / 2; i++) {
		uint32_t other = best.items[best.count - 1 - i];

		best.items[best.count - 1 - i] = best.items[i];
		best.items[i] = other;
	}
	for (i = 0; i < best.count; i++)
		s->flows[best.items[i]].placed = true;
	return best;
}

/* Take away what flows between a placed node and those that are left. */
static void forget(struct sorting *s, uint32_t place)
{
	uint32_t node = s->todo.items[place], other;
	size_t i;

	for (i = 0; i < s->t->nodes[node].callee_count; i++) {
		const struct pn_timed_edge *e = callee_edge(s->t, node, i);

		other = e->callee ? s->at[e->callee] : place;
		if (s->flows[other].placed)
			continue;
		s->flows[other].in -= e->callee_time;
		push(&s->maybe, other);
	}
	for (i = 0; i < s->t->nodes[node].caller_count; i++) {
		const struct pn_timed_edge *e = caller_edge(s->t, node, i);

		other = e->caller ? s->at[e->caller] : place;
		if (s->flows[other].placed)
			continue;
		s->flows[other].out -= e->caller_time;
		push(&s->maybe, other);
	}
}

/* One step from both ends; false when all are placed. */
static bool place_some(struct sorting *s, size_t *first)
{
	struct list sinks, sources;
	size_t i;

	if (s->maybe.count)
		qsort(s->maybe.items, s->maybe.count, sizeof(*s->maybe.items),
		      by_number);
	sinks = take_ends(s, true);
	sources = take_ends(s, false);
	s->maybe.count = 0;
	if (!sinks.count && !sources.count) {
		free(sources.items);
		sources = take_best(s, first);
	}
	for (i = 0; i < sources.count; i++)
		forget(s, sources.items[i]);
	for (i = 0; i < sinks.count; i++)
		forget(s, sinks.items[i]);
	for (i = 0; i < sources.count; i++)
		push(&s->left, sources.items[i]);
	for (i = sinks.count; i-- > 0;)
		push(&s->right, sinks.items[i]); /* the other way round */
	i = sinks.count + sources.count;
	free(sinks.items);
	free(sources.items);
	return i > 0;
}

struct placed {
	uint32_t node;
	size_t layer, number;
	double total;
};

static int by_layer(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;

	if (a->layer != b->layer)
		return a->layer < b->layer ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return a->number > b->number ? -1 : 1; /* the last one first */
}

/* Each node one layer below the lowest of its callers, as far as they stand
 * before it. */
static struct placed *lay_out(const struct sorting *s, const struct list *order)
{
	struct placed *out = pn_calloc(order->count + 1, sizeof(*out));
	size_t *number = pn_calloc(s->t->node_count + 1, sizeof(*number));
	size_t i, n;

	for (i = 0; i < order->count; i++)
		number[order->items[i]] = i;
	for (i = 0; i < order->count; i++) {
		uint32_t node = order->items[i];

		out[i].node = node;
		out[i].number = i;
		out[i].total = s->t->nodes[node].total;
		for (n = 0; n < s->t->nodes[node].caller_count; n++) {
			uint32_t caller = caller_edge(s->t, node, n)->caller;

			if (caller && number[caller] < i &&
			    out[i].layer <= out[number[caller]].layer)
				out[i].layer = out[number[caller]].layer + 1;
		}
	}
	free(number);
	return out;
}

static struct placed *sort_by_calls(const struct pn_timed *t)
{
	struct sorting s = {.t = t};
	struct list order = {0};
	struct placed *placed;
	size_t i, first = 0;

	s.at = pn_calloc(t->node_count + 1, sizeof(*s.at));
	find_all(&s);
	sum_flows(&s);
	while (place_some(&s, &first))
		;
	for (i = 0; i < s.left.count; i++)
		push(&order, s.todo.items[s.left.items[i]]);
	for (i = s.right.count; i-- > 0;)
		push(&order, s.todo.items[s.right.items[i]]);
	placed = lay_out(&s, &order);
	qsort(placed, order.count, sizeof(*placed), by_layer);
	free(order.items);
	free(s.todo.items);
	free(s.at);
	free(s.flows);
	free(s.maybe.items);
	free(s.left.items);
	free(s.right.items);
	return placed;
}

static double share(double part, double all)
{
	return all != 0 ? part / all : 0;
}

static bool is_hidden(const struct pn_timed *t, uint32_t node,
		      const struct pn_timed_style *style)
{
	const struct pn_timed_node *n = &t->nodes[node];
	size_t i;

	if (t->total_time == 0)
		return true;
	if (style->hide_self < n->self / t->total_time)
		return false;
	for (i = 0; i < n->callee_count; i++) {
		const struct pn_timed_edge *e = callee_edge(t, node, i);

		if (style->hide_subs <
		    share(e->caller_time, t->nodes[e->callee].total))
			return false;
	}
	for (i = 0; i < n->caller_count; i++) {
		const struct pn_timed_edge *e = caller_edge(t, node, i);

		if (style->hide_subs <
		    share(e->callee_time, t->nodes[e->caller].total))
			return false;
	}
	return true;
}

/* Largest first, else as they are: an insertion that stays stable would be
 * quadratic, so the place is part of the key. */
static int by_total(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;

	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

void pn_timed_ordered_init(struct pn_timed_ordered *out,
			   const struct pn_timed *timed,
			   const struct pn_timed_style *style)
{
	struct placed *placed = sort_by_calls(timed);
	size_t i, count = timed->node_count - 1;
	bool none = style->hide_self <= 0 && style->hide_subs <= 0;

	for (i = 0; i < count; i++) {
		placed[i].number = i;
		if (style->order == PN_ORDER_SELF)
			placed[i].total = timed->nodes[placed[i].node].self;
	}
	if (style->order != PN_ORDER_TOPOLOGICAL)
		qsort(placed, count, sizeof(*placed), by_total);
	memset(out, 0, sizeof(*out));
	out->nodes = pn_calloc(count + 1, sizeof(*out->nodes));
	out->rank = pn_calloc(count + 2, sizeof(*out->rank));
	for (i = 0; i < count; i++) {
		uint32_t node = placed[i].node;

		if (!none && is_hidden(timed, node, style)) {
			out->hidden++;
			continue;
		}
		out->nodes[out->count++] = node;
		out->rank[node] = (uint32_t)out->count;
	}
	free(placed);
}

void pn_timed_ordered_release(struct pn_timed_ordered *ordered)
{
	free(ordered->nodes);
	free(ordered->rank);
	memset(ordered, 0, sizeof(*ordered));
}
