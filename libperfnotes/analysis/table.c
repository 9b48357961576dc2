/* The shape "table", and the two tables that come from a profile. */
#include "analysis/table.h"

#include "analysis/by_run.h"
#include "analysis/report.h"
#include "base/alloc.h"
#include "base/escape.h"
#include "base/text/similar.h"
#include "model/graph/totals.h"
#include "model/summary.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void pn_table_release(struct pn_table *table)
{
	if (!table)
		return;
	pn_arena_release(&table->arena);
	free(table->cells);
	memset(table, 0, sizeof(*table));
}

void pn_table_add_column(struct pn_table *table, const struct pn_column *column)
{
	if (table->column_count < PN_TABLE_MAX_COLUMNS)
		table->columns[table->column_count++] = *column;
}

const char *pn_table_title(struct pn_table *table, const char *text)
{
	struct pn_buf safe = {0};
	const char *title;

	pn_escape_terminal(&safe, text, strlen(text));
	title = pn_arena_copy(&table->arena, pn_buf_text(&safe), safe.len);
	pn_buf_release(&safe);
	return title;
}

struct pn_cell *pn_table_add_row(struct pn_table *table)
{
	size_t width = table->column_count;
	struct pn_cell *row;

	table->cells =
		pn_grow(table->cells, &table->row_cap, table->row_count + 1,
			width * sizeof(*table->cells));
	row = table->cells + table->row_count++ * width;
	memset(row, 0, width * sizeof(*row));
	return row;
}

struct pn_cell pn_cell_text(const char *text)
{
	return (struct pn_cell){.kind = PN_CELL_TEXT, .value = {.text = text}};
}

struct pn_cell pn_cell_tinted(struct pn_cell cell, enum pn_tint tint)
{
	cell.tint = tint;
	return cell;
}

struct pn_cell pn_cell_int(int64_t value)
{
	return (struct pn_cell){.kind = PN_CELL_INT, .value = {.i = value}};
}

struct pn_cell pn_cell_count(double value)
{
	if (fabs(value) < 9e15 && trunc(value) == value)
		return pn_cell_int((int64_t)value);
	return pn_cell_number(value);
}

struct pn_cell pn_cell_bool(bool value)
{
	return (struct pn_cell){.kind = PN_CELL_BOOL, .value = {.yes = value}};
}

struct pn_cell pn_cell_number(double value)
{
	struct pn_cell cell = {.kind = PN_CELL_NONE, .value = {0}};

	if (isfinite(value)) {
		cell.kind = PN_CELL_NUMBER;
		cell.value.d = value;
	}
	return cell;
}

/* Columns of a report: those of JSON, then those of text. */
enum {
	NAME,
	FILE_NAME,
	LINE,
	SELF,
	TOTAL,
	CALLS,
	INLINED,
	BY_RUN,
	FLAT,
	FLAT_SHARE,
	SUM_SHARE,
	CUM,
	CUM_SHARE,
	SHOWN_CALLS,
	SHOWN
};

static bool has_calls(const struct pn_report *report)
{
	size_t i;

	for (i = 0; i < report->row_count; i++)
		if (report->rows[i].calls >= 0)
			return true;
	return false;
}

