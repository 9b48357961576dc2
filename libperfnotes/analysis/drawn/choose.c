/* Which nodes are drawn. */
#include "analysis/drawn/drawn.h"

#include "analysis/order.h"
#include "base/alloc.h"
#include "base/bytes.h"

#include <math.h>
#include <stdlib.h>

/* How the weights of a node's edges are spread (Shannon's entropy). */
struct spread {
	double in_total, out_total, in, out;
	size_t in_count, out_count;
};

static double weight_of(int64_t weight)
{
	return (double)pn_weight_abs(weight);
}

/* Powers of two are exact, as a sum of them has to be. */
static double bits(double share)
{
	int exponent;
	double part = frexp(share, &exponent);

	/* a call that weighs nothing makes no number of it, as in pprof */
	if (!(share > 0))
		return NAN;
	if (part == 0.5)
		return share * (1 - exponent);
	return -share * (log(part) * (1 / log(2)) + exponent);
}

static void add_totals(struct spread *spreads,
		       const struct pn_tally_edges *edges)
{
	size_t i;

	for (i = 0; i < edges->count; i++) {
		const struct pn_tally_edge *e = &edges->items[i];

		spreads[e->from].out_count++;
		spreads[e->to].in_count++;
		if (e->weight <= 0)
			continue;
		spreads[e->from].out_total += weight_of(e->weight);
		spreads[e->to].in_total += weight_of(e->weight);
	}
}

static void add_bits(struct spread *spreads, const struct pn_tally_edges *edges)
{
	size_t i;

	for (i = 0; i < edges->count; i++) {
		const struct pn_tally_edge *e = &edges->items[i];
		struct spread *from = &spreads[e->from];
		struct spread *to = &spreads[e->to];

		if (from->out_total != 0)
			from->out +=
				bits(weight_of(e->weight) / from->out_total);
		if (to->in_total != 0)
			to->in += bits(weight_of(e->weight) / to->in_total);
	}
}

/* Entries and leaves count as much as an even choice of two. */
static int64_t score(const struct pn_report_node *row, const struct spread *s)
{
	double sum = s->in_count ? s->in : 1;

	if (!s->out_count)
		sum++;
	else if (s->out_total != 0 && row->flat_sum > 0)
		sum += s->out + bits((double)row->flat_sum / s->out_total);
	else
		sum += s->out;
	sum *= (double)row->cum_sum;
	return pn_weight_add(fabs(sum) < 9.2e18 ? (int64_t)sum : INT64_MIN,
			     row->flat_sum);
}

struct scored {
	struct pn_report_node row;
	int64_t score;
};

/* Of two's complement: the least number stays what it is. */
static int64_t magnitude(int64_t a)
{
	return a < 0 ? (int64_t)(0 - (uint64_t)a) : a;
}

static int heavier(int64_t a, int64_t b)
{
	int64_t x = magnitude(a), y = magnitude(b);

	return (x < y) - (x > y);
}

static int by_score(const void *left, const void *right)
{
	const struct scored *a = left, *b = right;
	int order = heavier(a->score, b->score);

	if (!order)
		order = pn_bytes_order(a->row.name, a->row.name_len,
				       b->row.name, b->row.name_len);
	if (!order)
		order = heavier(a->row.flat_sum, b->row.flat_sum);
	return order ? order
		     : (a->row.node > b->row.node) -
			       (a->row.node < b->row.node);
}

static void order_rows(struct pn_report *report,
		       const struct pn_tally_edges *edges)
{
	struct spread *spreads =
		pn_calloc(report->nodes.count + 1, sizeof(*spreads));
	struct scored *scored =
		pn_calloc(report->row_count + 1, sizeof(*scored));
	size_t i;

	for (i = 0; i < report->row_count; i++)
		spreads[report->rows[i].node].out_total =
			(double)report->rows[i].flat_sum;
	add_totals(spreads, edges);
	add_bits(spreads, edges);
	for (i = 0; i < report->row_count; i++) {
		scored[i].row = report->rows[i];
		scored[i].score =
			score(&report->rows[i], &spreads[report->rows[i].node]);
	}
	if (report->row_count)
		qsort(scored, report->row_count, sizeof(*scored), by_score);
	for (i = 0; i < report->row_count; i++)
		report->rows[i] = scored[i].row;
	free(scored);
	free(spreads);
}

static void find_edges(struct pn_tally_edges *out,
		       const struct pn_report *report,
		       const struct pn_tally *tallies)
{
	unsigned char *kept = pn_calloc(report->nodes.count + 1, 1);
	size_t i;

	for (i = 0; i < report->row_count; i++)
		kept[report->rows[i].node] = 1;
	pn_tally_edges(out, report->profile, &report->nodes, &report->weight,
		       tallies, kept, kept);
	free(kept);
}

/* Labels of a node take the place of nodes. */
static size_t limit(const struct pn_report *report, int64_t least_node)
{
	uint64_t most = (uint64_t)report->options.node_count, count = 0;
	struct pn_drawn_tags tags;
	size_t i, at, n = report->row_count;

	pn_drawn_tags_init(&tags, report, least_node);
	for (i = 0; i < report->row_count; i++) {
		uint32_t node = report->rows[i].node;
		size_t own = 0;

		for (at = tags.first[node]; at < tags.first[node + 1]; at++)
			own += tags.items[at].flat != 0;
		count +=
			1 + (own > PN_DRAWN_NODELETS ? PN_DRAWN_NODELETS : own);
		if (count >= most) {
			n = i + 1;
			break;
		}
	}
	pn_drawn_tags_release(&tags);
	return n;
}

void pn_drawn_choose(struct pn_report *report, const struct pn_tally *tallies,
		     int64_t least_node, int64_t least_edge)
{
	struct pn_tally_edges edges;
	bool limited = report->options.node_count > 0;
	size_t most;

	report->draws_tags_of = least_node;
	find_edges(&edges, report, tallies);
	order_rows(report, &edges);
	most = limited ? limit(report, least_node) : report->row_count;
	if (most < report->row_count) {
		report->row_count = most;
		pn_tally_edges_release(&edges);
		find_edges(&edges, report, tallies);
		order_rows(report, &edges);
		/* those of a tree went before: it is not made again */
		limited = report->nodes.paths;
	}
	pn_order_edges(report, &edges, least_edge);
	/* pprof tells only of those that go after the nodes were chosen */
	if (limited)
		report->dropped_edges = 0;
	pn_tally_edges_release(&edges);
	pn_drawn_drop_redundant(report);
}
