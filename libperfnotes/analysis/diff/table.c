/* A difference as a table, of functions and of metrics. */
#include "analysis/diff/diff.h"

#include "analysis/history/log_series.h"
#include "base/alloc.h"
#include "model/graph/totals.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const state_names[] = {
	[PN_DIFF_CHANGED] = "changed",
	[PN_DIFF_NEW] = "new",
	[PN_DIFF_GONE] = "gone",
	[PN_DIFF_RENAMED] = "renamed",
};

/* Columns: those of JSON, then those of text. */
enum {
	NAME,
	OLD_NAME,
	FILE_NAME,
	LINE,
	OLD_SELF,
	NEW_SELF,
	OLD_TOTAL,
	NEW_TOTAL,
	DELTA,
	RELATIVE,
	POINTS,
	OLD_CALLS,
	NEW_CALLS,
	STATE,
	SHOWN_OLD,
	SHOWN_NEW,
	SHOWN_DELTA,
	SHOWN_RELATIVE,
	SHOWN_POINTS,
	SHOWN_OLD_CUM,
	SHOWN_NEW_CUM,
	SHOWN_NAME
};

static void diff_columns(struct pn_table *table, const struct pn_diff *diff)
{
	static const struct pn_column columns[SHOWN_NAME + 1] = {
		[NAME] = {.key = "name"},
		[OLD_NAME] = {.key = "old_name"},
		[FILE_NAME] = {.key = "file"},
		[LINE] = {.key = "line"},
		[OLD_SELF] = {.key = "old_self"},
		[NEW_SELF] = {.key = "new_self"},
		[OLD_TOTAL] = {.key = "old_total"},
		[NEW_TOTAL] = {.key = "new_total"},
		[DELTA] = {.key = "delta"},
		[RELATIVE] = {.key = "relative"},
		[POINTS] = {.key = "points"},
		[OLD_CALLS] = {.key = "old_calls"},
		[NEW_CALLS] = {.key = "new_calls"},
		[STATE] = {.key = "state"},
		[SHOWN_OLD] = {"old", .format = PN_COLUMN_UNIT, .width = 10},
		[SHOWN_NEW] = {"new", .format = PN_COLUMN_UNIT, .width = 10,
			       .gap = 1},
		[SHOWN_DELTA] = {"delta", .width = 10, .gap = 1},
		[SHOWN_RELATIVE] = {"relative", .width = 9, .gap = 1},
		[SHOWN_POINTS] = {"points", .width = 8, .gap = 1},
		[SHOWN_OLD_CUM] = {"old cum", .format = PN_COLUMN_UNIT,
				   .width = 10, .gap = 1},
		[SHOWN_NEW_CUM] = {"new cum", .format = PN_COLUMN_UNIT,
				   .width = 10, .gap = 1},
		[SHOWN_NAME] = {"", .gap = 2, .left = true},
	};
	size_t i;

	for (i = 0; i <= SHOWN_NAME; i++) {
		struct pn_column column = columns[i];

		column.unit = diff->unit;
		column.to_unit = diff->to_unit;
		pn_table_add_column(table, &column);
	}
}

static struct pn_cell kept_text(struct pn_table *table, struct pn_buf *text)
{
	struct pn_cell cell = pn_cell_text(
		pn_arena_copy(&table->arena, pn_buf_text(text), text->len));

	pn_buf_clear(text);
	return cell;
}

static void add_signed(struct pn_buf *out, double value, const char *unit,
		       const char *to_unit)
{
	if (value > 0)
		pn_buf_add_byte(out, '+');
	pn_unit_label(out, value, unit, to_unit);
}

/* +12.34%; nothing where there is no share. */
static void add_percent(struct pn_buf *out, double share)
{
	if (!isfinite(share))
		return;
	if (share > 0)
		pn_buf_add_byte(out, '+');
	pn_unit_fixed(out, share * 100, 2);
	pn_buf_add_byte(out, '%');
}

