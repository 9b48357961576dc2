/* The report that most views print: filter, add up, trim, order. */
#include "analysis/report.h"

#include "analysis/cost_lines.h"
#include "analysis/drawn/drawn.h"
#include "analysis/drawn/paths.h"
#include "analysis/filter/stacks.h"
#include "analysis/filter/tagfilter.h"
#include "analysis/order.h"
#include "analysis/tally.h"
#include "base/alloc.h"
#include "base/file.h"
#include "model/graph/cycles.h"
#include "model/runs.h"
#include "model/timeline/ticks.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_share(double number)
{
	return number >= 0 && number <= 1;
}

int pn_report_options_check(const struct pn_report_options *options,
			    struct pn_error *err)
{
	if (!is_share(options->node_fraction) ||
	    !is_share(options->edge_fraction))
		return pn_error_set(err, PN_EINVAL,
				    "a share is between 0 and 1");
	if (options->flat_sort && options->cum_sort)
		return pn_error_set(err, PN_EINVAL,
				    "--flat and --cum exclude each other");
	return 0;
}

static int64_t cutoff(double sum, double fraction)
{
	double value = fabs(sum * fraction);

	return value < 9.2e18 ? (int64_t)value : INT64_MAX;
}

static double ratio_of(const struct pn_report *report)
{
	double by = report->options.divide_by;

	return by > 0 ? 1 / by : 1;
}

/* Integers stay integers when they are divided, as pprof has it. */
static double number_of(const struct pn_report *report, double weight,
			uint32_t runs)
{
	double value = weight / report->weight.scale / runs;
	double ratio = ratio_of(report);

	if (ratio == 1)
		return value;
	value *= ratio;
	return report->weight.scale == 1 ? trunc(value) : value;
}

double pn_report_number(const struct pn_report *report, int64_t weight)
{
	return number_of(report, (double)weight, report->runs);
}

double pn_report_number_of_run(const struct pn_report *report, int64_t weight)
{
	return number_of(report, (double)weight, 1);
}

bool pn_report_is_whole(const struct pn_report *report)
{
	return report->weight.scale == 1 && report->runs == 1 &&
	       ratio_of(report) == 1;
}

double pn_report_calls(const struct pn_report *report, int64_t calls)
{
	return (double)calls / pn_profile_runs(report->profile);
}

void pn_report_value(struct pn_buf *out, const struct pn_report *report,
		     int64_t weight)
{
	pn_unit_label(out, number_of(report, (double)weight, report->runs),
		      report->unit, report->to_unit);
}

void pn_report_share(struct pn_buf *out, const struct pn_report *report,
		     int64_t weight)
{
	pn_unit_percentage(out, (double)weight, (double)report->total);
}

/* The unit of the smallest value, unless the total is far larger: then one in
 * which the smallest still shows as 0.01. */
static void choose_unit(struct pn_report *report)
{
	int64_t least = 0;
	const char *least_unit, *total_unit, *unit;
	double least_value, total_value;
	size_t i;

	if (strcmp(report->to_unit, PN_UNIT_MINIMUM) || !report->row_count)
		return;
	for (i = 0; i < report->row_count; i++) {
		const struct pn_report_node *row = &report->rows[i];
		int64_t value = pn_weight_abs(row->flat ? row->flat : row->cum);

		if (value > 0 && (!least || value < least))
			least = value;
	}
	least_value = pn_report_number(report, least ? least : report->total);
	total_value = pn_report_number(report, report->total);
	pn_unit_scale(&least_unit, least_value, report->unit, PN_UNIT_MINIMUM);
	pn_unit_scale(&total_unit, total_value, report->unit, PN_UNIT_MINIMUM);
	unit = least_unit;
	if (strcmp(least_unit, total_unit) && least_value * 100 < total_value)
		pn_unit_scale(&unit, 100 * least_value, report->unit,
			      PN_UNIT_MINIMUM);
	report->to_unit = *unit ? unit : report->unit;
}