static void report_columns(struct pn_table *table,
			   const struct pn_report *report)
{
	static const struct pn_column columns[SHOWN + 1] = {
		[NAME] = {.key = "name"},
		[FILE_NAME] = {.key = "file"},
		[LINE] = {.key = "line"},
		[SELF] = {.key = "self"},
		[TOTAL] = {.key = "total"},
		[CALLS] = {.key = "calls"},
		[INLINED] = {.key = "inlined"},
		[BY_RUN] = {.key = "self_by_run"},
		[FLAT] = {"flat", .format = PN_COLUMN_UNIT, .width = 10},
		[FLAT_SHARE] = {"flat%", .format = PN_COLUMN_SHARE, .width = 6,
				.gap = 1},
		[SUM_SHARE] = {"sum%", .format = PN_COLUMN_SHARE, .width = 6,
			       .gap = 1},
		[CUM] = {"cum", .format = PN_COLUMN_UNIT, .width = 10,
			 .gap = 1},
		[CUM_SHARE] = {"cum%", .format = PN_COLUMN_SHARE, .width = 6,
			       .gap = 1},
		[SHOWN_CALLS] = {.width = 10, .gap = 1},
		[SHOWN] = {"", .gap = 2, .left = true},
	};
	size_t i;

	for (i = 0; i <= SHOWN; i++) {
		struct pn_column column = columns[i];

		column.unit = report->unit;
		column.to_unit = report->to_unit;
		if (i == SHOWN_CALLS && has_calls(report))
			column.title = "calls";
		pn_table_add_column(table, &column);
	}
}

/* Whole numbers stay whole in JSON. */
static struct pn_cell weight_cell(const struct pn_report *report,
				  int64_t weight)
{
	if (pn_report_is_whole(report))
		return pn_cell_int(weight);
	return pn_cell_number(pn_report_number(report, weight));
}

static struct pn_cell share_cell(const struct pn_report *report, int64_t weight)
{
	if (!report->total)
		return pn_cell_number(0);
	return pn_cell_number((double)weight / (double)report->total);
}

static const char *file_of(const struct pn_report *report,
			   const struct pn_node_info *info)
{
	const struct pn_profile *p = report->profile;

	if (info->file)
		return pn_strtab_text(&report->nodes.files, info->file);
	if (info->function == PN_NONE)
		return "";
	return pn_profile_text(p, p->functions[info->function].file);
}

/* The name with its remark on inlining, as pprof shows it. */
static const char *shown_name(struct pn_table *table,
			      const struct pn_report_node *row)
{
	static const char *const remarks[] = {
		[PN_INLINED_NO] = "",
		[PN_INLINED_PARTLY] = " (partial-inline)",
		[PN_INLINED_ALWAYS] = " (inline)",
	};
	const char *remark = remarks[row->inlined];
	char *text;

	if (!*remark)
		return row->name;
	text = pn_arena_alloc(&table->arena,
			      row->name_len + strlen(remark) + 1);
	memcpy(text, row->name, row->name_len);
	memcpy(text + row->name_len, remark, strlen(remark) + 1);
	return text;
}

static void name_cells(struct pn_cell *cells, struct pn_table *table,
		       const struct pn_report *report,
		       const struct pn_report_node *row)
{
	const struct pn_node_info *info = &report->nodes.items[row->node];
	const char *file = file_of(report, info);
	int64_t line = info->line;

	if (!line && info->function != PN_NONE)
		line = report->profile->functions[info->function].start_line;
	cells[NAME] = pn_cell_text(row->name);
	if (*file)
		cells[FILE_NAME] = pn_cell_text(file);
	if (line > 0)
		cells[LINE] = pn_cell_int(line);
	if (row->calls >= 0)
		cells[CALLS] = cells[SHOWN_CALLS] =
			pn_cell_count(pn_report_calls(report, row->calls));
	if (row->inlined != PN_INLINED_NO)
		cells[INLINED] = pn_cell_text(row->inlined == PN_INLINED_ALWAYS
						      ? "always"
						      : "partly");
	cells[SHOWN] = pn_cell_text(shown_name(table, row));
}

static struct pn_cell by_run_cell(struct pn_table *table,
				  const struct pn_report *report,
				  const int64_t *weights)
{
	uint32_t run, runs = pn_profile_runs(report->profile);
	double *at = pn_arena_array(&table->arena, runs, sizeof(*at));
	struct pn_cell cell = {.kind = PN_CELL_NUMBERS};

	for (run = 0; run < runs; run++)
		at[run] = pn_report_number_of_run(report, weights[run]);
	cell.value.numbers.at = at;
	cell.value.numbers.count = runs;
	return cell;
}

