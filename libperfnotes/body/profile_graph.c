/* The call graph, the metrics and the facts that the columns of a body stand
 * for. */
#include "body/build.h"
#include "body/values.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static double double_at(const struct pn_body_build *b, unsigned int column,
			size_t i)
{
	uint64_t word = pn_body_at(b->s, column, i);
	double value;

	memcpy(&value, &word, sizeof(value));
	return value;
}

static void build_nodes(struct pn_body_build *b)
{
	struct pn_graph *g = &b->p->graph;
	const uint8_t *live = b->live.of[PN_BODY_NODES];
	size_t i, n = pn_body_rows(b->s, PN_BODY_NODES), count;

	b->nodes = pn_body_build_rows(&count, b, PN_BODY_NODES, 0);
	if (!count)
		return;
	g->nodes = pn_realloc_array(NULL, count, sizeof(*g->nodes));
	for (i = 0; i < n; i++) {
		struct pn_node *node = &g->nodes[g->node_count];
		uint64_t location = pn_body_at(b->s, PN_BODY_NODE_LOCATION, i);

		if (!live[i])
			continue;
		node->location =
			location ? b->locations[location - 1] : PN_NONE;
		node->calls = (int64_t)pn_body_at(b->s, PN_BODY_NODE_CALLS, i);
		node->primitive =
			(int64_t)pn_body_at(b->s, PN_BODY_NODE_PRIMITIVE, i);
		g->node_count++;
	}
	g->node_cap = count;
	g->self = pn_body_values_get(b->s, PN_BODY_OF_NODES_SELF, live, count);
	g->total =
		pn_body_values_get(b->s, PN_BODY_OF_NODES_TOTAL, live, count);
}

static void build_self_by_run(struct pn_body_build *b)
{
	struct pn_graph *g = &b->p->graph;
	const uint8_t *live = b->live.of[PN_BODY_NODES];
	size_t width = b->p->type_count * pn_profile_runs(b->p), i, k, at = 0;

	if (!g->node_count || !pn_body_len(b->s, PN_BODY_SELF_BY_RUN))
		return;
	g->self_by_run = pn_realloc_array(NULL, g->node_count,
					  width * sizeof(*g->self_by_run));
	for (i = 0; i < pn_body_rows(b->s, PN_BODY_NODES); i++)
		for (k = 0; live[i] && k < width; k++)
			g->self_by_run[at++].i = (int64_t)pn_body_at(
				b->s, PN_BODY_SELF_BY_RUN, i * width + k);
}

static size_t count_live(const uint8_t *live, size_t n)
{
	size_t i, count = 0;

	for (i = 0; i < n; i++)
		count += live[i];
	return count;
}

static void build_edges(struct pn_body_build *b)
{
	struct pn_graph *g = &b->p->graph;
	const uint8_t *live = b->live.of[PN_BODY_EDGES];
	size_t i, n = pn_body_rows(b->s, PN_BODY_EDGES);
	size_t count = count_live(live, n);

	if (!count)
		return;
	g->edges = pn_realloc_array(NULL, count, sizeof(*g->edges));
	for (i = 0; i < n; i++) {
		struct pn_edge *edge = &g->edges[g->edge_count];

		if (!live[i])
			continue;
		edge->caller =
			b->nodes[pn_body_at(b->s, PN_BODY_EDGE_CALLER, i)];
		edge->callee =
			b->nodes[pn_body_at(b->s, PN_BODY_EDGE_CALLEE, i)];
		edge->line = (int64_t)pn_body_at(b->s, PN_BODY_EDGE_LINE, i);
		edge->calls = (int64_t)pn_body_at(b->s, PN_BODY_EDGE_CALLS, i);
		edge->primitive =
			(int64_t)pn_body_at(b->s, PN_BODY_EDGE_PRIMITIVE, i);
		edge->file = pn_body_build_string(b, PN_BODY_EDGE_FILE, i);
		edge->address = pn_body_at(b->s, PN_BODY_EDGE_ADDRESS, i);
		g->edge_count++;
	}
	g->edge_cap = count;
	g->edge_self =
		pn_body_values_get(b->s, PN_BODY_OF_EDGES_SELF, live, count);
	g->edge_total =
		pn_body_values_get(b->s, PN_BODY_OF_EDGES_TOTAL, live, count);
}