static void fill_row(struct pn_report_node *row, struct pn_report *report,
		     const struct pn_tally *tally, uint32_t node,
		     struct pn_buf *name)
{
	memset(row, 0, sizeof(*row));
	pn_buf_clear(name);
	pn_nodes_name(name, &report->nodes, node);
	row->name = pn_arena_copy(&report->arena, pn_buf_text(name), name->len);
	row->name_len = name->len;
	row->binary = pn_profile_text(report->nodes.profile,
				      report->nodes.items[node].object);
	row->node = node;
	row->flat_sum = tally->flat;
	row->cum_sum = tally->cum;
	row->flat = pn_weight_div(tally->flat, tally->flat_div);
	row->cum = pn_weight_div(tally->cum, tally->cum_div);
	row->calls = tally->calls;
}

/* What became less, and with it what only calls such. */
static bool is_dropped(const struct pn_report *report,
		       const struct pn_tally *tally)
{
	return report->options.drop_negative &&
	       (tally->flat < 0 || (!tally->flat && tally->cum < 0));
}

static bool is_asked(const struct pn_report *report, size_t node)
{
	const unsigned char *names = report->options.names;

	return !names || names[report->nodes.items[node].name];
}

/* Rows of all nodes that weigh enough. */
static void trim_nodes(struct pn_report *report, const struct pn_tally *tallies,
		       int64_t least)
{
	bool all = report->options.node_fraction <= 0;
	struct pn_buf name = {0};
	size_t i, n = 0;

	report->rows = pn_realloc_array(NULL, report->nodes.count + 1,
					sizeof(*report->rows));
	for (i = 0; i < report->nodes.count; i++) {
		if (!tallies[i].cum && !tallies[i].flat &&
		    !(all && tallies[i].calls > 0))
			continue;
		if (is_dropped(report, &tallies[i]) || !is_asked(report, i))
			continue;
		if (pn_weight_abs(tallies[i].cum) < least)
			report->dropped_count++;
		else
			fill_row(&report->rows[n++], report, &tallies[i],
				 (uint32_t)i, &name);
	}
	pn_buf_release(&name);
	report->row_count = report->kept_count = n;
}

/*
 * What costs nothing in all still calls and is called: of which a mean has the
 * number and no value, or a difference more here and less there. pprof shows
 * such nodes as callers and callees as long as no other node is trimmed.
 */
static void hide_nodes(struct pn_report *report, const struct pn_tally *tallies)
{
	bool any = report->weight.divisor != PN_NONE;
	struct pn_buf name = {0};
	size_t i, n = report->row_count;

	for (i = 0; !any && i < report->nodes.count; i++)
		any = tallies[i].flat < 0;
	if (!any || report->dropped_count || n < report->kept_count ||
	    !report->profile->sample_count)
		return;
	for (i = 0; i < report->nodes.count; i++)
		if ((!tallies[i].cum && !tallies[i].flat) ||
		    is_dropped(report, &tallies[i]))
			fill_row(&report->rows[n++], report, &tallies[i],
				 (uint32_t)i, &name);
	report->hidden_count = n - report->row_count;
	pn_buf_release(&name);
}

static int64_t sum_flat(const struct pn_report *report,
			const struct pn_tally *tallies)
{
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < report->nodes.count; i++)
		if (!is_dropped(report, &tallies[i]))
			sum = pn_weight_add(sum, tallies[i].flat);
	return sum;
}

/* Whether some edge to the node can be one of inlined calls that is heavy
 * enough: those calls together must be. */
static bool may_be_inlined(const struct pn_tally *tally, int64_t least)
{
	return tally->inlined && tally->inlined >= least;
}

static void take_edges(struct pn_report *report, const struct pn_tally *tallies,
		       int64_t least)
{
	bool all = report->options.edges == PN_EDGES_ALL, any = false;
	unsigned char *kept = pn_calloc(report->nodes.count + 1, 1);
	unsigned char *wanted = pn_calloc(report->nodes.count + 1, 1);
	struct pn_tally_edges edges;
	size_t i;

	for (i = 0; i < report->row_count + report->hidden_count; i++) {
		uint32_t node = report->rows[i].node;

		kept[node] = 1;
		wanted[node] = all || may_be_inlined(&tallies[node], least);
		any = any || wanted[node];
	}
	if (any) {
		pn_tally_edges(&edges, report->profile, &report->nodes,
			       &report->weight, tallies, kept, wanted);
		pn_order_edges(report, &edges, least);
		pn_tally_edges_release(&edges);
	}
	free(kept);
	free(wanted);
}