void pn_table_of_report(struct pn_table *out, const struct pn_report *report)
{
	int64_t *by_run = pn_by_run_weights(report);
	uint32_t runs = pn_profile_runs(report->profile);
	int64_t sum = 0;
	size_t i;

	memset(out, 0, sizeof(*out));
	report_columns(out, report);
	for (i = 0; i < report->row_count; i++) {
		const struct pn_report_node *row = &report->rows[i];
		struct pn_cell *cells = pn_table_add_row(out);

		sum = pn_weight_add(sum, row->flat);
		name_cells(cells, out, report, row);
		cells[SELF] = weight_cell(report, row->flat);
		cells[TOTAL] = weight_cell(report, row->cum);
		cells[FLAT] =
			pn_cell_number(pn_report_number(report, row->flat));
		cells[CUM] = pn_cell_number(pn_report_number(report, row->cum));
		cells[FLAT_SHARE] = share_cell(report, row->flat);
		cells[SUM_SHARE] = share_cell(report, sum);
		cells[CUM_SHARE] = share_cell(report, row->cum);
		if (by_run)
			cells[BY_RUN] = by_run_cell(
				out, report, by_run + row->node * (size_t)runs);
	}
	free(by_run);
}

/* Columns of metrics: those of JSON, then those of text, which are in a unit
 * that suits the median. */
enum { METRIC_NAME, METRIC_N, METRIC_FIGURES, METRIC_UNIT = 7, METRIC_BETTER };
enum { METRIC_LOW = METRIC_BETTER + 1, METRIC_HIGH };
enum { SHOWN_FIGURES = METRIC_HIGH + 1, SHOWN_UNIT = SHOWN_FIGURES + 5 };
enum { SHOWN_LOW = SHOWN_UNIT + 1, SHOWN_HIGH };

static void metric_columns(struct pn_table *table)
{
	static const struct pn_column columns[] = {
		{"name", "name", .left = true, .name = true},
		{"n", "n", .gap = 2},
		{.key = "median"},
		{.key = "min"},
		{.key = "max"},
		{.key = "mean"},
		{.key = "sd"},
		{.key = "unit"},
		{.key = "better"},
		{.key = "low"},
		{.key = "high"},
		{"median", .gap = 2},
		{"min", .gap = 2},
		{"max", .gap = 2},
		{"mean", .gap = 2},
		{"sd", .gap = 2},
		{"unit", .gap = 2, .left = true},
		{"95 % from", .gap = 2},
		{"to", .gap = 2},
	};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		pn_table_add_column(table, &columns[i]);
}

/* Down to the second digit of what one value is from the next as a rule: other
 * digits are not known. */
static double known_digits(double value, double spread)
{
	double power;

	if (!isfinite(value) || !(spread > 0) || !isfinite(spread))
		return value;
	power = pow(10, 1 - floor(log10(spread)));
	return isfinite(power) && fabs(value) < 1e15 / power
		       ? nearbyint(value * power) / power
		       : value;
}

/* In the unit that figures are shown in, "" for their own. */
static double shown(double value, const char *unit, const char *to)
{
	const char *ignored;

	return isfinite(value) && *to ? pn_unit_scale(&ignored, value, unit, to)
				      : value;
}

/* Where the median is in 95 of 100 cases. */
static void interval_cells(struct pn_cell *cells, const struct pn_metric *m,
			   const struct pn_summary *s, const char *unit,
			   const char *to)
{
	double spread = shown(pn_summary_spread(s), unit, to);
	double *sorted = pn_calloc(m->value_count, sizeof(*sorted));
	struct pn_interval interval;
	size_t i;

	for (i = 0; i < m->value_count; i++)
		sorted[i] = m->values[i];
	if (m->value_count)
		pn_summary_sort(sorted, m->value_count);
	if (!pn_summary_median_interval(&interval, sorted, m->value_count, 0.95,
					NULL)) {
		cells[METRIC_LOW] = pn_cell_number(interval.low);
		cells[METRIC_HIGH] = pn_cell_number(interval.high);
		cells[SHOWN_LOW] = pn_cell_number(
			known_digits(shown(interval.low, unit, to), spread));
		cells[SHOWN_HIGH] = pn_cell_number(
			known_digits(shown(interval.high, unit, to), spread));
	}
	free(sorted);
}