static double share_of(double value, double of)
{
	return of != 0 ? value / fabs(of) : NAN;
}

static void place_cells(struct pn_cell *cells, const struct pn_diff *diff,
			const struct pn_diff_row *row)
{
	const struct pn_report *report =
		row->after ? diff->after : diff->before;
	const struct pn_report_node *node =
		row->after ? row->after : row->before;
	const struct pn_node_info *info = &report->nodes.items[node->node];
	const struct pn_profile *p = report->profile;
	const char *file = "";
	int64_t line = info->line;

	if (info->file)
		file = pn_strtab_text(&report->nodes.files, info->file);
	else if (info->function != PN_NONE)
		file = pn_profile_text(p, p->functions[info->function].file);
	if (!line && info->function != PN_NONE)
		line = p->functions[info->function].start_line;
	if (*file)
		cells[FILE_NAME] = pn_cell_text(file);
	if (line > 0)
		cells[LINE] = pn_cell_int(line);
	if (row->before && row->before->calls >= 0)
		cells[OLD_CALLS] = pn_cell_count(
			pn_report_calls(diff->before, row->before->calls));
	if (row->after && row->after->calls >= 0)
		cells[NEW_CALLS] = pn_cell_count(
			pn_report_calls(diff->after, row->after->calls));
}

/* What one is told of: 1 for the better, -1 for the worse, 0: neither. */
static struct pn_cell judged(struct pn_cell cell, int side)
{
	return pn_cell_tinted(cell, side > 0   ? PN_TINT_BETTER
				    : side < 0 ? PN_TINT_WORSE
					       : PN_TINT_DIM);
}

/* Weights are costs. */
static int side_of(double delta)
{
	return (delta < 0) - (delta > 0);
}

static void figure_cells(struct pn_cell *cells, struct pn_table *table,
			 const struct pn_diff *diff,
			 const struct pn_diff_row *row)
{
	bool by_total = diff->options.by_total;
	double old = by_total ? row->old_total : row->old_self;
	double relative = share_of(row->delta, old);
	double points = share_of(row->delta, diff->old_sum);
	struct pn_buf text = {0};

	cells[OLD_SELF] = cells[SHOWN_OLD] = pn_cell_number(row->old_self);
	cells[NEW_SELF] = cells[SHOWN_NEW] = pn_cell_number(row->new_self);
	cells[OLD_TOTAL] = cells[SHOWN_OLD_CUM] =
		pn_cell_number(row->old_total);
	cells[NEW_TOTAL] = cells[SHOWN_NEW_CUM] =
		pn_cell_number(row->new_total);
	cells[DELTA] = pn_cell_number(row->delta);
	cells[RELATIVE] = pn_cell_number(relative);
	cells[POINTS] = pn_cell_number(points);
	cells[STATE] = pn_cell_text(state_names[row->state]);
	add_signed(&text, row->delta, diff->unit, diff->to_unit);
	cells[SHOWN_DELTA] =
		judged(kept_text(table, &text), side_of(row->delta));
	add_percent(&text, relative);
	cells[SHOWN_RELATIVE] =
		judged(kept_text(table, &text), side_of(row->delta));
	add_percent(&text, points);
	cells[SHOWN_POINTS] =
		judged(kept_text(table, &text), side_of(row->delta));
	pn_buf_release(&text);
}

static void name_cells(struct pn_cell *cells, struct pn_table *table,
		       const struct pn_diff_row *row)
{
	struct pn_buf text = {0};

	cells[NAME] = pn_cell_text(row->name);
	pn_buf_add_text(&text, row->name);
	if (row->old_name) {
		cells[OLD_NAME] = pn_cell_text(row->old_name);
		if (strcmp(row->old_name, row->name) != 0)
			pn_buf_printf(&text, " (renamed from %s)",
				      row->old_name);
		else
			pn_buf_add_text(&text, " (in another file)");
	} else if (row->state != PN_DIFF_CHANGED) {
		pn_buf_printf(&text, " (%s)", state_names[row->state]);
	}
	cells[SHOWN_NAME] = kept_text(table, &text);
	pn_buf_release(&text);
}