static void build_costs(struct pn_body_build *b)
{
	struct pn_graph *g = &b->p->graph;
	const uint8_t *live = b->live.of[PN_BODY_COSTS];
	size_t i, n = pn_body_rows(b->s, PN_BODY_COSTS);
	size_t count = count_live(live, n);

	if (!count)
		return;
	g->costs = pn_realloc_array(NULL, count, sizeof(*g->costs));
	for (i = 0; i < n; i++) {
		struct pn_cost *cost = &g->costs[g->cost_count];

		if (!live[i])
			continue;
		cost->node = b->nodes[pn_body_at(b->s, PN_BODY_COST_NODE, i)];
		cost->file = pn_body_build_string(b, PN_BODY_COST_FILE, i);
		cost->line = (int64_t)pn_body_at(b->s, PN_BODY_COST_LINE, i);
		cost->address = pn_body_at(b->s, PN_BODY_COST_ADDRESS, i);
		g->cost_count++;
	}
	g->cost_cap = count;
	g->cost_values =
		pn_body_values_get(b->s, PN_BODY_OF_COSTS, live, count);
}

void pn_body_build_graph(struct pn_body_build *b)
{
	build_nodes(b);
	build_self_by_run(b);
	build_edges(b);
	build_costs(b);
}

static void build_metric(struct pn_body_build *b, size_t i, size_t value)
{
	size_t k, count = (size_t)pn_body_at(b->s, PN_BODY_METRIC_COUNT, i);
	double *values = pn_realloc_array(NULL, count, sizeof(*values));
	struct pn_metric *m;

	for (k = 0; k < count; k++)
		values[k] = double_at(b, PN_BODY_METRIC_VALUE, value + k);
	m = pn_profile_add_metric(b->p, "", "", PN_BETTER_UNKNOWN, values,
				  count);
	free(values);
	m->name = pn_body_build_string(b, PN_BODY_METRIC_NAME, i);
	m->unit = pn_body_build_string(b, PN_BODY_METRIC_UNIT, i);
	m->better = (uint8_t)pn_body_at(b->s, PN_BODY_METRIC_BETTER, i);
	m->summary.n = pn_body_at(b->s, PN_BODY_METRIC_N, i);
	if (count)
		return;
	m->summary.min = double_at(b, PN_BODY_METRIC_MIN, i);
	m->summary.q1 = double_at(b, PN_BODY_METRIC_Q1, i);
	m->summary.median = double_at(b, PN_BODY_METRIC_MEDIAN, i);
	m->summary.q3 = double_at(b, PN_BODY_METRIC_Q3, i);
	m->summary.max = double_at(b, PN_BODY_METRIC_MAX, i);
	m->summary.mean = double_at(b, PN_BODY_METRIC_MEAN, i);
	m->summary.sd = double_at(b, PN_BODY_METRIC_SD, i);
}

void pn_body_build_metrics(struct pn_body_build *b)
{
	size_t i, value = 0, n = pn_body_rows(b->s, PN_BODY_METRICS);

	for (i = 0; i < n; i++) {
		build_metric(b, i, value);
		value += (size_t)pn_body_at(b->s, PN_BODY_METRIC_COUNT, i);
	}
}

void pn_body_build_facts(struct pn_body_build *b)
{
	struct pn_profile *p = b->p;
	size_t i, n = pn_body_rows(b->s, PN_BODY_FACTS);

	if (!n)
		return;
	p->facts = pn_realloc_array(NULL, n, sizeof(*p->facts));
	for (i = 0; i < n; i++) {
		p->facts[i].name =
			pn_body_build_string(b, PN_BODY_FACT_NAME, i);
		p->facts[i].unit =
			pn_body_build_string(b, PN_BODY_FACT_UNIT, i);
		p->facts[i].value = pn_body_values_double(
			pn_body_at(b->s, PN_BODY_FACT_VALUE, i),
			pn_body_at(b->s, PN_BODY_FACT_SCALE, i));
	}
	p->fact_count = n;
}
