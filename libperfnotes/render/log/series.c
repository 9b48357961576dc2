/* A line a series. */
#include "render/log/series.h"

#include "base/escape.h"
#include "render/log/entry.h"
#include "render/print_table.h"
#include "render/quantity.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *keep(struct pn_table *table, struct pn_buf *text)
{
	const char *kept =
		pn_arena_copy(&table->arena, pn_buf_text(text), text->len);

	pn_buf_clear(text);
	return kept;
}

static void add_columns(struct pn_table *table, const char *const *titles,
			size_t count, size_t left)
{
	size_t i;

	for (i = 0; i < count; i++)
		pn_table_add_column(table,
				    &(struct pn_column){.title = titles[i],
							.gap = i ? 2 : 0,
							.left = i < left});
}

/* What one types for it, quoted where a shell wants that; a record of a dirty
 * tree goes by its id. */
static void name_text(struct pn_buf *out, const struct pn_series_row *row,
		      const struct pn_series_print *print)
{
	const char *rev = row->after ? print->new_rev : print->old_rev;

	if (row->after && row->after->dirty)
		pn_buf_add_text(out, row->after->dirty);
	else if (!print->before || !row->before || !row->after)
		pn_series_typed(out, rev, strlen(rev), &row->series,
				&row->parts);
	else
		pn_series_text(out, &row->series, &row->parts);
}

static struct pn_cell figure_cell(struct pn_table *table, struct pn_buf *text,
				  const struct pn_figure *f)
{
	if (!f)
		return (struct pn_cell){0};
	pn_quantity_spread_text(text, f->median, f->n > 1 ? f->sd : NAN,
				f->unit);
	return pn_cell_text(keep(table, text));
}

static struct pn_cell interval_cell(struct pn_table *table, struct pn_buf *text,
				    const struct pn_interval *ratio)
{
	if (isnan(ratio->low))
		return (struct pn_cell){0};
	pn_change_text(text, 1, ratio->low);
	if (ratio->low != 1 || ratio->high != 1) {
		pn_buf_add_text(text, " .. ");
		pn_change_text(text, 1, ratio->high);
	}
	return pn_cell_text(keep(table, text));
}

static struct pn_cell dim_cell(const char *text)
{
	return pn_cell_tinted(pn_cell_text(text), PN_TINT_DIM);
}

static struct pn_cell change_cell(struct pn_table *table, struct pn_buf *text,
				  const struct pn_series_row *row)
{
	static const enum pn_tint tints[] = {PN_TINT_WORSE, PN_TINT_DIM,
					     PN_TINT_BETTER};

	if (!row->before)
		return pn_cell_text("new");
	if (!row->after)
		return pn_cell_text("gone");
	pn_change_text(text, row->old, row->after->median);
	return pn_cell_tinted(pn_cell_text(keep(table, text)),
			      tints[1 + pn_series_row_change(row)]);
}

/* "15", or "15, 12" where both sides differ. */
static struct pn_cell count_cell(struct pn_table *table, struct pn_buf *text,
				 const struct pn_series_row *row)
{
	const struct pn_figure *a = row->before, *b = row->after;

	if (a)
		pn_buf_printf(text, "%" PRIu64, a->n);
	if (a && b)
		pn_buf_add_text(text, ", ");
	if (b)
		pn_buf_printf(text, "%" PRIu64, b->n);
	return pn_cell_text(keep(table, text));
}

/* A row with the name of its series, which the first one has; NULL when only
 * the first is asked for. */
static struct pn_cell *add_row(struct pn_table *table, struct pn_buf *text,
			       const struct pn_series_row *row,
			       const struct pn_series_print *print)
{
	struct pn_cell *cell;

	if (!row->first && !print->all)
		return NULL;
	cell = pn_table_add_row(table);
	if (row->first) {
		name_text(text, row, print);
		cell[0] = pn_cell_text(keep(table, text));
	}
	return cell;
}

static void fill_one(struct pn_table *table, const struct pn_series_rows *rows,
		     const struct pn_series_print *print)
{
	static const char *const titles[] = {"series", "metric", "median", "n",
					     ""};
	struct pn_buf text = {0};
	struct pn_cell *cell;
	size_t i;

	add_columns(table, titles, 5, 2);
	for (i = 0; i < rows->count; i++) {
		const struct pn_series_row *row = &rows->rows[i];

		cell = add_row(table, &text, row, print);
		if (!cell)
			continue;
		cell[1] = pn_cell_text(row->after->metric);
		cell[2] = figure_cell(table, &text, row->after);
		cell[3] = count_cell(table, &text, row);
		if (row->first && row->after->dirty)
			cell[4] = dim_cell("(dirty tree)");
		else if (row->after->noisy)
			cell[4] = dim_cell("noisy");
	}
	pn_buf_release(&text);
}

static void fill_two(struct pn_table *table, const struct pn_series_rows *rows,
		     const struct pn_series_print *print)
{
	static const char *const titles[] = {
		"series", "metric",	   "old", "new",
		"delta",  "95 % interval", "n",	  ""};
	struct pn_buf text = {0};
	struct pn_cell *cell;
	size_t i;

	add_columns(table, titles, 8, 2);
	for (i = 0; i < rows->count; i++) {
		const struct pn_series_row *row = &rows->rows[i];

		cell = add_row(table, &text, row, print);
		if (!cell)
			continue;
		cell[1] = pn_cell_text(row->after ? row->after->metric
						  : row->before->metric);
		cell[2] = figure_cell(table, &text, row->before);
		cell[3] = figure_cell(table, &text, row->after);
		cell[4] = change_cell(table, &text, row);
		cell[5] = interval_cell(table, &text, &row->ratio);
		cell[6] = count_cell(table, &text, row);
		if ((row->before && row->before->noisy) ||
		    (row->after && row->after->noisy))
			cell[7] = dim_cell("noisy");
	}
	pn_buf_release(&text);
}

