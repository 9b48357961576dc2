/* A line a series. */
#include "render/log/series.h"

#include "base/escape.h"
#include "base/text/width.h"
#include "detect/pair.h"
#include "render/log/entry.h"
#include "render/log/lines.h"
#include "render/print_table.h"
#include "render/quantity.h"
#include "render/terminal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Columns of a name for which others are made short, and for which the interval
 * is left out. */
#define HEAD_COLUMNS 32 /* of id, time and the blanks around them */
#define NAME_WHOLE 26
#define NAME_TOLD 14

/* What a table leaves out until it fits the terminal, one after the other. */
enum brevity {
	WHOLE,
	NO_SPREAD,	/* of the figures: the interval stays */
	NOISE_MARK,	/* "20~" for what a busy machine showed */
	WHOLE_PERCENTS, /* of the interval */
	NO_INTERVAL,
};

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
							.left = i < left,
							.name = !i});
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
				  const struct pn_figure *f, enum brevity brief)
{
	double spread = f && f->n > 1 ? f->spread : NAN;

	if (!f)
		return (struct pn_cell){0};
	if (brief >= NO_SPREAD)
		pn_quantity_text(text, f->median, spread, f->unit);
	else
		pn_quantity_spread_text(text, f->median, spread, f->unit);
	return pn_cell_text(keep(table, text));
}

/* "-97.4% .. -95.1%", or "-97 .. -95%". */
static struct pn_cell interval_cell(struct pn_table *table, struct pn_buf *text,
				    const struct pn_interval *ratio,
				    enum brevity brief)
{
	if (isnan(ratio->low) || brief >= NO_INTERVAL)
		return (struct pn_cell){0};
	if (brief >= WHOLE_PERCENTS && ratio->high < 10) {
		pn_buf_printf(text, "%+.0f .. %+.0f%%", (ratio->low - 1) * 100,
			      (ratio->high - 1) * 100);
		return pn_cell_text(keep(table, text));
	}
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

/* The interval leaves out equality, by what would count, and the tests of the
 * verdict find no change all the same. */
static bool is_open(const struct pn_series_row *row)
{
	return row->verdict == PN_VERDICT_NO_CHANGE &&
	       (row->ratio.low > 1 || row->ratio.high < 1) &&
	       fabs(row->after->median / row->old - 1) >=
		       PN_PAIR_DEFAULTS.min_effect;
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
		return dim_cell(is_open(row) ? "same?" : "same");
	case PN_VERDICT_MAYBE_OPTIMIZATION:
		return pn_cell_text("better?");
	case PN_VERDICT_OPTIMIZATION:
		return pn_cell_tinted(pn_cell_text("better"), PN_TINT_BETTER);
	default:
		return dim_cell(row->before && row->after ? "?" : "");
	}
}

static bool is_noisy(const struct pn_series_row *row)
{
	return (row->before && row->before->noisy) ||
	       (row->after && row->after->noisy);
}

/* "15", or "15, 12" of two sides; in short "15" where they are equal, "15~" of
 * a busy machine. */
static struct pn_cell count_cell(struct pn_table *table, struct pn_buf *text,
				 const struct pn_series_row *row,
				 enum brevity brief)
{
	const struct pn_figure *a = row->before, *b = row->after;

	if (a)
		pn_buf_printf(text, "%" PRIu64, a->n);
	if (brief >= NOISE_MARK && a && b && a->n == b->n)
		b = NULL;
	if (a && b)
		pn_buf_add_text(text, ", ");
	if (b)
		pn_buf_printf(text, "%" PRIu64, b->n);
	if (brief >= NOISE_MARK && is_noisy(row))
		pn_buf_add_byte(text, '~');
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
	table->columns[4].left = true;
	for (i = 0; i < rows->count; i++) {
		const struct pn_series_row *row = &rows->rows[i];

		cell = add_row(table, &text, row, print);
		if (!cell)
			continue;
		cell[1] = pn_cell_text(row->after->metric);
		cell[2] = figure_cell(table, &text, row->after, WHOLE);
		cell[3] = count_cell(table, &text, row, WHOLE);
		if (row->first && row->after->dirty) {
			pn_buf_add_text(&text, "dirty tree, ");
			pn_series_text(&text, &row->series, &row->parts);
			cell[4] = dim_cell(keep(table, &text));
		} else if (row->after->noisy)
			cell[4] = dim_cell("noisy");
	}
	pn_buf_release(&text);
}