/* Returns the unit that they are shown in, "" for their own. */
static const char *figure_cells(struct pn_cell *cells,
				const struct pn_summary *s, const char *unit)
{
	const double figures[5] = {s->median, s->min, s->max, s->mean, s->sd};
	double typical = s->median == 0 ? s->max : s->median, spread;
	const char *to = "";
	size_t i;

	if (!isfinite(typical))
		typical = s->mean;
	/* no unit fits half a nanosecond: it is not made 5e-10 seconds */
	if (isfinite(typical) &&
	    fabs(pn_unit_scale(&to, typical, unit, PN_UNIT_AUTO)) < 1 &&
	    typical != 0 && fabs(typical) < 1)
		to = "";
	spread = shown(pn_summary_spread(s), unit, to);
	for (i = 0; i < 5; i++) {
		cells[METRIC_FIGURES + i] = pn_cell_number(figures[i]);
		cells[SHOWN_FIGURES + i] = pn_cell_number(
			known_digits(shown(figures[i], unit, to), spread));
	}
	cells[METRIC_UNIT] = pn_cell_text(unit);
	cells[SHOWN_UNIT] = pn_cell_text(*to ? to : unit);
	return to;
}

static struct pn_summary summary_of(const struct pn_metric *metric)
{
	struct pn_summary s = metric->summary;
	struct pn_error err;

	/* values that are not finite have no summary: NaN stays */
	if (metric->value_count)
		pn_summary_of(&s, metric->values, metric->value_count, &err);
	return s;
}

int pn_table_unknown_metric(const struct pn_profile *profile,
			    const struct pn_metric *metrics, size_t count,
			    const char *only, struct pn_error *err)
{
	struct pn_buf names = {0};
	size_t i;

	for (i = 0; i < count; i++)
		pn_buf_printf(&names, "%s%s", i ? ", " : "",
			      pn_profile_text(profile, metrics[i].name));
	pn_similar_say(&names, only, strlen(only));
	pn_error_set(err, PN_EINVAL, "no metric '%s'; there are: %s", only,
		     count ? pn_buf_text(&names) : "none");
	pn_buf_release(&names);
	return PN_EINVAL;
}

static void metric_cells(struct pn_cell *cells,
			 const struct pn_profile *profile,
			 const struct pn_metric *metric)
{
	struct pn_summary summary = summary_of(metric);
	const char *unit = pn_profile_text(profile, metric->unit);

	cells[METRIC_NAME] =
		pn_cell_text(pn_profile_text(profile, metric->name));
	cells[METRIC_N] = pn_cell_int((int64_t)metric->summary.n);
	interval_cells(cells, metric, &summary, unit,
		       figure_cells(cells, &summary, unit));
	if (metric->better != PN_BETTER_UNKNOWN)
		cells[METRIC_BETTER] = pn_cell_text(
			metric->better == PN_BETTER_LESS ? "less" : "more");
}

int pn_table_of_metrics(struct pn_table *out, const struct pn_profile *profile,
			const char *only, struct pn_error *err)
{
	struct pn_metric *metrics;
	size_t i, count;
	int code = 0;

	memset(out, 0, sizeof(*out));
	metric_columns(out);
	metrics = pn_totals_of(&count, profile);
	for (i = 0; i < count; i++)
		if (!only ||
		    !strcmp(pn_profile_text(profile, metrics[i].name), only))
			metric_cells(pn_table_add_row(out), profile,
				     &metrics[i]);
	if (only && !out->row_count)
		code = pn_table_unknown_metric(profile, metrics, count, only,
					       err);
	pn_totals_free(metrics, count);
	return code;
}
