/* Nodes and edges of a call graph as rows with their callers. */
#include "model/graph/calltable.h"

#include "base/alloc.h"
#include "base/strtab.h"
#include "model/unit.h"

#include <stdlib.h>
#include <string.h>

/* All calls of one caller, from whatever line. */
struct calls {
	int64_t calls, primitive; /* -1: unknown */
	double self, total;
	size_t of; /* callee + 1; 0: they are in the table */
};

struct work {
	struct pn_calltable *out;
	const struct pn_profile *p;
	size_t type;
	double seconds;	      /* one of its units; 0: it is seconds */
	size_t *first_caller; /* by node: in `edges`, node_count + 1 */
	size_t *edges;	      /* by callee, in order */
	struct calls *calls;  /* by node: of the callee at hand */
};

static const struct pn_function *function_of(const struct pn_profile *p,
					     size_t node, int64_t *line)
{
	uint32_t at = p->graph.nodes[node].location;
	const struct pn_location *l = at == PN_NONE ? NULL : &p->locations[at];
	const struct pn_function *f;

	*line = 0;
	if (!l || !l->line_count)
		return NULL;
	f = &p->functions[p->lines[l->line_first].function];
	*line = f->start_line ? f->start_line : p->lines[l->line_first].line;
	return f;
}

/* Functions of one name, as those of two objects, stay apart. */
static void name_rows(struct work *w)
{
	struct pn_strtab names = {0};
	size_t i, n = w->p->graph.node_count;
	uint32_t *count = pn_calloc(n + 1, sizeof(*count));

	for (i = 0; i < n; i++) {
		struct pn_calltable_row *row = &w->out->rows[i];
		const struct pn_function *f = function_of(w->p, i, &row->line);
		uint64_t key[3] = {f ? f->file : 0, (uint64_t)row->line,
				   f ? f->name : 0};

		row->file = f ? f->file : 0;
		row->name = f ? f->name : 0;
		/* id 0 is "" */
		row->number =
			count[pn_strtab_add(&names, key, sizeof(key)) - 1]++;
	}
	pn_strtab_release(&names);
	free(count);
}

static double value_of(const struct work *w, const union pn_value *values,
		       size_t row)
{
	return pn_profile_number(w->p, values, row, w->type);
}

static double seconds(const struct work *w, double value)
{
	return w->seconds != 0 ? value * w->seconds : value;
}

static int64_t known(int64_t calls)
{
	return calls < 0 ? 0 : calls;
}

