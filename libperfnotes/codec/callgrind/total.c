/*
 * callgrind: what a function cost with all that it called.
 *
 * The file has the inclusive cost of each call, so the total of a function is
 * the sum over the calls to it, as callgrind_annotate --inclusive=yes has it,
 * but for recursion: a call that can only come from below the function itself
 * is part of what an outer call cost already. callgrind_annotate adds it once
 * more for each level and so prints totals above those of the only caller.
 * Such calls are the edges from a caller that the callee dominates: all ways
 * from where the program starts to the caller lead through the callee. The
 * other calls of a cycle are counted too often as well: no function of one
 * costs more than the cycle as a whole (see model/graph/cycles.h).
 *
 * Dominators: Lengauer & Tarjan, ACM TOPLAS 1 (1979), the simpler of the two
 * ways. Functions go by their number in depth-first order; 1 is the start, 0 is
 * none.
 */
#include "codec/callgrind/callgrind.h"

#include "base/alloc.h"
#include "model/graph/cycles.h"

#include <stdlib.h>
#include <string.h>

#define START 1

struct flow {
	struct pn_graph *g;
	size_t count;	    /* numbers: nodes, the start and none */
	uint32_t *first;    /* edges of node n: out[first[n]] ... */
	uint32_t *out;	    /* callees, by caller */
	uint32_t *in_first; /* the same by number: in[in_first[w]] ... */
	uint32_t *in;
	uint32_t *number; /* of node n, 0 before it is reached */
	uint32_t *parent; /* by number, as all that follows */
	uint32_t *semi, *best, *ancestor, *dominator;
	uint32_t *bucket, *next; /* lists, 0 ends one */
	uint32_t *path;		 /* a stack */
	uint32_t *enter, *size;	 /* of the tree of dominators */
};

static uint32_t *numbers(size_t count)
{
	return pn_calloc(count + 1, sizeof(uint32_t));
}

static void init(struct flow *f, struct pn_graph *g)
{
	memset(f, 0, sizeof(*f));
	f->g = g;
	f->count = g->node_count + 2;
	f->first = numbers(f->count + 1);
	f->out = numbers(g->edge_count);
	f->in_first = numbers(f->count + 1);
	f->in = numbers(g->edge_count);
	f->number = numbers(f->count);
	f->parent = numbers(f->count);
	f->semi = numbers(f->count);
	f->best = numbers(f->count);
	f->ancestor = numbers(f->count);
	f->dominator = numbers(f->count);
	f->bucket = numbers(f->count);
	f->next = numbers(f->count);
	f->path = numbers(f->count);
	f->enter = numbers(f->count);
	f->size = numbers(f->count);
}

static void release(struct flow *f)
{
	free(f->first);
	free(f->out);
	free(f->in_first);
	free(f->in);
	free(f->number);
	free(f->parent);
	free(f->semi);
	free(f->best);
	free(f->ancestor);
	free(f->dominator);
	free(f->bucket);
	free(f->next);
	free(f->path);
	free(f->enter);
	free(f->size);
}

/* Sort by counting: after this, first[n] is where n's edges begin. */
static void sum_up(uint32_t *first, size_t count)
{
	uint32_t sum = 0, had;
	size_t i;

	for (i = 0; i <= count; i++) {
		had = first[i];
		first[i] = sum;
		sum += had;
	}
}

static void list_callees(struct flow *f)
{
	const struct pn_edge *edges = f->g->edges;
	size_t i, count = f->g->edge_count;

	for (i = 0; i < count; i++)
		f->first[edges[i].caller]++;
	sum_up(f->first, f->count);
	for (i = 0; i < count; i++)
		f->out[f->first[edges[i].caller]++] = edges[i].callee;
	for (i = f->count; i > 0; i--)
		f->first[i] = f->first[i - 1];
	f->first[0] = 0;
}

/* Number what is reached from `node` and not yet; returns the next number. */
static uint32_t walk(struct flow *f, uint32_t node, uint32_t next,
		     uint32_t *cursor, uint32_t *stack)
{
	size_t depth = 0;

	f->number[node] = next;
	f->parent[next++] = START;
	stack[depth++] = node;
	while (depth) {
		uint32_t from = stack[depth - 1], to;

		if (cursor[from] == f->first[from + 1]) {
			depth--;
			continue;
		}
		to = f->out[cursor[from]++];
		if (f->number[to])
			continue;
		f->number[to] = next;
		f->parent[next++] = f->number[from];
		stack[depth++] = to;
	}
	return next;
}

/* Depth first from functions that nothing else calls, then from whatever was
 * not reached: cycles without an entry. */
static void number_nodes(struct flow *f)
{
	uint32_t *cursor = numbers(f->count), *stack = numbers(f->count);
	bool *called = pn_calloc(f->count, sizeof(*called));
	uint32_t i, next = START + 1, nodes = (uint32_t)f->g->node_count;

	memcpy(cursor, f->first, f->count * sizeof(*cursor));
	for (i = 0; i < f->g->edge_count; i++)
		if (f->g->edges[i].caller != f->g->edges[i].callee)
			called[f->g->edges[i].callee] = true;
	for (i = 0; i < nodes; i++)
		if (!called[i])
			next = walk(f, i, next, cursor, stack);
	for (i = 0; i < nodes; i++)
		if (!f->number[i])
			next = walk(f, i, next, cursor, stack);
	free(cursor);
	free(stack);
	free(called);
}