/* What views of a call graph count on. */
static void settle_graph(struct pn_profile *profile,
			 enum pn_granularity granularity)
{
	if (profile->sample_count || !profile->graph.node_count)
		return;
	pn_cycles_bound(profile);
	if (granularity >= PN_BY_LINES)
		pn_cost_lines_split(
			profile, granularity == PN_BY_ADDRESSES ||
					 granularity == PN_BY_BINARY_ADDRESSES);
}

/* What a path has to weigh to be drawn, where its callers weigh as much as it
 * does: otherwise 0, and all are made. */
static int64_t least_of_paths(const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;
	int64_t sum = 0, value;
	size_t i;

	if (report->weight.divisor != PN_NONE || report->options.names)
		return 0;
	for (i = 0; i < p->sample_count; i++) {
		uint32_t stack = p->samples[i].stack;

		value = pn_weight_value(&report->weight, p,
					p->values + i * p->type_count);
		if (value < 0 || value > INT64_MAX - sum)
			return 0;
		if (p->stack_start[stack] < p->stack_start[stack + 1])
			sum += value;
	}
	return cutoff((double)sum, report->options.node_fraction);
}

static bool tells_paths(const struct pn_report_options *options)
{
	return options->drawn && options->call_tree;
}

static void choose(struct pn_report *report, const struct pn_tally *tallies,
		   int64_t sum)
{
	const struct pn_report_options *options = &report->options;
	size_t i;

	if (options->drawn) {
		pn_drawn_choose(report, tallies,
				cutoff((double)sum, options->node_fraction),
				cutoff((double)sum, options->edge_fraction));
	} else {
		pn_order_nodes(report);
		if (options->node_count > 0 &&
		    (uint64_t)options->node_count < report->row_count)
			report->row_count = (size_t)options->node_count;
	}
	for (i = 0; i < report->row_count; i++)
		report->flat_total =
			pn_weight_add(report->flat_total, report->rows[i].flat);
	if (options->edges != PN_EDGES_NONE && !options->drawn) {
		hide_nodes(report, tallies);
		take_edges(report, tallies,
			   cutoff((double)sum, options->edge_fraction));
	}
}

/* `profile` is the report's, where it may be changed. */
static int build(struct pn_report *report, struct pn_profile *profile,
		 struct pn_error *err)
{
	const struct pn_report_options *options = &report->options;
	struct pn_tally *tallies;
	int64_t sum;
	int code = 0;

	pn_nodes_init(&report->nodes, report->profile, options->granularity,
		      options->noinlines);
	if (tells_paths(options))
		code = pn_paths_split(&report->dropped_count, profile,
				      &report->nodes, &report->weight,
				      least_of_paths(report), err);
	if (code || (options->nodes_only && report->profile->sample_count &&
		     strcmp(report->to_unit, PN_UNIT_MINIMUM)))
		return code;
	tallies = pn_tally_nodes(report->profile, &report->nodes,
				 &report->weight);
	sum = sum_flat(report, tallies);
	if (tells_paths(options))
		tallies[PN_PATHS_REST] = (struct pn_tally){0};
	trim_nodes(report, tallies,
		   cutoff((double)sum, options->node_fraction));
	choose(report, tallies, sum);
	free(tallies);
	choose_unit(report);
	return 0;
}

static int filter(struct pn_report *report, struct pn_profile *profile,
		  struct pn_error *err)
{
	const struct pn_filter *filters = &report->options.filter;
	unsigned int unmatched = 0;
	int code;

	code = pn_filter_add_tags(profile, filters, report->to_unit, &unmatched,
				  err);
	if (code)
		return code;
	report->whole = pn_weight_total(&report->weight, profile, false);
	report->total = report->whole;
	code = pn_filter_apply(profile, filters, &report->unmatched, err);
	if (code)
		return code;
	report->unmatched |= unmatched;
	if (report->options.relative)
		report->total = pn_weight_total(&report->weight, profile, true);
	return 0;
}

