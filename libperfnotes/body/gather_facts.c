/* The parts of a profile that are small: header, types, mappings, metrics;
 * and the call graph, row by row. */
#include "body/gather.h"
#include "body/values.h"

#include <string.h>

static void push_string(struct pn_body_gather *g, unsigned int column,
			uint32_t id)
{
	pn_body_draft_push(&g->d, column, pn_body_gather_string(g, id));
}

static void push_pairs(struct pn_body_gather *g, unsigned int column,
		       const struct pn_pair *pairs, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		push_string(g, column, pairs[i].key);
		push_string(g, column, pairs[i].value);
	}
}

static void gather_lists(struct pn_body_gather *g)
{
	const struct pn_header *h = &g->p->header;
	size_t i;

	for (i = 0; i < h->post_count; i++) {
		push_string(g, PN_BODY_POSTS, h->posts[i].name);
		push_string(g, PN_BODY_POSTS, h->posts[i].params);
	}
	push_pairs(g, PN_BODY_ENVIRONMENT, h->environment,
		   h->environment_count);
	push_pairs(g, PN_BODY_PROFILE_LABELS, h->labels, h->label_count);
	push_pairs(g, PN_BODY_EXTRAS, h->extras, h->extra_count);
	for (i = 0; i < h->model_count; i++)
		push_string(g, PN_BODY_MODELS, h->models[i]);
	for (i = 0; i < g->p->comment_count; i++)
		push_string(g, PN_BODY_COMMENTS, g->p->comments[i]);
}

/* Roles of 32 value types, two bits each. */
static int64_t roles_of(const struct pn_profile *p, size_t first)
{
	uint64_t roles = 0;
	size_t i;

	for (i = first; i < p->type_count && i < first + 32; i++)
		roles |= (uint64_t)(p->types[i].role & 3) << 2 * (i - first);
	return (int64_t)roles;
}

static void gather_meta(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	const struct pn_header *h = &p->header;
	const uint32_t strings[PN_BODY_META_STRINGS_END] = {
		[PN_BODY_META_KIND] = h->kind,
		[PN_BODY_META_CMD] = h->cmd,
		[PN_BODY_META_ARGS] = h->args,
		[PN_BODY_META_WORKLOAD] = h->workload,
		[PN_BODY_META_NAME] = h->name,
		[PN_BODY_META_ORIGIN] = h->origin,
		[PN_BODY_META_COLLECTOR] = h->collector.name,
		[PN_BODY_META_PARAMS] = h->collector.params,
		[PN_BODY_META_DEFAULT_TYPE] = p->default_type,
		[PN_BODY_META_PERIOD_TYPE] = p->period_type.type,
		[PN_BODY_META_PERIOD_UNIT] = p->period_type.unit,
		[PN_BODY_META_DROP] = p->drop_frames,
		[PN_BODY_META_KEEP] = p->keep_frames,
		[PN_BODY_META_DOC] = p->doc_url,
		[PN_BODY_META_SOURCE_ROOT] = h->source_root};
	const int64_t numbers[PN_BODY_META_NUMBERS_END] = {
		[PN_BODY_META_EXIT] = h->exit_status,
		[PN_BODY_META_DIRTY] = h->dirty,
		[PN_BODY_META_PERIOD_BETTER] = p->period_type.better,
		[PN_BODY_META_PERIOD_NUMBER] = p->period_type.number,
		[PN_BODY_META_PERIOD] = p->period,
		[PN_BODY_META_TIME] = p->time_ns,
		[PN_BODY_META_DURATION] = p->duration_ns,
		[PN_BODY_META_RUNS] = h->runs > 1 ? h->runs : 0,
		[PN_BODY_META_ROLES] = roles_of(p, 0),
		[PN_BODY_META_MORE_ROLES] = roles_of(p, 32)};
	size_t i, count = PN_BODY_META_NUMBERS_END;
	size_t texts = PN_BODY_META_STRINGS_END;

	while (texts > PN_BODY_META_FIRST_STRINGS && !strings[texts - 1])
		texts--;
	for (i = 0; i < texts; i++)
		push_string(g, PN_BODY_META_STRINGS, strings[i]);
	while (count > PN_BODY_META_FIRST_NUMBERS && !numbers[count - 1])
		count--;
	for (i = 0; i < count; i++)
		pn_body_draft_push(&g->d, PN_BODY_META_NUMBERS,
				   (uint64_t)numbers[i]);
}

static void gather_types(struct pn_body_gather *g)
{
	uint64_t **c = g->d.columns;
	size_t i;

	pn_body_draft_resize(&g->d, PN_BODY_TYPES, g->p->type_count);
	for (i = 0; i < g->p->type_count; i++) {
		const struct pn_value_type *type = &g->p->types[i];

		c[PN_BODY_TYPE_NAME][i] = pn_body_gather_string(g, type->type);
		c[PN_BODY_TYPE_UNIT][i] = pn_body_gather_string(g, type->unit);
		c[PN_BODY_TYPE_BETTER][i] = type->better;
		c[PN_BODY_TYPE_NUMBER][i] = type->number;
	}
}