/* What is beyond 64 bits stays the largest that they hold. */
static int64_t add_known(int64_t a, int64_t b)
{
	int64_t sum;

	if (a < 0)
		return b;
	if (b < 0)
		return a;
	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static void unite(struct work *w, size_t callee, size_t at)
{
	const struct pn_graph *g = &w->p->graph;
	const struct pn_edge *edge = &g->edges[at];
	struct calls *c = &w->calls[edge->caller];

	/* to add to -0.0 changes nothing, not even another -0.0 */
	if (c->of != callee + 1)
		*c = (struct calls){.calls = -1,
				    .primitive = -1,
				    .self = -0.0,
				    .total = -0.0,
				    .of = callee + 1};
	c->calls = add_known(c->calls, edge->calls);
	c->primitive = add_known(c->primitive, edge->primitive);
	c->self += value_of(w, g->edge_self, at);
	c->total += value_of(w, g->edge_total, at);
}

/* Calls without times are a number alone, as the module profile has them. */
static void add_caller(struct work *w, size_t at)
{
	uint32_t caller = w->p->graph.edges[at].caller;
	struct calls *c = &w->calls[caller];
	struct pn_calltable_caller *to = &w->out->callers[w->out->caller_count];

	if (!c->of || w->p->graph.nodes[caller].location == PN_NONE)
		return;
	c->of = 0;
	w->out->caller_count++;
	*to = (struct pn_calltable_caller){.row = caller,
					   .calls = known(c->calls)};
	if (c->calls >= 0 && c->primitive < 0 && c->self == 0 && c->total == 0)
		return;
	to->timed = true;
	to->primitive = c->primitive < 0 ? to->calls : c->primitive;
	to->self_s = seconds(w, c->self);
	to->total_s = seconds(w, c->total);
}

/* A caller that the dump itself did not list stays without an entry, and so
 * does what calls the first function. */
static bool is_listed(const struct work *w, size_t node)
{
	const struct pn_graph *g = &w->p->graph;
	size_t at = node * w->p->type_count + w->type;

	/* 0 and 0.0 have the same bits, and so do -0.0 and its like here */
	return g->nodes[node].location != PN_NONE &&
	       (g->nodes[node].calls >= 0 || g->self[at].i || g->total[at].i);
}

static void fill_row(struct work *w, size_t node)
{
	const struct pn_graph *g = &w->p->graph;
	struct pn_calltable_row *row = &w->out->rows[node];
	size_t i;

	row->caller_first = w->out->caller_count;
	if (!row->listed)
		return;
	row->primitive = known(g->nodes[node].primitive);
	row->calls = known(g->nodes[node].calls);
	row->self_s = seconds(w, value_of(w, g->self, node));
	row->total_s = seconds(w, value_of(w, g->total, node));
	for (i = w->first_caller[node]; i < w->first_caller[node + 1]; i++)
		unite(w, node, w->edges[i]);
	for (i = w->first_caller[node]; i < w->first_caller[node + 1]; i++)
		add_caller(w, w->edges[i]);
	row->caller_count = w->out->caller_count - row->caller_first;
}

static void sort_edges(struct work *w)
{
	const struct pn_graph *g = &w->p->graph;
	size_t i, *next;

	w->first_caller = pn_calloc(g->node_count + 2, sizeof(*next));
	w->edges = pn_calloc(g->edge_count + 1, sizeof(*next));
	w->calls = pn_calloc(g->node_count + 1, sizeof(*w->calls));
	next = w->first_caller + 1;
	for (i = 0; i < g->edge_count; i++)
		next[g->edges[i].callee + 1]++;
	for (i = 1; i <= g->node_count; i++)
		next[i] += next[i - 1];
	/* filling moves each start to the one behind it */
	for (i = 0; i < g->edge_count; i++)
		w->edges[next[g->edges[i].callee]++] = i;
}

static bool has_time(const struct pn_profile *p, size_t type)
{
	return pn_unit_comparable(pn_profile_text(p, p->types[type].unit), "s");
}

/* The default type, else the first one in a unit of time. */
static size_t find_time(const struct pn_profile *p)
{
	size_t i, at = p->type_count;

	for (i = 0; i < p->type_count; i++)
		if (has_time(p, i) &&
		    (at == p->type_count ||
		     (p->default_type && p->types[i].type == p->default_type)))
			at = i;
	return at;
}

/* A table without rows would be none to its readers: where all is free, all is
 * listed. */
static void list_rows(struct work *w)
{
	const struct pn_graph *g = &w->p->graph;
	bool none = true;
	size_t i;

	for (i = 0; i < w->out->row_count; i++) {
		w->out->rows[i].listed = is_listed(w, i);
		none = none && !w->out->rows[i].listed;
	}
	for (i = 0; none && i < w->out->row_count; i++)
		w->out->rows[i].listed = g->nodes[i].location != PN_NONE;
}

int pn_calltable_init(struct pn_calltable *out, const struct pn_profile *p,
		      size_t type, struct pn_error *err)
{
	struct work w = {.out = out, .p = p};
	const char *unit;
	size_t i;

	w.type = type < p->type_count ? type : find_time(p);
	if (w.type == p->type_count || !has_time(p, w.type))
		return pn_error_set(err, PN_EINVAL,
				    "need values in a unit of time");
	unit = pn_profile_text(p, p->types[w.type].unit);
	if (strcmp(unit, "seconds") != 0 && strcmp(unit, "s") != 0)
		w.seconds = pn_unit_scale(&unit, 1, unit, "s");
	memset(out, 0, sizeof(*out));
	out->row_count = p->graph.node_count;
	out->rows = pn_calloc(out->row_count + 1, sizeof(*out->rows));
	out->callers =
		pn_calloc(p->graph.edge_count + 1, sizeof(*out->callers));
	sort_edges(&w);
	name_rows(&w);
	list_rows(&w);
	for (i = 0; i < out->row_count; i++)
		fill_row(&w, i);
	free(w.first_caller);
	free(w.edges);
	free(w.calls);
	return 0;
}

void pn_calltable_name(struct pn_buf *out, const struct pn_profile *p,
		       const struct pn_calltable_row *row)
{
	pn_buf_add(out, pn_profile_text(p, row->name),
		   pn_strtab_len(&p->strings, row->name));
	if (row->number)
		pn_buf_printf(out, "#%u", row->number + 1);
}

void pn_calltable_release(struct pn_calltable *table)
{
	free(table->rows);
	free(table->callers);
	memset(table, 0, sizeof(*table));
}
