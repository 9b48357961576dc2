/* The verdict on a commit as text: the sentence, then the table, one screen. */
#include "render/judged/check.h"
#include "render/judged/why.h"

#include "base/escape.h"
#include "base/text/width.h"
#include "render/judged/check_functions.h"
#include "render/judged/check_words.h"
#include "render/print_table.h"
#include "render/terminal.h"

#include <math.h>
#include <string.h>

#define SENTENCES 5
#define NAME_MIN 8
#define INDENT 2 /* of what follows in a further line */
#define ROWS 14	 /* of a terminal of 24 lines */

extern const struct pn_check_format pn_check_json, pn_check_junit,
	pn_check_markdown, pn_check_github;

const struct pn_check_format *const pn_check_formats[] = {
	&pn_check_text,	    &pn_check_json,   &pn_check_junit,
	&pn_check_markdown, &pn_check_github, NULL,
};

const struct pn_check_format *pn_check_format_find(const char *name)
{
	size_t i;

	for (i = 0; pn_check_formats[i]; i++)
		if (!strcmp(pn_check_formats[i]->name, name))
			return pn_check_formats[i];
	return NULL;
}

void pn_check_format_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; pn_check_formats[i]; i++) {
		if (i)
			pn_buf_add_text(out, between);
		pn_buf_add_text(out, pn_check_formats[i]->name);
	}
}

static const char *keep(struct pn_table *table, struct pn_buf *text)
{
	const char *kept =
		pn_arena_copy(&table->arena, pn_buf_text(text), text->len);

	pn_buf_clear(text);
	return kept;
}

static const char *color_of(const struct pn_judge_row *row,
			    const struct pn_palette *p)
{
	int direction = pn_judge_direction(row->verdict);

	return !direction ? "" : direction > 0 ? p->worse : p->better;
}

/* The functions that explain it, below its sentence. */
static void add_reason(struct pn_sink *out,
		       const struct pn_judge_report *report,
		       const struct pn_judge_row *row)
{
	const struct pn_judge_reason *reason = pn_judge_reason_of(report, row);
	struct pn_buf text = {0};

	if (!reason)
		return;
	pn_why_reason(&text, reason, row, true);
	pn_text_wrap_names(&out->text, pn_buf_text(&text), text.len,
			   pn_terminal_columns(out->to), 2 * INDENT);
	pn_buf_add_byte(&out->text, '\n');
	pn_buf_release(&text);
}

/* The first changes in words, or that there is none. */
static void sentences(struct pn_sink *out, const struct pn_judge_report *report)
{
	const struct pn_judge *j = report->judge;
	const struct pn_judge_row *first = NULL;
	struct pn_buf text = {0};
	size_t i, n = 0;

	for (i = 0; i < j->count && n < SENTENCES; i++) {
		const struct pn_judge_row *row = &j->rows[i];

		if (row->verdict == PN_VERDICT_NO_CHANGE && row->first &&
		    !first)
			first = row;
		if (!pn_check_is_change(row))
			continue;
		pn_check_sentence(&text, report, row);
		pn_check_line(out, &text, color_of(row, &out->palette));
		add_reason(out, report, row);
		n++;
	}
	if (!n && first) {
		pn_check_sentence(&text, report, first);
		pn_check_line(out, &text, "");
	}
	pn_buf_release(&text);
}

/* A name as it is printed: bounded even where its characters become escapes. */
static struct pn_cell name_cell(struct pn_table *table, struct pn_buf *text)
{
	struct pn_buf safe = {0}, cut = {0};
	struct pn_cell cell;

	pn_escape_terminal(&safe, pn_buf_text(text), text->len);
	pn_check_name(&cut, pn_buf_text(&safe), PN_CHECK_NAME);
	cell = pn_cell_text(keep(table, &cut));
	pn_buf_clear(text);
	pn_buf_release(&safe);
	pn_buf_release(&cut);
	return cell;
}

static struct pn_cell text_cell(struct pn_table *table, struct pn_buf *text)
{
	return pn_cell_text(keep(table, text));
}