static void gather_mappings(struct pn_body_gather *g)
{
	uint64_t **c = g->d.columns;
	size_t i;

	pn_body_draft_resize(&g->d, PN_BODY_MAPPINGS, g->p->mapping_count);
	for (i = 0; i < g->p->mapping_count; i++) {
		const struct pn_mapping *m = &g->p->mappings[i];

		c[PN_BODY_MAPPING_START][i] = m->start;
		c[PN_BODY_MAPPING_SIZE][i] = m->limit - m->start;
		c[PN_BODY_MAPPING_OFFSET][i] = m->offset;
		c[PN_BODY_MAPPING_FILE][i] = pn_body_gather_string(g, m->file);
		c[PN_BODY_MAPPING_BUILD_ID][i] =
			pn_body_gather_string(g, m->build_id);
		c[PN_BODY_MAPPING_HAS][i] = m->has;
	}
}

static uint64_t bits(double value)
{
	uint64_t word;

	memcpy(&word, &value, sizeof(word));
	return word;
}

/* With the values at hand, the summary follows from them. */
static void gather_summary(uint64_t **c, size_t i, const struct pn_metric *m)
{
	const struct pn_summary *s = &m->summary;
	const double summary[] = {s->min, s->q1,   s->median, s->q3,
				  s->max, s->mean, s->sd};
	unsigned int k;

	for (k = 0; k < 7; k++)
		c[PN_BODY_METRIC_MIN + k][i] =
			m->value_count ? 0 : bits(summary[k]);
}

static void gather_metrics(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	uint64_t **c = g->d.columns;
	size_t i, k, values = 0, at = 0;

	for (i = 0; i < p->metric_count; i++)
		values += p->metrics[i].value_count;
	pn_body_draft_resize(&g->d, PN_BODY_METRICS, p->metric_count);
	pn_body_draft_resize(&g->d, PN_BODY_METRIC_VALUES, values);
	for (i = 0; i < p->metric_count; i++) {
		const struct pn_metric *m = &p->metrics[i];

		c[PN_BODY_METRIC_NAME][i] = pn_body_gather_string(g, m->name);
		c[PN_BODY_METRIC_UNIT][i] = pn_body_gather_string(g, m->unit);
		c[PN_BODY_METRIC_BETTER][i] = m->better;
		c[PN_BODY_METRIC_N][i] = m->summary.n;
		c[PN_BODY_METRIC_COUNT][i] = m->value_count;
		gather_summary(c, i, m);
		for (k = 0; k < m->value_count; k++)
			c[PN_BODY_METRIC_VALUE][at++] = bits(m->values[k]);
	}
}

static void gather_own_facts(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	struct pn_body_draft *d = &g->d;
	uint64_t **c = d->columns, base = 0;
	size_t i;

	pn_body_draft_resize(d, PN_BODY_FACTS, p->fact_count);
	for (i = 0; i < p->fact_count; i++) {
		const struct pn_fact *fact = &p->facts[i];
		union pn_value value = {.d = fact->value};
		int64_t number;

		if (d->base)
			base = pn_body_at(d->base, PN_BODY_FACT_SCALE, i);
		c[PN_BODY_FACT_NAME][i] = pn_body_gather_string(g, fact->name);
		c[PN_BODY_FACT_UNIT][i] = pn_body_gather_string(g, fact->unit);
		c[PN_BODY_FACT_SCALE][i] =
			pn_body_values_scale(&number, &value, 1, 1, base);
		c[PN_BODY_FACT_VALUE][i] = (uint64_t)number;
	}
}

void pn_body_gather_facts(struct pn_body_gather *g)
{
	gather_meta(g);
	gather_lists(g);
	gather_types(g);
	gather_mappings(g);
	gather_metrics(g);
	gather_own_facts(g);
}

static void gather_nodes(struct pn_body_gather *g)
{
	static const unsigned int columns[] = {PN_BODY_NODE_LOCATION};
	const struct pn_graph *graph = &g->p->graph;
	size_t i, n = graph->node_count;
	uint64_t *words = pn_arena_array(&g->d.scratch, n, sizeof(*words));

	for (i = 0; i < n; i++)
		words[i] = graph->nodes[i].location == PN_NONE
				   ? 0
				   : (uint64_t)g->locations[graph->nodes[i]
								    .location] +
					     1;
	g->nodes = pn_body_new_rows(g, n);
	pn_body_gather_fixed(g, g->nodes, words, n, columns, 1, 0);
	pn_body_draft_fill(&g->d, PN_BODY_NODE_GONE, 1);
	for (i = 0; i < n; i++) {
		uint32_t row = g->nodes[i];

		g->d.columns[PN_BODY_NODE_GONE][row] = 0;
		g->d.columns[PN_BODY_NODE_CALLS][row] =
			(uint64_t)graph->nodes[i].calls;
		g->d.columns[PN_BODY_NODE_PRIMITIVE][row] =
			(uint64_t)graph->nodes[i].primitive;
	}
}

