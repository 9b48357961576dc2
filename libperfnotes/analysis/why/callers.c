/* The edges of two call graphs between the rows of their difference. */
#include "analysis/why/callers.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Each node's row, PN_NONE for none. */
static uint32_t *rows_of_nodes(const struct pn_diff *diff, int side)
{
	const struct pn_report *report = side ? diff->after : diff->before;
	uint32_t *rows =
		pn_realloc_array(NULL, report->nodes.count + 1, sizeof(*rows));
	size_t i;

	for (i = 0; i < report->nodes.count; i++)
		rows[i] = PN_NONE;
	for (i = 0; i < diff->row_count; i++) {
		const struct pn_report_node *node =
			side ? diff->rows[i].after : diff->rows[i].before;

		if (node)
			rows[node->node] = (uint32_t)i;
	}
	return rows;
}

/* PN_NONE where the report has no such row. */
static uint32_t row_of(const struct pn_report *report, const uint32_t *rows,
		       uint32_t graph_node)
{
	uint32_t node = pn_nodes_of_graph(&report->nodes, graph_node);

	return node == PN_NONE ? PN_NONE : rows[node];
}

static void add_side(struct pn_why_calls *out, const struct pn_diff *diff,
		     int side)
{
	const struct pn_report *report = side ? diff->after : diff->before;
	const struct pn_graph *graph = &report->profile->graph;
	uint32_t *rows = rows_of_nodes(diff, side);
	size_t i;

	for (i = 0; i < graph->edge_count; i++) {
		const struct pn_edge *edge = &graph->edges[i];
		struct pn_why_call *call = &out->items[out->count];

		memset(call, 0, sizeof(*call));
		call->callee = row_of(report, rows, edge->callee);
		call->caller = row_of(report, rows, edge->caller);
		if (edge->calls < 0 || call->callee == PN_NONE ||
		    call->caller == PN_NONE)
			continue;
		call->calls[side] = pn_report_calls(report, edge->calls);
		out->count++;
	}
	free(rows);
}

static int by_ends(const void *left, const void *right)
{
	const struct pn_why_call *a = left, *b = right;

	if (a->callee != b->callee)
		return a->callee < b->callee ? -1 : 1;
	return (a->caller > b->caller) - (a->caller < b->caller);
}

/* Calls between the same two become one. */
static void unite(struct pn_why_calls *out)
{
	size_t i, n = 0;

	for (i = 0; i < out->count; i++) {
		struct pn_why_call *last = n ? &out->items[n - 1] : NULL;

		if (last && !by_ends(last, &out->items[i])) {
			last->calls[0] += out->items[i].calls[0];
			last->calls[1] += out->items[i].calls[1];
		} else {
			out->items[n++] = out->items[i];
		}
	}
	out->count = n;
}

void pn_why_calls_init(struct pn_why_calls *out, const struct pn_diff *diff)
{
	size_t edges[] = {diff->before->profile->graph.edge_count,
			  diff->after->profile->graph.edge_count};
	size_t row, at = 0;

	*out = (struct pn_why_calls){0};
	out->first = pn_calloc(diff->row_count + 2, sizeof(*out->first));
	out->items = pn_realloc_array(NULL, edges[0] + edges[1] + 1,
				      sizeof(*out->items));
	if (edges[0] && edges[1]) {
		add_side(out, diff, 0);
		add_side(out, diff, 1);
	}
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_ends);
	unite(out);
	for (row = 0; row <= diff->row_count; row++) {
		out->first[row] = at;
		while (at < out->count && out->items[at].callee == row)
			at++;
	}
}

void pn_why_calls_release(struct pn_why_calls *calls)
{
	free(calls->items);
	free(calls->first);
	*calls = (struct pn_why_calls){0};
}