static void fill_two(struct pn_table *table, const struct pn_series_rows *rows,
		     const struct pn_series_print *print, enum brevity brief)
{
	const char *titles[] = {"series", "metric", "old",
				"new",	  "delta",  "95 % interval",
				"n",	  "is",	    ""};
	struct pn_buf text = {0};
	struct pn_cell *cell;
	size_t i;

	if (brief >= WHOLE_PERCENTS)
		titles[5] = brief >= NO_INTERVAL ? NULL : "95 %";
	add_columns(table, titles, brief >= NOISE_MARK ? 8 : 9, 2);
	for (i = 0; i < rows->count; i++) {
		const struct pn_series_row *row = &rows->rows[i];

		cell = add_row(table, &text, row, print);
		if (!cell)
			continue;
		cell[1] = pn_cell_text(row->after ? row->after->metric
						  : row->before->metric);
		cell[2] = figure_cell(table, &text, row->before, brief);
		cell[3] = figure_cell(table, &text, row->after, brief);
		cell[4] = change_cell(table, &text, row);
		cell[5] = interval_cell(table, &text, &row->ratio, brief);
		cell[6] = count_cell(table, &text, row, brief);
		cell[7] = verdict_cell(row);
		if (brief < NOISE_MARK && is_noisy(row))
			cell[8] = dim_cell("noisy");
	}
	pn_buf_release(&text);
}

/* The first one that fits, else the shortest. */
static enum brevity fill_to_fit(struct pn_table *table,
				const struct pn_series_rows *rows,
				const struct pn_series_print *print,
				size_t room)
{
	enum brevity brief = WHOLE;

	fill_two(table, rows, print, brief);
	while (room && brief < NO_INTERVAL &&
	       pn_print_table_least(table, brief < WHOLE_PERCENTS
						   ? NAME_WHOLE
						   : NAME_TOLD) > room) {
		pn_table_release(table);
		fill_two(table, rows, print, ++brief);
	}
	return brief;
}

static void add_legend(struct pn_sink *sink, const struct pn_series_rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count && !is_noisy(&rows->rows[i]); i++)
		;
	if (i < rows->count)
		pn_buf_printf(
			&sink->text,
			"%s~ measured on a machine that was not quiet%s\n",
			sink->palette.dim, sink->palette.end);
}

static void add_doubt(struct pn_sink *sink, const struct pn_series_rows *rows,
		      const struct pn_series_print *print)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		if ((print->all || rows->rows[i].first) &&
		    is_open(&rows->rows[i]))
			break;
	if (i < rows->count)
		pn_buf_printf(&sink->text,
			      "%ssame? not sure at 1 %%, more runs tell%s\n",
			      sink->palette.dim, sink->palette.end);
}

static void head_line(struct pn_sink *sink, const char *what,
		      const struct pn_log_row *commit, size_t room)
{
	struct pn_buf *out = &sink->text, subject = {0};
	size_t taken = strlen(what) + HEAD_COLUMNS;
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &commit->commit);
	pn_buf_printf(out, "%s %s%.10s%s ", what, sink->palette.commit, hex,
		      sink->palette.end);
	pn_time_text(out, commit->author_time_s);
	pn_buf_add_byte(out, ' ');
	pn_escape_terminal(&subject, commit->subject, strlen(commit->subject));
	pn_text_fit(out, pn_buf_text(&subject), subject.len,
		    room > taken ? room - taken : subject.len);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&subject);
}

/* What was to be measured and was not: "sort  build failed: ...". */
static void add_failures(struct pn_sink *sink, const struct pn_log_row *commit,
			 size_t room)
{
	const struct pn_log_series_style style = {.palette = sink->palette,
						  .commit = commit->commit,
						  .tree = commit->tree,
						  .width = room};
	size_t i = 0;

	while (i < commit->row_count && !commit->rows[i].failed)
		i++;
	pn_log_series_lines(&sink->text, commit->rows + i,
			    commit->row_count - i, &style);
}

void pn_series_print_text(FILE *to, const struct pn_series_rows *rows,
			  const struct pn_series_print *print)
{
	size_t room = pn_terminal_columns(to);
	enum brevity brief = WHOLE;
	struct pn_table table = {0};
	struct pn_sink sink;

	pn_sink_init(&sink, to);
	pn_sink_colors(&sink, print->palette);
	if (print->before) {
		head_line(&sink, "old", print->before, room);
		head_line(&sink, "new", print->after, room);
		brief = fill_to_fit(&table, rows, print, room);
	} else {
		head_line(&sink, "commit", print->after, room);
		fill_one(&table, rows, print);
	}
	pn_buf_add_byte(&sink.text, '\n');
	if (rows->count)
		pn_print_table_within(&sink, &table, room);
	if (!print->before)
		add_failures(&sink, print->after, room);
	if (brief >= NOISE_MARK)
		add_legend(&sink, rows);
	if (print->before)
		add_doubt(&sink, rows, print);
	pn_table_release(&table);
	pn_sink_finish(&sink);
}