/* The cost of each run by node, in the order of the rows. */
static void gather_self_by_run(struct pn_body_gather *g)
{
	const struct pn_profile *p = g->p;
	const union pn_value *values = p->graph.self_by_run;
	size_t width = p->type_count * pn_profile_runs(p), i, k;
	size_t rows = g->d.rows[PN_BODY_NODES];
	uint32_t *nodes;

	if (!values || !p->graph.node_count)
		return;
	nodes = pn_arena_array(&g->d.scratch, rows, sizeof(*nodes));
	memset(nodes, 0xff, rows * sizeof(*nodes));
	for (i = 0; i < p->graph.node_count; i++)
		nodes[g->nodes[i]] = (uint32_t)i;
	for (i = 0; i < rows; i++)
		for (k = 0; k < width; k++)
			pn_body_draft_push(
				&g->d, PN_BODY_SELF_BY_RUN,
				nodes[i] == PN_NONE
					? 0
					: (uint64_t)values[nodes[i] * width + k]
						  .i);
}

static void gather_edges(struct pn_body_gather *g)
{
	static const unsigned int plain[] = {
		PN_BODY_EDGE_CALLER, PN_BODY_EDGE_CALLEE, PN_BODY_EDGE_LINE};
	static const unsigned int sited[] = {
		PN_BODY_EDGE_CALLER, PN_BODY_EDGE_CALLEE, PN_BODY_EDGE_FILE,
		PN_BODY_EDGE_LINE, PN_BODY_EDGE_ADDRESS};
	const struct pn_graph *graph = &g->p->graph;
	size_t i, n = graph->edge_count, width = g->d.sited ? 5 : 3;
	uint64_t *words, *to;

	to = words = pn_arena_array(&g->d.scratch, n, width * sizeof(*words));
	for (i = 0; i < n; i++, to += width) {
		to[0] = g->nodes[graph->edges[i].caller];
		to[1] = g->nodes[graph->edges[i].callee];
		to[g->d.sited ? 3 : 2] = (uint64_t)graph->edges[i].line;
		if (!g->d.sited)
			continue;
		to[2] = pn_body_gather_string(g, graph->edges[i].file);
		to[4] = graph->edges[i].address;
	}
	g->edges = pn_body_new_rows(g, n);
	if (g->d.sited)
		pn_body_gather_fixed(g, g->edges, words, n, sited, width,
				     PN_BODY_ALIGN_BUT_LAST |
					     PN_BODY_ALIGN_BUT_TWO);
	else
		pn_body_gather_fixed(g, g->edges, words, n, plain, width,
				     PN_BODY_ALIGN_BUT_LAST);
	pn_body_draft_fill(&g->d, PN_BODY_EDGE_GONE, 1);
	for (i = 0; i < n; i++) {
		uint32_t row = g->edges[i];

		g->d.columns[PN_BODY_EDGE_GONE][row] = 0;
		g->d.columns[PN_BODY_EDGE_CALLS][row] =
			(uint64_t)graph->edges[i].calls;
		g->d.columns[PN_BODY_EDGE_PRIMITIVE][row] =
			(uint64_t)graph->edges[i].primitive;
	}
}

static void gather_costs(struct pn_body_gather *g)
{
	static const unsigned int columns[] = {
		PN_BODY_COST_NODE, PN_BODY_COST_FILE, PN_BODY_COST_LINE,
		PN_BODY_COST_ADDRESS};
	const struct pn_graph *graph = &g->p->graph;
	size_t i, n = graph->cost_count;
	uint64_t *words = pn_arena_array(&g->d.scratch, n, 4 * sizeof(*words));

	for (i = 0; i < n; i++) {
		words[i * 4] = g->nodes[graph->costs[i].node];
		words[i * 4 + 1] =
			pn_body_gather_string(g, graph->costs[i].file);
		words[i * 4 + 2] = (uint64_t)graph->costs[i].line;
		words[i * 4 + 3] = graph->costs[i].address;
	}
	g->costs = pn_body_new_rows(g, n);
	pn_body_gather_fixed(g, g->costs, words, n, columns, 4,
			     PN_BODY_ALIGN_BUT_LAST);
	pn_body_draft_fill(&g->d, PN_BODY_COST_GONE, 1);
	for (i = 0; i < n; i++)
		g->d.columns[PN_BODY_COST_GONE][g->costs[i]] = 0;
}

void pn_body_gather_graph(struct pn_body_gather *g)
{
	gather_nodes(g);
	gather_self_by_run(g);
	gather_edges(g);
	gather_costs(g);
}