static void head_line(struct pn_sink *sink, const char *what,
		      const struct pn_log_row *commit)
{
	struct pn_buf *out = &sink->text;
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &commit->commit);
	pn_buf_printf(out, "%s %s%.10s%s ", what, sink->palette.commit, hex,
		      sink->palette.end);
	pn_time_text(out, commit->author_time_s * INT64_C(1000000000));
	pn_buf_add_byte(out, ' ');
	pn_escape_terminal(out, commit->subject, strlen(commit->subject));
	pn_buf_add_byte(out, '\n');
}

void pn_series_print_text(FILE *to, const struct pn_series_rows *rows,
			  const struct pn_series_print *print)
{
	struct pn_table table = {0};
	struct pn_sink sink;

	pn_sink_init(&sink, to);
	pn_sink_colors(&sink, print->palette);
	if (print->before) {
		head_line(&sink, "old", print->before);
		head_line(&sink, "new", print->after);
		fill_two(&table, rows, print);
	} else {
		head_line(&sink, "commit", print->after);
		fill_one(&table, rows, print);
	}
	pn_buf_add_byte(&sink.text, '\n');
	pn_print_table(&sink, &table);
	pn_table_release(&table);
	pn_sink_finish(&sink);
}

static void commit_members(struct pn_json_writer *w,
			   const struct pn_log_row *commit)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &commit->commit);
	pn_json_member(w, "commit", hex);
	pn_json_member_time(w, "date",
			    commit->author_time_s * INT64_C(1000000000));
	pn_json_member(w, "subject", commit->subject);
}

static void commit_json(struct pn_json_writer *w, const char *key,
			const struct pn_log_row *commit)
{
	pn_json_key(w, key);
	pn_json_open(w, '{');
	commit_members(w, commit);
	pn_json_close(w, '}');
}

static void figure_members(struct pn_json_writer *w, const struct pn_figure *f)
{
	pn_json_member(w, "unit", f->unit);
	pn_json_member_int(w, "records", (int64_t)f->records);
	pn_json_member_int(w, "n", (int64_t)f->n);
	pn_json_member_double(w, "median", f->median);
	pn_json_member_double(w, "min", f->min);
	pn_json_member_double(w, "max", f->max);
	pn_json_member_double(w, "sd", f->sd);
}

static void figure_json(struct pn_json_writer *w, const char *key,
			const struct pn_figure *f)
{
	if (!f)
		return;
	pn_json_key(w, key);
	pn_json_open(w, '{');
	figure_members(w, f);
	pn_json_close(w, '}');
}

static void metric_json(struct pn_json_writer *w,
			const struct pn_series_row *row, bool alone)
{
	static const char *const better[] = {NULL, "less", "more"};
	const struct pn_figure *any = row->after ? row->after : row->before;

	pn_json_open(w, '{');
	pn_json_member(w, "name", any->metric);
	pn_json_member(w, "better", better[any->better]);
	if (alone) {
		figure_members(w, row->after);
	} else {
		figure_json(w, "old", row->before);
		figure_json(w, "new", row->after);
	}
	if (row->before && row->after) {
		pn_json_member_double(w, "delta",
				      row->after->median - row->old);
		if (row->old != 0)
			pn_json_member_double(w, "relative",
					      (row->after->median - row->old) /
						      fabs(row->old));
		pn_json_member_double(w, "low", row->ratio.low - 1);
		pn_json_member_double(w, "high", row->ratio.high - 1);
	}
	pn_json_close(w, '}');
}

static void series_json(struct pn_json_writer *w,
			const struct pn_series_row *row)
{
	const struct pn_series *s = &row->series;
	struct pn_buf name = {0};

	pn_series_text(&name, s, &row->parts);
	pn_json_member(w, "series", pn_buf_text(&name));
	pn_json_member(w, "job", s->job);
	pn_json_member(w, "cmd", s->cmd);
	pn_json_member(w, "args", s->args);
	pn_json_member(w, "workload", s->workload);
	pn_json_member(w, "collector", s->collector);
	pn_json_member(w, "machine", s->machine);
	if (row->after && row->after->dirty)
		pn_json_member(w, "dirty", row->after->dirty);
	pn_buf_release(&name);
}

void pn_series_print_json(FILE *to, const struct pn_series_rows *rows,
			  const struct pn_series_print *print)
{
	struct pn_json_writer *w;
	struct pn_sink sink;
	size_t i;

	pn_sink_init(&sink, to);
	w = &sink.json;
	pn_json_open(w, '{');
	pn_json_member_int(w, "version", 1);
	pn_json_member(w, "command", print->before ? "diff" : "show");
	if (print->before) {
		commit_json(w, "old", print->before);
		commit_json(w, "new", print->after);
	} else {
		commit_members(w, print->after);
	}
	pn_json_key(w, "rows");
	pn_json_open(w, '[');
	for (i = 0; i < rows->count; i++) {
		if (rows->rows[i].first) {
			pn_json_open(w, '{');
			series_json(w, &rows->rows[i]);
			pn_json_key(w, "metrics");
			pn_json_open(w, '[');
		}
		metric_json(w, &rows->rows[i], !print->before);
		if (i + 1 == rows->count || rows->rows[i + 1].first) {
			pn_json_close(w, ']');
			pn_json_close(w, '}');
			pn_sink_drain(&sink);
		}
	}
	pn_json_close(w, ']');
	pn_json_close(w, '}');
	pn_buf_add_byte(&sink.text, '\n');
	pn_sink_finish(&sink);
}