void pn_table_of_diff(struct pn_table *out, const struct pn_diff *diff)
{
	size_t i;

	memset(out, 0, sizeof(*out));
	diff_columns(out, diff);
	for (i = 0; i < diff->row_count; i++) {
		struct pn_cell *cells = pn_table_add_row(out);

		name_cells(cells, out, &diff->rows[i]);
		place_cells(cells, diff, &diff->rows[i]);
		figure_cells(cells, out, diff, &diff->rows[i]);
	}
}

void pn_diff_header(struct pn_buf *out, const struct pn_diff *diff)
{
	double delta = diff->new_sum - diff->old_sum;
	uint32_t old_runs = pn_profile_runs(diff->before->profile);
	uint32_t new_runs = pn_profile_runs(diff->after->profile);

	if (*diff->after->type)
		pn_buf_printf(out, "Type: %s\n", diff->after->type);
	if (old_runs > 1 || new_runs > 1)
		pn_buf_printf(out,
			      "Runs: %u old, %u new, figures are per run\n",
			      old_runs, new_runs);
	pn_buf_add_text(out, "Total: ");
	pn_unit_label(out, diff->old_sum, diff->unit, diff->to_unit);
	pn_buf_add_text(out, " old, ");
	pn_unit_label(out, diff->new_sum, diff->unit, diff->to_unit);
	pn_buf_add_text(out, " new, ");
	add_signed(out, delta, diff->unit, diff->to_unit);
	if (diff->old_sum != 0) {
		pn_buf_add_text(out, " (");
		add_percent(out, delta / fabs(diff->old_sum));
		pn_buf_add_byte(out, ')');
	}
	pn_buf_add_byte(out, '\n');
	if (diff->options.normalize) {
		pn_buf_add_text(out, "Normalized: new figures times ");
		pn_unit_fixed(out, diff->factor, 2);
		pn_buf_add_byte(out, '\n');
	}
	if (!diff->changed_count)
		pn_buf_add_text(out, "No function differs\n");
	if (diff->dropped_count) {
		pn_buf_printf(out, "Left out %zu change%s (below ",
			      diff->dropped_count,
			      diff->dropped_count > 1 ? "s" : "");
		pn_unit_label(out,
			      fabs(diff->old_sum * diff->options.node_fraction),
			      diff->unit, diff->to_unit);
		pn_buf_add_text(out, ")\n");
	}
}

/* Of metrics. */
enum {
	METRIC_NAME,
	METRIC_OLD,
	METRIC_NEW,
	METRIC_DELTA,
	METRIC_RELATIVE,
	METRIC_OLD_N,
	METRIC_NEW_N,
	METRIC_UNIT,
	METRIC_BETTER,
	METRIC_STATE,
	SHOWN_FIRST
};

static void metric_columns(struct pn_table *table)
{
	static const struct pn_column columns[] = {
		{"name", "name", .left = true, .name = true},
		{.key = "old"},
		{.key = "new"},
		{.key = "delta"},
		{.key = "relative"},
		{.key = "old_n"},
		{.key = "new_n"},
		{.key = "unit"},
		{.key = "better"},
		{.key = "state"},
		{"old", .gap = 2},
		{"new", .gap = 2},
		{"delta", .gap = 2},
		{"relative", .gap = 2},
		{"n", .gap = 2},
		{"", .gap = 2, .left = true},
	};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		pn_table_add_column(table, &columns[i]);
}

/* A metric's figure, in the unit of the row. */
struct figure {
	const struct pn_metric *metric; /* NULL: the side has none */
	double value;
};

