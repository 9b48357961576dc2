/* The verdicts on functions, as text below those on metrics and as JSON. */
#include "render/judged/check_functions.h"

#include "analysis/judge/functions.h"
#include "render/judged/check_words.h"
#include "render/judged/functions.h"
#include "render/log/series.h"
#include "render/print_table.h"
#include "render/quantity.h"
#include "render/terminal.h"

#include <math.h>
#include <string.h>

#define ROWS 10		  /* of a series, unless all are asked for */
#define NAME_COLUMNS 1000 /* a name may have megabytes */

static struct pn_cell text_cell(struct pn_table *table, struct pn_buf *text)
{
	const char *kept =
		pn_arena_copy(&table->arena, pn_buf_text(text), text->len);

	pn_buf_clear(text);
	return pn_cell_text(kept);
}

/* `noise`: with how sure it is. */
static void add_columns(struct pn_table *table, bool noise)
{
	static const struct {
		const char *title;
		bool left, name, noise;
	} columns[] = {
		{"verdict", .left = true},
		{"change"},
		{"95 % interval", .noise = true},
		{"q", .noise = true},
		{"difference"},
		{"function", .left = true, .name = true},
	};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (noise || !columns[i].noise)
			pn_table_add_column(
				table,
				&(struct pn_column){.title = columns[i].title,
						    .gap = i ? 2 : 0,
						    .left = columns[i].left,
						    .name = columns[i].name});
}

static enum pn_tint tint_of(const struct pn_judge_function *f)
{
	int direction = pn_judge_direction(f->found.verdict);

	if (direction)
		return direction > 0 ? PN_TINT_WORSE : PN_TINT_BETTER;
	return pn_judge_function_changed(f) ? PN_TINT_NONE : PN_TINT_DIM;
}

static void add_name(struct pn_buf *out, const struct pn_judge_function *f)
{
	pn_check_name(out, f->name, NAME_COLUMNS);
	if (!f->old_name || !strcmp(f->old_name, f->name))
		return;
	pn_buf_add_text(out, " (was ");
	pn_check_name(out, f->old_name, NAME_COLUMNS);
	pn_buf_add_byte(out, ')');
}

static void add_row(struct pn_table *table, struct pn_buf *text,
		    const struct pn_judge_function *f, const char *unit,
		    bool noise)
{
	const struct pn_function_verdict *v = &f->found;
	struct pn_cell *cell = pn_table_add_row(table);

	*cell++ = pn_cell_tinted(pn_cell_text(pn_verdict_name(v->verdict)),
				 tint_of(f));
	if (!isnan(v->ratio))
		pn_check_ratio(text, v->ratio);
	*cell++ = text_cell(table, text);
	if (noise) {
		if (!v->exact && !isnan(v->low) && !isnan(v->high))
			pn_check_ratios(text, v->low, v->high);
		*cell++ = text_cell(table, text);
		if (!v->exact && !isnan(v->q))
			pn_buf_printf(text, "%.2g", v->q);
		*cell++ = text_cell(table, text);
	}
	if (v->delta > 0)
		pn_buf_add_byte(text, '+');
	pn_quantity_text(text, v->delta, (double)NAN, unit);
	*cell++ = text_cell(table, text);
	add_name(text, f);
	*cell = text_cell(table, text);
}

/* Whose functions, of what, beside which commit, and how many changed. */
static void add_head(struct pn_buf *out, const struct pn_judge_report *report,
		     const struct pn_judge_functions *of)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &report->commits[of->base].id);
	pn_check_series(out, of->row);
	pn_buf_add_byte(out, ' ');
	pn_check_name(out, of->type, PN_CHECK_NAME);
	pn_buf_printf(out, " beside %.10s: %zu of %zu function%s changed", hex,
		      of->changed, of->count, of->count == 1 ? "" : "s");
	if (of->unknown && !of->tested)
		pn_buf_printf(out,
			      ", %zu cannot be told from noise: %s more runs "
			      "(\"git perf collect --runs=5\")",
			      of->unknown,
			      of->runs[0] > 1	? "the commit needs"
			      : of->runs[1] > 1 ? "the one before needs"
						: "both need");
	else if (of->unknown)
		pn_buf_printf(out, ", %zu unknown", of->unknown);
}

static void print_rows(struct pn_sink *out, const struct pn_judge_functions *of,
		       size_t count)
{
	struct pn_table table = {0};
	struct pn_buf text = {0};
	bool noise = false;
	size_t i;

	for (i = 0; i < count; i++)
		noise |=
			!isnan(of->rows[i].found.q) && !of->rows[i].found.exact;
	add_columns(&table, noise);
	for (i = 0; i < count; i++)
		add_row(&table, &text, &of->rows[i], of->unit, noise);
	pn_print_table_within(out, &table, pn_terminal_columns(out->to));
	pn_table_release(&table);
	pn_buf_release(&text);
}

static void print_series(struct pn_sink *out,
			 const struct pn_judge_report *report,
			 const struct pn_judge_functions *of, bool all)
{
	size_t told = all ? of->row_count : of->changed;
	struct pn_buf text = {0};

	add_head(&text, report, of);
	pn_check_line(out, &text, "");
	if (told > (all ? of->row_count : ROWS))
		told = ROWS;
	if (told)
		print_rows(out, of, told);
	if (told < of->changed) {
		pn_buf_printf(&text, "%zu more changed%s", of->changed - told,
			      all ? "" : " (--verbose shows them)");
		pn_check_line(out, &text, out->palette.dim);
	}
	pn_buf_add_byte(&out->text, '\n');
	pn_buf_release(&text);
}

void pn_check_functions_text(struct pn_sink *out,
			     const struct pn_judge_report *report, bool all)
{
	struct pn_buf text = {0};
	size_t i;

	if (!report->by_function)
		return;
	pn_buf_add_byte(&out->text, '\n');
	for (i = 0; i < report->function_count; i++)
		print_series(out, report, &report->functions[i], all);
	if (!report->function_count) {
		pn_buf_add_text(&text, "no series has profiles with functions "
				       "of both sides");
		pn_check_line(out, &text, out->palette.dim);
	}
	pn_buf_release(&text);
}

static void put_row(struct pn_json_writer *w,
		    const struct pn_judge_report *report,
		    const struct pn_judge_functions *of,
		    const struct pn_judge_function *f)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &report->commits[of->base].id);
	pn_json_open(w, '{');
	pn_json_member(w, "metric", of->type);
	pn_json_member(w, "uid", f->name);
	if (f->old_name)
		pn_json_member(w, "old_name", f->old_name);
	if (*f->file)
		pn_json_member(w, "file", f->file);
	pn_series_members(w, &of->row->course->key.series, &of->row->parts);
	pn_json_member(w, "unit", of->unit);
	pn_json_member(w, "base", hex);
	pn_json_member_double(w, "before", f->before);
	pn_json_member_double(w, "after", f->after);
	pn_functions_members(w, &f->found);
	pn_json_key(w, "n");
	pn_json_open(w, '[');
	pn_json_uint(w, of->runs[0]);
	pn_json_uint(w, of->runs[1]);
	pn_json_close(w, ']');
	pn_json_member(w, "method", f->found.exact ? "exact" : "functions");
	pn_json_close(w, '}');
}

void pn_check_functions_json(struct pn_sink *out,
			     const struct pn_judge_report *report)
{
	size_t i, k;

	for (i = 0; i < report->function_count; i++)
		for (k = 0; k < report->functions[i].row_count; k++) {
			put_row(&out->json, report, &report->functions[i],
				&report->functions[i].rows[k]);
			pn_sink_drain(out);
		}
}