static void number_cell(struct pn_cell *cell, struct pn_table *table,
			struct pn_buf *text, double value)
{
	if (isnan(value))
		return;
	pn_buf_printf(text, "%.2g", value);
	*cell = text_cell(table, text);
}

/* Parts of a table: what was decided, and how. */
#define WHAT 1u
#define HOW 2u
#define SEEN 4u /* with WHAT, where there is room */
#define SEEN_COLUMNS 72

static void add_columns(struct pn_table *table, unsigned int parts)
{
	static const struct {
		const char *title;
		unsigned int part;
		bool left;
	} columns[] = {
		{"verdict", WHAT, true},
		{"series", WHAT | HOW, true},
		{"metric", WHAT | HOW, true},
		{"change", WHAT, false},
		{"95 % interval", WHAT, false},
		{"sees", SEEN, false},
		{"p", HOW, false},
		{"q", HOW, false},
		{"n", HOW, false},
		{"noise", HOW, false},
		{"by", HOW, false},
	};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (columns[i].part & parts)
			pn_table_add_column(
				table,
				&(struct pn_column){
					.title = columns[i].title,
					.gap = table->column_count ? 2 : 0,
					.left = columns[i].left});
}

static enum pn_tint tint_of(const struct pn_judge_row *row)
{
	int direction = pn_judge_direction(row->verdict);

	if (direction)
		return direction > 0 ? PN_TINT_WORSE : PN_TINT_BETTER;
	return pn_check_is_change(row) ? PN_TINT_NONE : PN_TINT_DIM;
}

static void add_how(struct pn_cell *cell, struct pn_table *table,
		    struct pn_buf *text, const struct pn_judge_row *row)
{
	number_cell(&cell[0], table, text, row->p);
	number_cell(&cell[1], table, text, row->q);
	pn_buf_printf(text, "%zu, %zu", row->n[0], row->n[1]);
	cell[2] = text_cell(table, text);
	if (!isnan(row->noise)) {
		pn_buf_printf(text, "%.2g%%", row->noise * 100);
		cell[3] = text_cell(table, text);
	}
	cell[4] = pn_cell_text(pn_judge_method_name(row->method));
}

static void add_row(struct pn_table *table, struct pn_buf *text,
		    const struct pn_judge_row *row, unsigned int parts)
{
	struct pn_cell *cell = pn_table_add_row(table);

	if (parts & WHAT)
		*cell++ = pn_cell_tinted(
			pn_cell_text(pn_verdict_name(row->verdict)),
			tint_of(row));
	pn_check_series(text, row);
	*cell++ = name_cell(table, text);
	pn_check_metric(text, row);
	*cell++ = name_cell(table, text);
	if (parts & WHAT) {
		pn_check_change(text, row);
		*cell++ = text_cell(table, text);
		pn_check_interval(text, row);
		*cell++ = text_cell(table, text);
	}
	if (parts & SEEN) {
		pn_check_seen(text, row);
		*cell++ = text_cell(table, text);
	}
	if (parts & HOW)
		add_how(cell, table, text, row);
}

static size_t width_of(const struct pn_table *table, size_t column)
{
	const char *title = table->columns[column].title;
	size_t row, width = strlen(title);

	for (row = 0; row < table->row_count; row++) {
		const struct pn_cell *cell =
			&table->cells[row * table->column_count + column];
		size_t have = cell->kind != PN_CELL_TEXT
				      ? 0
				      : pn_text_width(cell->value.text,
						      strlen(cell->value.text));

		width = have > width ? have : width;
	}
	return width;
}

/* What all columns but those of series and metric, of which `first` is the one,
 * take, and in `names` what these would. */
static size_t measure(size_t names[2], const struct pn_table *table,
		      size_t first)
{
	size_t i, taken = 0;

	for (i = 0; i < table->column_count; i++)
		taken += table->columns[i].gap +
			 (i - first < 2 ? 0 : width_of(table, i));
	names[0] = width_of(table, first);
	names[1] = width_of(table, first + 1);
	return taken;
}

