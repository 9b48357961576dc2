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

/* In short: the names of verdicts would be half a line. */
static struct pn_cell verdict_cell(const struct pn_series_row *row)
{
	switch (row->verdict) {
	case PN_VERDICT_DEGRADATION:
		return pn_cell_tinted(pn_cell_text("worse"), PN_TINT_WORSE);
	case PN_VERDICT_MAYBE_DEGRADATION:
		return pn_cell_text("worse?");
	case PN_VERDICT_NO_CHANGE:
		return dim_cell("same");
	case PN_VERDICT_MAYBE_OPTIMIZATION:
		return pn_cell_text("better?");
	case PN_VERDICT_OPTIMIZATION:
		return pn_cell_tinted(pn_cell_text("better"), PN_TINT_BETTER);
	default:
		return (struct pn_cell){0};
	}
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
		"series",	 "metric", "old", "new", "delta",
		"95 % interval", "n",	   "is",  ""};
	struct pn_buf text = {0};
	struct pn_cell *cell;
	size_t i;

	add_columns(table, titles, 9, 2);
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
		cell[7] = verdict_cell(row);
		if ((row->before && row->before->noisy) ||
		    (row->after && row->after->noisy))
			cell[8] = dim_cell("noisy");
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