static struct figure figure_of(const struct pn_profile *p,
			       const struct pn_metric *metric, const char *unit)
{
	const char *own = pn_profile_text(p, metric->unit), *ignored;
	struct pn_summary s = metric->summary;
	struct figure figure = {metric, NAN};

	if (metric->value_count)
		pn_summary_of(&s, metric->values, metric->value_count, NULL);
	figure.value = isfinite(s.median) ? s.median : s.mean;
	if (strcmp(own, unit))
		figure.value = pn_unit_scale(&ignored, figure.value, own, unit);
	return figure;
}

static struct pn_figure as_figure(const struct figure *f, const char *unit)
{
	const struct pn_metric *m = f->metric;

	return (struct pn_figure){.unit = unit,
				  .better = (enum pn_better)m->better,
				  .n = m->summary.n,
				  .median = f->value,
				  .sd = m->summary.n > 1 ? m->summary.sd : NAN,
				  .spread = pn_summary_spread(&m->summary)};
}

/* As status and log have it: what is within the noise is on neither. */
static int side_of_metric(const struct figure *old, const struct figure *new,
			  const char *unit)
{
	struct pn_figure before, after;

	if (!old->metric || !new->metric)
		return 0;
	before = as_figure(old, unit);
	after = as_figure(new, unit);
	return pn_log_figure_change(&(struct pn_log_figure){&after, &before});
}

static void shown_metric(struct pn_cell *cells, struct pn_table *table,
			 const struct figure *old, const struct figure *new,
			 const char *unit)
{
	double delta = new->value - old->value;
	int side = side_of_metric(old, new, unit);
	struct pn_buf text = {0};

	if (old->metric)
		pn_unit_label(&text, old->value, unit, PN_UNIT_AUTO);
	cells[0] = kept_text(table, &text);
	if (new->metric)
		pn_unit_label(&text, new->value, unit, PN_UNIT_AUTO);
	cells[1] = kept_text(table, &text);
	if (isfinite(delta)) {
		add_signed(&text, delta, unit, PN_UNIT_AUTO);
		cells[2] = judged(kept_text(table, &text), side);
		add_percent(&text, share_of(delta, old->value));
		cells[3] = judged(kept_text(table, &text), side);
	}
	pn_buf_printf(
		&text, "%llu, %llu",
		(unsigned long long)(old->metric ? old->metric->summary.n : 0),
		(unsigned long long)(new->metric ? new->metric->summary.n : 0));
	cells[4] = kept_text(table, &text);
	if (!old->metric || !new->metric)
		cells[5] = pn_cell_text(old->metric ? "(gone)" : "(new)");
	pn_buf_release(&text);
}

/* One row. */
static void metric_row(struct pn_table *table, const char *name,
		       const char *unit, const struct figure *old,
		       const struct figure *new)
{
	struct pn_cell *cells = pn_table_add_row(table);
	double delta = new->value - old->value;
	enum pn_diff_state state = !old->metric	  ? PN_DIFF_NEW
				   : !new->metric ? PN_DIFF_GONE
						  : PN_DIFF_CHANGED;
	uint8_t better = (new->metric ? new->metric : old->metric)->better;

	cells[METRIC_NAME] = pn_cell_text(name);
	cells[METRIC_UNIT] = pn_cell_text(unit);
	if (old->metric) {
		cells[METRIC_OLD] = pn_cell_number(old->value);
		cells[METRIC_OLD_N] =
			pn_cell_int((int64_t)old->metric->summary.n);
	}
	if (new->metric) {
		cells[METRIC_NEW] = pn_cell_number(new->value);
		cells[METRIC_NEW_N] =
			pn_cell_int((int64_t) new->metric->summary.n);
	}
	cells[METRIC_DELTA] = pn_cell_number(delta);
	cells[METRIC_RELATIVE] = pn_cell_number(share_of(delta, old->value));
	if (better != PN_BETTER_UNKNOWN)
		cells[METRIC_BETTER] = pn_cell_text(
			better == PN_BETTER_LESS ? "less" : "more");
	cells[METRIC_STATE] = pn_cell_text(
		state == PN_DIFF_CHANGED && delta == 0 ? "same"
						       : state_names[state]);
	shown_metric(cells + SHOWN_FIRST, table, old, new, unit);
}