/* Series and metrics share what the figures leave of a terminal; what one does
 * not need is the other's. */
static void fit_names(struct pn_table *table, size_t first, size_t columns)
{
	size_t i, room, of[2], taken = measure(of, table, first);
	struct pn_buf text = {0};

	room = columns > taken + 2 * NAME_MIN ? columns - taken : 2 * NAME_MIN;
	if (!columns || of[0] + of[1] <= room)
		return;
	if (of[0] > room / 2)
		of[0] = of[1] > room / 2 ? room / 2 : room - of[1];
	of[1] = room - of[0];
	for (i = 0; i < 2 * table->row_count; i++) {
		struct pn_cell *cell =
			&table->cells[i / 2 * table->column_count + first +
				      i % 2];

		pn_text_fit_name(&text, cell->value.text,
				 strlen(cell->value.text), of[i % 2]);
		*cell = pn_cell_text(keep(table, &text));
	}
	pn_buf_release(&text);
}

/* How many rows: those of what changed, and of the first metric of each series,
 * or all. */
static size_t fill(struct pn_table *table, const struct pn_judge *j, bool all,
		   unsigned int parts)
{
	struct pn_buf text = {0};
	size_t i, shown = 0;

	add_columns(table, parts);
	for (i = 0; i < j->count; i++) {
		const struct pn_judge_row *row = &j->rows[i];

		if (!all && (shown >= ROWS ||
			     (!row->first && !pn_check_is_change(row))))
			continue;
		add_row(table, &text, row, parts);
		shown++;
	}
	pn_buf_release(&text);
	return shown;
}

static bool fits(const struct pn_judge *j, size_t columns)
{
	struct pn_table table = {0};
	size_t names[2], taken;

	fill(&table, j, true, WHAT | SEEN | HOW);
	taken = measure(names, &table, 1);
	pn_table_release(&table);
	return !columns || taken + names[0] + names[1] <= columns;
}

static size_t print_rows(struct pn_sink *out, const struct pn_judge *j,
			 bool all, unsigned int parts)
{
	struct pn_table table = {0};
	size_t shown = fill(&table, j, all, parts);

	fit_names(&table, parts & WHAT ? 1 : 0, pn_terminal_columns(out->to));
	if (shown)
		pn_print_table(out, &table);
	pn_table_release(&table);
	return shown;
}

/* All numbers are one table, or two below each other where the terminal is too
 * narrow. Returns how many rows are not shown. */
static size_t rows(struct pn_sink *out, const struct pn_judge_report *report,
		   bool all)
{
	const struct pn_judge *j = report->judge;
	size_t shown, columns = pn_terminal_columns(out->to);
	unsigned int what =
		columns && columns < SEEN_COLUMNS ? WHAT : WHAT | SEEN;

	if (!all || !fits(j, columns)) {
		shown = print_rows(out, j, all, what);
		if (all && shown) {
			pn_buf_add_byte(&out->text, '\n');
			print_rows(out, j, all, HOW);
		}
	} else {
		shown = print_rows(out, j, all, what | HOW);
	}
	return j->count - shown;
}

/* Each reason once, with how many metrics it is of. */
static void doubts(struct pn_sink *out, const struct pn_judge_report *report)
{
	const struct pn_judge *j = report->judge;
	unsigned int said = 1u << PN_JUDGE_SURE;
	struct pn_buf text = {0};
	size_t i, k, n;

	for (i = 0; i < j->count; i++) {
		const struct pn_judge_row *row = &j->rows[i];

		if (said & 1u << row->doubt)
			continue;
		said |= 1u << row->doubt;
		for (k = i + 1, n = 0; k < j->count; k++)
			n += j->rows[k].doubt == row->doubt;
		pn_check_series(&text, row);
		pn_buf_add_byte(&text, ' ');
		pn_check_metric(&text, row);
		if (n)
			pn_buf_printf(&text, " and %zu more", n);
		pn_buf_add_text(&text, ": ");
		pn_check_doubt(&text, row);
		pn_check_line(out, &text, out->palette.dim);
	}
	pn_buf_release(&text);
}