static void list_callers(struct flow *f)
{
	const struct pn_edge *edges = f->g->edges;
	size_t i, count = f->g->edge_count;

	for (i = 0; i < count; i++)
		f->in_first[f->number[edges[i].callee]]++;
	sum_up(f->in_first, f->count);
	for (i = 0; i < count; i++)
		f->in[f->in_first[f->number[edges[i].callee]]++] =
			f->number[edges[i].caller];
	for (i = f->count; i > 0; i--)
		f->in_first[i] = f->in_first[i - 1];
	f->in_first[0] = 0;
}

/* The one with the least semidominator on the way up the forest. */
static uint32_t eval(struct flow *f, uint32_t v)
{
	uint32_t depth = 0, above;

	if (!f->ancestor[v])
		return v;
	for (; f->ancestor[f->ancestor[v]]; v = f->ancestor[v])
		f->path[depth++] = v;
	above = v;
	while (depth) {
		v = f->path[--depth];
		if (f->semi[f->best[above]] < f->semi[f->best[v]])
			f->best[v] = f->best[above];
		f->ancestor[v] = f->ancestor[above];
		above = v;
	}
	return f->best[v];
}

static void settle_bucket(struct flow *f, uint32_t parent)
{
	uint32_t v, u;

	for (v = f->bucket[parent]; v; v = f->next[v]) {
		u = eval(f, v);
		f->dominator[v] = f->semi[u] < f->semi[v] ? u : parent;
	}
	f->bucket[parent] = 0;
}

static void find_dominators(struct flow *f)
{
	uint32_t w, i, u;

	for (w = 0; w < f->count; w++)
		f->semi[w] = f->best[w] = w;
	for (w = (uint32_t)f->count - 1; w > START; w--) {
		if (f->parent[w] == START)
			f->semi[w] = START;
		for (i = f->in_first[w]; i < f->in_first[w + 1]; i++) {
			u = eval(f, f->in[i]);
			if (f->semi[u] < f->semi[w])
				f->semi[w] = f->semi[u];
		}
		f->next[w] = f->bucket[f->semi[w]];
		f->bucket[f->semi[w]] = w;
		f->ancestor[w] = f->parent[w];
		settle_bucket(f, f->parent[w]);
	}
	for (w = START + 1; w < f->count; w++)
		if (f->dominator[w] != f->semi[w])
			f->dominator[w] = f->dominator[f->dominator[w]];
}

/* Number the tree of dominators so that a subtree is a range. */
static void range_tree(struct flow *f)
{
	uint32_t w, *next = numbers(f->count);

	for (w = 0; w < f->count; w++)
		f->size[w] = 1;
	for (w = (uint32_t)f->count - 1; w > START; w--)
		f->size[f->dominator[w]] += f->size[w];
	next[START] = 1;
	for (w = START + 1; w < f->count; w++) {
		f->enter[w] = next[f->dominator[w]];
		next[f->dominator[w]] += f->size[w];
		next[w] = f->enter[w] + 1;
	}
	free(next);
}

/* Whether a call can only happen below another call of the same function. */
static bool recurs(const struct flow *f, const struct pn_edge *edge)
{
	uint32_t callee = f->number[edge->callee];
	uint32_t caller = f->number[edge->caller];

	return f->enter[caller] - f->enter[callee] < f->size[callee];
}

static void add_row(union pn_value *to, const union pn_value *from,
		    size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (__builtin_add_overflow(to[i].i, from[i].i, &to[i].i))
			to[i].i = from[i].i < 0 ? INT64_MIN : INT64_MAX;
}

static void add_calls(int64_t *to, int64_t calls)
{
	if (*to < 0)
		*to = 0;
	if (__builtin_add_overflow(*to, calls, to))
		*to = INT64_MAX;
}

static void count_calls(struct pn_profile *p, const struct flow *f)
{
	struct pn_graph *g = &p->graph;
	size_t i;

	for (i = 0; i < g->edge_count; i++) {
		const struct pn_edge *e = &g->edges[i];
		struct pn_node *callee = &g->nodes[e->callee];
		bool again = recurs(f, e);

		add_calls(&callee->calls, e->calls);
		add_calls(&callee->primitive, again ? 0 : e->calls);
	}
}

static void add_totals(struct pn_profile *p, const struct flow *f, bool *called)
{
	struct pn_graph *g = &p->graph;
	size_t i, count = p->type_count;

	for (i = 0; i < g->edge_count; i++) {
		if (recurs(f, &g->edges[i]))
			continue;
		called[g->edges[i].callee] = true;
		add_row(g->total + g->edges[i].callee * count,
			g->edge_total + i * count, count);
	}
	for (i = 0; i < g->node_count; i++)
		if (!called[i])
			add_row(g->total + i * count, g->self + i * count,
				count);
	for (i = 0; i < g->edge_count; i++)
		if (!called[g->edges[i].caller] && !recurs(f, &g->edges[i]))
			add_row(g->total + g->edges[i].caller * count,
				g->edge_total + i * count, count);
}

void pn_callgrind_total(struct pn_profile *p)
{
	bool *called = pn_calloc(p->graph.node_count + 1, sizeof(*called));
	struct flow f;

	init(&f, &p->graph);
	list_callees(&f);
	number_nodes(&f);
	list_callers(&f);
	find_dominators(&f);
	range_tree(&f);
	count_calls(p, &f);
	add_totals(p, &f, called);
	pn_cycles_bound_totals(p);
	release(&f);
	free(called);
}