/* The metrics of a side by name. */
struct side {
	const struct pn_profile *profile;
	struct pn_metric *list;
	size_t count;
	struct pn_strtab names;
	size_t *first; /* by name: the first metric + 1 */
	size_t *next;  /* by metric: the next one of its name + 1 */
};

static void open_side(struct side *out, const struct pn_profile *profile)
{
	size_t i;

	memset(out, 0, sizeof(*out));
	out->profile = profile;
	out->list = pn_totals_of(&out->count, profile);
	out->next = pn_calloc(out->count + 1, sizeof(*out->next));
	out->first = pn_calloc(out->count + 2, sizeof(*out->first));
	for (i = out->count; i > 0; i--) {
		uint32_t id = out->list[i - 1].name;
		uint32_t name =
			pn_strtab_add_from(&out->names, &profile->strings, id);

		out->next[i - 1] = out->first[name];
		out->first[name] = i;
	}
}

static void close_side(struct side *side)
{
	pn_totals_free(side->list, side->count);
	pn_strtab_release(&side->names);
	free(side->first);
	free(side->next);
}

/* The metric of the same name and a comparable unit, or NULL. */
static const struct pn_metric *find_metric(const struct side *side,
					   const char *name, const char *unit)
{
	uint32_t id;
	size_t at;

	if (!side->count ||
	    !pn_strtab_find(&id, &side->names, name, strlen(name)))
		return NULL;
	for (at = side->first[id]; at; at = side->next[at - 1]) {
		const struct pn_metric *metric = &side->list[at - 1];

		if (pn_unit_comparable(
			    pn_profile_text(side->profile, metric->unit), unit))
			return metric;
	}
	return NULL;
}

/* Rows of the metrics of a side, with those of the other one: of the new side
 * all, of the old one those that are gone. *worse is raised to what is the
 * worst of them. */
static void side_rows(struct pn_table *out, double *worse,
		      const struct side *of, const struct side *other,
		      const char *only, bool is_new)
{
	size_t i;

	for (i = 0; i < of->count; i++) {
		const struct pn_profile *p = of->profile;
		const char *name = pn_profile_text(p, of->list[i].name);
		const char *unit = pn_profile_text(p, of->list[i].unit);
		struct figure own = figure_of(p, &of->list[i], unit);
		struct figure had = {NULL, NAN};
		const struct pn_metric *metric = find_metric(other, name, unit);

		if ((metric && !is_new) || (only && strcmp(name, only) != 0))
			continue;
		if (metric)
			had = figure_of(other->profile, metric, unit);
		metric_row(out, name, unit, is_new ? &had : &own,
			   is_new ? &own : &had);
		if (side_of_metric(&had, &own, unit) < 0)
			*worse = fmax(*worse, fabs(own.value - had.value) /
						      fabs(had.value));
	}
}

int pn_table_of_metric_diff(struct pn_table *out, double *worse,
			    const struct pn_profile *before,
			    const struct pn_profile *after, const char *only,
			    struct pn_error *err)
{
	struct side old, new;
	int code = 0;

	memset(out, 0, sizeof(*out));
	metric_columns(out);
	open_side(&old, before);
	open_side(&new, after);
	*worse = 0;
	side_rows(out, worse, &new, &old, only, true);
	side_rows(out, worse, &old, &new, only, false);
	if (only && !out->row_count)
		code = pn_table_unknown_metric(
			new.count ? after : before,
			new.count ? new.list : old.list,
			new.count ? new.count : old.count, only, err);
	close_side(&old);
	close_side(&new);
	return code;
}