/* What got worse before and was accepted by nobody: a row that did not change
 * since says nothing of it. */
static void standing(struct pn_sink *out, const struct pn_judge_report *report)
{
	const struct pn_judge *j = report->judge;
	struct pn_buf text = {0};
	size_t i, n = 0;

	for (i = 0; i < j->count && n < SENTENCES; i++) {
		const struct pn_judge_row *row = &j->rows[i];

		if (isnan(row->stands.ratio) || !row->headline)
			continue;
		pn_check_series(&text, row);
		pn_buf_add_byte(&text, ' ');
		pn_check_metric(&text, row);
		pn_buf_add_byte(&text, ' ');
		pn_check_standing(&text, report, row);
		pn_check_line(out, &text, out->palette.dim);
		n++;
	}
	pn_buf_release(&text);
}

static size_t noisy_commits(const struct pn_judge *j)
{
	size_t i, most = 0;

	for (i = 0; i < j->count; i++)
		if (j->rows[i].left_out > most)
			most = j->rows[i].left_out;
	return most;
}

static void rewritten_text(struct pn_buf *out,
			   const struct pn_judge_report *report)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &report->rewritten_from);
	pn_buf_printf(out,
		      "%zu commit%s by what was measured of the same tree "
		      "before %s rewritten: %.10s%s",
		      report->rewritten, report->rewritten == 1 ? "" : "s",
		      report->rewritten == 1 ? "it was" : "they were", hex,
		      report->rewritten == 1 ? "" : ", ...");
}

static void left_out(struct pn_sink *out, const struct pn_judge_report *report)
{
	size_t noisy = noisy_commits(report->judge);
	struct pn_buf text = {0};

	if (noisy)
		pn_buf_printf(&text,
			      "left out: %zu commit%s that %s measured "
			      "on a busy machine",
			      noisy, noisy == 1 ? "" : "s",
			      noisy == 1 ? "was" : "were");
	if (report->dirty)
		pn_buf_printf(&text, "%s%zu figure%s of dirty trees",
			      text.len ? ", " : "left out: ", report->dirty,
			      report->dirty == 1 ? "" : "s");
	if (report->unreadable)
		pn_buf_printf(
			&text, "%s%zu note%s too large to read",
			text.len ? ", " : "left out: ", report->unreadable,
			report->unreadable == 1 ? "" : "s");
	if (text.len)
		pn_check_line(out, &text, out->palette.dim);
	pn_buf_clear(&text);
	if (report->rewritten)
		rewritten_text(&text, report);
	if (text.len)
		pn_check_line(out, &text, out->palette.dim);
	pn_buf_clear(&text);
	if (report->shallow) {
		pn_buf_add_text(&text, "\"git fetch --unshallow\" gets the "
				       "past that this clone has not");
		pn_check_line(out, &text, out->palette.dim);
	}
	pn_buf_release(&text);
}

static void print_text(FILE *to, const struct pn_judge_report *report,
		       const struct pn_check_print *print)
{
	struct pn_buf text = {0};
	struct pn_sink sink;
	size_t hidden;

	pn_sink_init(&sink, to);
	pn_sink_colors(&sink, print->palette);
	pn_check_title(&text, report);
	pn_check_line(&sink, &text, sink.palette.head);
	sentences(&sink, report);
	pn_buf_add_byte(&sink.text, '\n');
	hidden = rows(&sink, report, print->all);
	pn_check_functions_text(&sink, report, print->all);
	doubts(&sink, report);
	standing(&sink, report);
	left_out(&sink, report);
	pn_check_totals(&text, report);
	if (hidden)
		pn_buf_printf(&text, " (--verbose shows %zu more)", hidden);
	pn_check_line(&sink, &text, "");
	pn_buf_release(&text);
	pn_sink_finish(&sink);
}

const struct pn_check_format pn_check_text = {
	.name = "text",
	.print = print_text,
};
