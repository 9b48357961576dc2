/* The order of a report's rows and edges. */
#include "analysis/order.h"

#include "base/alloc.h"
#include "base/bytes.h"

#include <stdlib.h>

static int by_name(const struct pn_report_node *a,
		   const struct pn_report_node *b)
{
	return pn_bytes_order(a->name, a->name_len, b->name, b->name_len);
}

static int heavier(int64_t a, int64_t b)
{
	uint64_t x = (uint64_t)pn_weight_abs(a), y = (uint64_t)pn_weight_abs(b);

	return (x < y) - (x > y);
}

/* Of equal rows by binary, of which pprof compares "path}"; else the one that
 * the profile has first. */
static int by_node(const struct pn_report_node *a,
		   const struct pn_report_node *b)
{
	const char *x = a->binary, *y = b->binary;

	while (*x && *x == *y) {
		x++;
		y++;
	}
	if (*x != *y)
		return (*x ? (unsigned char)*x : '}') <
				       (*y ? (unsigned char)*y : '}')
			       ? -1
			       : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static int by_flat(const void *left, const void *right)
{
	const struct pn_report_node *a = left, *b = right;
	int order = heavier(a->flat_sum, b->flat_sum);

	if (!order)
		order = by_name(a, b);
	if (!order)
		order = heavier(a->cum_sum, b->cum_sum);
	return order ? order : by_node(a, b);
}

static int by_cum(const void *left, const void *right)
{
	const struct pn_report_node *a = left, *b = right;
	int order = heavier(a->cum_sum, b->cum_sum);

	if (!order)
		order = by_name(a, b);
	if (!order)
		order = heavier(a->flat_sum, b->flat_sum);
	return order ? order : by_node(a, b);
}

void pn_order_nodes(struct pn_report *report)
{
	if (report->row_count)
		qsort(report->rows, report->row_count, sizeof(*report->rows),
		      report->options.cum_sort ? by_cum : by_flat);
}

struct named {
	const struct pn_report_node *row;
	uint32_t at;
};

static int by_row_name(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	int order = by_name(a->row, b->row);

	return order ? order : (a->at > b->at) - (a->at < b->at);
}

/* The place of each row in the order of names, hidden ones too. */
static uint32_t *rank_names(const struct pn_report *report)
{
	size_t i, n = report->row_count + report->hidden_count;
	struct named *named = pn_realloc_array(NULL, n + 1, sizeof(*named));
	uint32_t *ranks = pn_realloc_array(NULL, n + 1, sizeof(*ranks));

	for (i = 0; i < n; i++) {
		named[i].row = &report->rows[i];
		named[i].at = (uint32_t)i;
	}
	qsort(named, n, sizeof(*named), by_row_name);
	for (i = 0; i < n; i++)
		ranks[named[i].at] = (uint32_t)i;
	free(named);
	return ranks;
}

struct key {
	uint32_t group, rank, edge;
	int64_t weight;
};

static int by_key(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	int order;

	if (a->group != b->group)
		return a->group < b->group ? -1 : 1;
	order = heavier(a->weight, b->weight);
	return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/* The edges of each row, as indices: `incoming` ones or the others. */
static uint32_t *group_edges(struct pn_report *report, const uint32_t *ranks,
			     bool incoming)
{
	size_t i, n = report->edge_count;
	struct key *keys = pn_realloc_array(NULL, n + 1, sizeof(*keys));
	uint32_t *edges = pn_realloc_array(NULL, n + 1, sizeof(*edges));

	for (i = 0; i < n; i++) {
		const struct pn_report_edge *e = &report->edges[i];

		keys[i].group = incoming ? e->to : e->from;
		keys[i].rank = ranks[incoming ? e->from : e->to];
		keys[i].weight = e->weight;
		keys[i].edge = (uint32_t)i;
	}
	qsort(keys, n, sizeof(*keys), by_key);
	for (i = 0; i < n; i++) {
		struct pn_report_node *row = &report->rows[keys[i].group];
		size_t *first = incoming ? &row->in_first : &row->out_first;
		size_t *count = incoming ? &row->in_count : &row->out_count;

		edges[i] = keys[i].edge;
		if (!(*count)++)
			*first = i;
	}
	free(keys);
	return edges;
}

static void find_inlined(struct pn_report *report)
{
	size_t i, e;

	for (i = 0; i < report->row_count; i++) {
		struct pn_report_node *row = &report->rows[i];
		size_t inlined = 0;

		for (e = 0; e < row->in_count; e++)
			inlined += report->edges[report->in[row->in_first + e]]
					   .inlined;
		if (inlined)
			row->inlined = inlined == row->in_count
					       ? PN_INLINED_ALWAYS
					       : PN_INLINED_PARTLY;
	}
}

static void copy_edges(struct pn_report *report,
		       const struct pn_tally_edges *edges, int64_t least)
{
	uint32_t *row_of = pn_calloc(report->nodes.count + 1, sizeof(*row_of));
	size_t i, n = 0;

	for (i = 0; i < report->row_count + report->hidden_count; i++)
		row_of[report->rows[i].node] = (uint32_t)i;
	report->edges = pn_realloc_array(NULL, edges->count + 1,
					 sizeof(*report->edges));
	for (i = 0; i < edges->count; i++) {
		const struct pn_tally_edge *from = &edges->items[i];
		struct pn_report_edge *to = &report->edges[n];

		if (pn_weight_abs(from->weight) < least) {
			report->dropped_edges++;
			continue;
		}
		to->from = row_of[from->from];
		to->to = row_of[from->to];
		to->weight = from->weight;
		to->divisor = from->divisor;
		to->inlined = from->inlined;
		to->residual = from->residual;
		n++;
	}
	report->edge_count = n;
	free(row_of);
}

void pn_order_edges(struct pn_report *report,
		    const struct pn_tally_edges *edges, int64_t least)
{
	uint32_t *ranks;

	copy_edges(report, edges, least);
	ranks = rank_names(report);
	report->in = group_edges(report, ranks, true);
	report->out = group_edges(report, ranks, false);
	free(ranks);
	find_inlined(report);
}