/*
 * How many runs the weights are sums of. What is divided by the number of
 * events is of one already, and so are peaks and levels of runs that were
 * pooled. Of runs that are told apart the one with the largest peak stays.
 */
static uint32_t settle_runs(const struct pn_report *report,
			    struct pn_profile *p)
{
	uint32_t column = report->weight.column, run;
	uint8_t role = p->types[column].role;
	uint32_t *of_set = NULL, runs = pn_profile_runs(p);
	size_t i;

	if (report->options.mean || runs == 1)
		return 1;
	if (role == PN_ROLE_SUM)
		return runs;
	of_set = pn_runs_of_sets(p);
	if (!of_set || !p->sample_count || role != PN_ROLE_PEAK) {
		runs = of_set && p->sample_count ? runs : 1;
	} else {
		unsigned char *stays = pn_calloc(p->label_set_count + 1, 1);

		pn_runs_peak(&run, p, column, of_set);
		for (i = 0; i < p->label_set_count; i++)
			stays[i] = of_set[i] == run;
		pn_samples_keep(p, NULL, stays);
		free(stays);
		runs = 1;
	}
	free(of_set);
	return runs;
}

/* What does not change the profile any more, but for a tree: `profile` is NULL
 * where none is asked for. */
static int finish(struct pn_report *report, struct pn_profile *profile,
		  struct pn_error *err)
{
	const struct pn_profile *p = report->profile;
	const struct pn_value_type *type = &p->types[report->weight.column];

	report->type = pn_profile_text(p, type->type);
	report->unit = pn_profile_text(p, type->unit);
	report->tag_units = pn_tag_units_new(p);
	return report->options.no_rows ? 0 : build(report, profile, err);
}

static const char *unit_of(const struct pn_report_options *options)
{
	return options->unit ? options->unit : PN_UNIT_MINIMUM;
}

int pn_report_init(struct pn_report *out, struct pn_profile *profile,
		   const struct pn_report_options *options,
		   struct pn_error *err)
{
	struct pn_report report = {.profile = profile, .options = *options};
	int code;

	if (profile->sample_count > PN_REPORT_MAX_SAMPLES)
		return pn_error_set(err, PN_ELIMIT,
				    "a report takes up to %lu samples",
				    (unsigned long)PN_REPORT_MAX_SAMPLES);
	if (options->granularity == PN_BY_LINES ||
	    options->granularity == PN_BY_BINARY_LINES ||
	    options->granularity == PN_BY_PLACES)
		pn_ticks_spread(profile);
	code = pn_filter_take_graph(profile, &options->filter, err);
	if (!code)
		code = pn_weight_choose(&report.weight, profile,
					options->sample_index, options->mean,
					err);
	if (code)
		return code;
	report.runs = settle_runs(&report, profile);
	report.to_unit = unit_of(options);
	code = filter(&report, profile, err);
	if (code)
		return code;
	if (!options->no_rows)
		settle_graph(profile, options->granularity);
	code = finish(&report, profile, err);
	if (code) {
		pn_report_release(&report);
		return code;
	}
	*out = report;
	return 0;
}

bool pn_report_init_again(struct pn_report *out, const struct pn_report *from,
			  const struct pn_report_options *options)
{
	const struct pn_profile *p = from->profile;
	struct pn_report report = {.profile = p, .options = *options};

	if (!p->sample_count || p->tick_count || tells_paths(options))
		return false;
	report.weight = from->weight;
	report.runs = from->runs;
	report.to_unit = unit_of(options);
	report.total = pn_weight_total(&report.weight, p, options->relative);
	report.whole = from->whole;
	finish(&report, NULL, NULL);
	*out = report;
	return true;
}

void pn_report_release(struct pn_report *report)
{
	if (!report)
		return;
	pn_nodes_release(&report->nodes);
	pn_arena_release(&report->arena);
	free(report->tag_units);
	free(report->rows);
	free(report->edges);
	free(report->in);
	free(report->out);
	memset(report, 0, sizeof(*report));
}
