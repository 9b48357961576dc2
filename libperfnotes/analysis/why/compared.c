/* From the reports of a diff to the values that functions are judged by. */
#include "analysis/why/compared.h"

#include "analysis/by_run.h"
#include "base/alloc.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct pn_report *report_of(const struct pn_diff *diff, int side)
{
	return side ? diff->after : diff->before;
}

static const struct pn_report_node *node_of(const struct pn_diff_row *row,
					    int side)
{
	return side ? row->after : row->before;
}

double pn_compared_calls(const struct pn_diff *diff,
			 const struct pn_diff_row *row, int side)
{
	const struct pn_report_node *node = node_of(row, side);

	if (!node)
		return 0;
	return node->calls < 0
		       ? (double)NAN
		       : pn_report_calls(report_of(diff, side), node->calls);
}

const char *pn_compared_file(const struct pn_diff *diff,
			     const struct pn_diff_row *row)
{
	int side = row->after != NULL;
	const struct pn_report *report = report_of(diff, side);
	const struct pn_node_info *info =
		&report->nodes.items[node_of(row, side)->node];

	if (info->function == PN_NONE)
		return "";
	return pn_profile_text(report->profile,
			       report->profile->functions[info->function].file);
}

/* What one row cost: weights by run, or NULL. */
static void read_values(double *to, size_t runs, const struct pn_diff *diff,
			const struct pn_diff_row *row, int side,
			const int64_t *weights, double scale)
{
	const struct pn_report *report = report_of(diff, side);
	size_t r, at = node_of(row, side)->node * runs;

	for (r = 0; r < runs; r++)
		to[r] = weights ? scale * pn_report_number_of_run(
						  report, weights[at + r])
			: side ? row->new_self
			       : row->old_self;
}

static void read_side(struct pn_compared *c, const struct pn_diff *diff,
		      int side)
{
	const struct pn_report *report = report_of(diff, side);
	int64_t *weights = pn_by_run_weights(report);
	size_t runs = weights ? pn_profile_runs(report->profile) : 1, i, r;
	size_t count = diff->row_count * runs + 1;
	const char *ignored;
	double scale = 1;

	if (!side && strcmp(report->unit, diff->unit) != 0)
		scale = pn_unit_scale(&ignored, 1, report->unit, diff->unit);
	c->runs[side] = runs;
	c->values[side] = pn_calloc(count, sizeof(**c->values));
	c->calls[side] = pn_calloc(count, sizeof(**c->calls));
	for (i = 0; i < diff->row_count; i++) {
		const struct pn_diff_row *row = &diff->rows[i];
		struct pn_function_costs *costs = &c->costs[i];
		double *values = c->values[side] + i * runs;
		double *calls = c->calls[side] + i * runs;

		if (!node_of(row, side))
			continue;
		read_values(values, runs, diff, row, side, weights, scale);
		for (r = 0; r < runs; r++)
			calls[r] = pn_compared_calls(diff, row, side);
		*(side ? &costs->target : &costs->baseline) = values;
		*(side ? &costs->target_calls : &costs->baseline_calls) = calls;
	}
	free(weights);
}

/* Counts of one run are what they are; times of one run are not. */
static bool is_exact(const struct pn_compared *c, const struct pn_diff *diff)
{
	return c->runs[0] == 1 && c->runs[1] == 1 &&
	       !diff->after->profile->sample_count &&
	       !pn_unit_comparable(diff->unit, "ns");
}

int pn_compared_init(struct pn_compared *out, const struct pn_diff *diff,
		     const struct pn_functions_rule *rule, struct pn_error *err)
{
	struct pn_functions_rule as_is = *rule;
	struct pn_compared c = {
		.costs = pn_calloc(diff->row_count + 1, sizeof(*c.costs))};
	int code;

	read_side(&c, diff, 0);
	read_side(&c, diff, 1);
	as_is.exact |= is_exact(&c, diff);
	c.tested = as_is.exact || (c.runs[0] + c.runs[1] > 2 && c.runs[0] > 1);
	code = pn_functions_compare(&c.found, c.costs, diff->row_count, c.runs,
				    &as_is, err);
	*out = c;
	return code;
}

void pn_compared_release(struct pn_compared *compared)
{
	int side;

	pn_functions_release(&compared->found);
	for (side = 0; side < 2; side++) {
		free(compared->values[side]);
		free(compared->calls[side]);
	}
	free(compared->costs);
	*compared = (struct pn_compared){.costs = NULL};
}
