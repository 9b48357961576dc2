/* A source file beside what its lines cost. */
#include "render/source/sides.h"

#include "base/text/width.h"
#include "model/unit.h"
#include "render/header.h"
#include "render/sink.h"

#include <inttypes.h>
#include <string.h>

#define TAB 8
#define HEAVY 0.05 /* a share of the file that is shown in colour */
#define HEX_SHOWN 10
#define CELL_LEAST 9
#define CELL_MOST 20 /* a unit may be anything */

struct sides {
	const struct pn_annotate_view *view;
	const struct pn_annotated *a;
	bool pair;
	struct pn_sink sink;
	size_t width; /* of a number */
};

static double number(const struct sides *s, int side, int64_t weight)
{
	return pn_report_number(s->a->side[side].report, weight);
}

/* A tab goes to the next column of eight; what a terminal must not get is
 * escaped. */
static void expand(struct pn_sink *out, const char *line, size_t len)
{
	const char *end = line + len, *tab;
	size_t start = out->text.len, column;

	while ((tab = memchr(line, '\t', (size_t)(end - line)))) {
		pn_sink_name(out, line, (size_t)(tab - line));
		column = pn_text_width(pn_buf_text(&out->text) + start,
				       out->text.len - start);
		do
			pn_buf_add_byte(&out->text, ' ');
		while (++column % TAB);
		line = tab + 1;
	}
	pn_sink_name(out, line, (size_t)(end - line));
}

/* What is left of the terminal's columns behind `taken`. */
static void add_source(struct sides *s, const struct pn_annotated_row *row,
		       size_t taken)
{
	int side = row->line[1] ? 1 : 0;
	size_t len = 0, columns = s->view->columns, start = s->sink.text.len;
	const char *line = pn_source_text_line(&len, s->a->side[side].text,
					       row->line[side]);
	struct pn_buf cut = {0};

	if (line)
		expand(&s->sink, line, len);
	if (columns <= taken)
		return;
	pn_text_fit(&cut, pn_buf_text(&s->sink.text) + start,
		    s->sink.text.len - start, columns - taken);
	pn_buf_cut(&s->sink.text, start);
	pn_buf_add(&s->sink.text, pn_buf_text(&cut), cut.len);
	pn_buf_release(&cut);
}

static void label(struct pn_buf *out, const struct sides *s, double value)
{
	if (value != 0)
		pn_unit_label(out, value, s->a->side[1].report->unit,
			      s->a->side[1].report->to_unit);
	else
		pn_buf_add_byte(out, '.');
}

static void cell(struct sides *s, double value, bool there)
{
	struct pn_buf text = {0};

	if (there)
		label(&text, s, value);
	pn_sink_right(&s->sink, pn_buf_text(&text), s->width);
	pn_buf_add_byte(&s->sink.text, ' ');
	pn_buf_release(&text);
}

/* The numbers of a line: of two sides before, after and the difference. */
static void numbers_of(double out[3], const struct sides *s,
		       const struct pn_annotated_row *row)
{
	const int64_t *of = s->view->cum ? row->total : row->self;

	if (!s->pair) {
		out[0] = number(s, 1, row->self[1]);
		out[1] = number(s, 1, row->total[1]);
		out[2] = 0;
		return;
	}
	out[0] = number(s, 0, of[0]);
	out[1] = number(s, 1, of[1]);
	out[2] = out[1] - out[0];
}

static void choose_width(struct sides *s)
{
	struct pn_buf text = {0};
	double numbers[3];
	size_t i, n;

	s->width = CELL_LEAST;
	for (i = 0; i < s->a->row_count; i++) {
		numbers_of(numbers, s, &s->a->rows[i]);
		for (n = 0; n < 3; n++) {
			pn_buf_clear(&text);
			label(&text, s, numbers[n]);
			if (text.len > s->width && text.len < CELL_MOST)
				s->width = text.len;
		}
	}
	pn_buf_release(&text);
}

static const char *color_of(const struct sides *s,
			    const struct pn_annotated_row *row)
{
	const struct pn_palette *palette = s->view->palette;
	double all = number(s, 1, s->a->side[1].self);
	double now = number(s, 1, row->self[1]), change = 0;

	if (s->pair)
		change = now - number(s, 0, row->self[0]);
	if (s->pair && change != 0 && change >= HEAVY * all)
		return palette->worse;
	if (s->pair && change != 0 && -change >= HEAVY * all)
		return palette->better;
	if (!s->pair && now != 0 && now >= HEAVY * all)
		return palette->worse;
	if (row->self[0] || row->self[1] || row->total[0] || row->total[1])
		return "";
	return palette->dim;
}

static void print_row(struct sides *s, const struct pn_annotated_row *row)
{
	const char *color = color_of(s, row);
	size_t taken = 2 * (s->width + 1) + 6;
	double numbers[3];

	numbers_of(numbers, s, row);
	pn_buf_add_text(&s->sink.text, color);
	cell(s, numbers[0], !s->pair || row->line[0]);
	cell(s, numbers[1], row->line[1]);
	if (s->pair) {
		cell(s, numbers[2], true);
		pn_buf_add_byte(&s->sink.text, !row->line[0]   ? '+'
					       : !row->line[1] ? '-'
							       : ' ');
		taken += s->width + 2;
	}
	pn_buf_printf(&s->sink.text, "%5" PRIu32 " ",
		      row->line[row->line[1] ? 1 : 0]);
	add_source(s, row, taken);
	if (s->sink.text.data[s->sink.text.len - 1] == ' ')
		pn_buf_cut(&s->sink.text, s->sink.text.len - 1);
	if (*color)
		pn_buf_add_text(&s->sink.text, s->view->palette->end);
	pn_buf_add_byte(&s->sink.text, '\n');
	pn_sink_drain(&s->sink);
}

/* The file and its commit, "fib/callgrind: 1.2M of 3.4M Ir". */
static void print_head(struct sides *s, int side)
{
	const struct pn_annotated_side *one = &s->a->side[side];
	const char *path = s->view->path[side], *name = s->view->profile[side];

	pn_sink_name(&s->sink, path, strlen(path));
	pn_buf_printf(&s->sink.text, "%sat %.*s, ", *path ? " " : "nothing ",
		      HEX_SHOWN, s->view->commit[side]);
	pn_sink_name(&s->sink, name, strlen(name));
	pn_buf_add_text(&s->sink.text, ": ");
	pn_report_value(&s->sink.text, one->report, one->self);
	pn_buf_add_text(&s->sink.text, " of ");
	pn_report_value(&s->sink.text, one->report, one->report->total);
	pn_buf_add_byte(&s->sink.text, ' ');
	pn_sink_name(&s->sink, one->report->type, strlen(one->report->type));
	pn_buf_add_byte(&s->sink.text, '\n');
	if (!one->elsewhere)
		return;
	pn_report_value(&s->sink.text, one->report, one->elsewhere);
	pn_buf_add_text(&s->sink.text, " of it in lines that are not here\n");
}

static void print_text(struct sides *s)
{
	static const char *const titles[2][3] = {{"self", "total", ""},
						 {"old", "new", "change"}};
	size_t i;

	if (s->pair)
		print_head(s, 0);
	print_head(s, 1);
	choose_width(s);
	pn_buf_add_text(&s->sink.text, s->view->palette->head);
	for (i = 0; i < (s->pair ? 3 : 2); i++)
		pn_buf_printf(&s->sink.text, "%*s ", (int)s->width,
			      titles[s->pair][i]);
	pn_buf_printf(&s->sink.text, "%s line%s\n", s->pair ? " " : "",
		      s->view->palette->end);
	for (i = 0; i < s->a->row_count; i++)
		print_row(s, &s->a->rows[i]);
}

static void add_number(struct sides *s, int side, int64_t weight)
{
	struct pn_json_writer w;
	const struct pn_report *report = s->a->side[side].report;

	pn_json_writer_init(&w, &s->sink.text, false);
	if (pn_report_is_whole(report))
		pn_json_int(&w, weight);
	else
		pn_json_double(&w, pn_report_number(report, weight));
}

static bool has_cost(const struct pn_annotated_row *row)
{
	return row->self[0] || row->self[1] || row->total[0] || row->total[1];
}

static void porcelain_side(struct sides *s, int side, const char *prefix)
{
	const struct pn_annotated_side *one = &s->a->side[side];
	struct pn_buf *text = &s->sink.text;

	pn_buf_printf(text, "%scommit %s\n%spath ", prefix,
		      s->view->commit[side], prefix);
	pn_sink_name(&s->sink, s->view->path[side],
		     strlen(s->view->path[side]));
	pn_buf_printf(text, "\n%sprofile ", prefix);
	pn_sink_name(&s->sink, s->view->profile[side],
		     strlen(s->view->profile[side]));
	pn_buf_printf(text, "\n%sall ", prefix);
	add_number(s, side, one->report->total);
	pn_buf_printf(text, "\n%sfile ", prefix);
	add_number(s, side, one->self);
	pn_buf_printf(text, "\n%selsewhere ", prefix);
	add_number(s, side, one->elsewhere);
	pn_buf_add_byte(text, '\n');
}

/* Lines with a cost: a number is what one would type into an editor. */
static void print_porcelain(struct sides *s)
{
	const struct pn_report *report = s->a->side[1].report;
	struct pn_buf *text = &s->sink.text;
	size_t i;
	int side;

	pn_buf_add_text(text, "git-perf-annotate 1\ntype ");
	pn_sink_name(&s->sink, report->type, strlen(report->type));
	pn_buf_add_text(text, "\nunit ");
	pn_sink_name(&s->sink, report->unit, strlen(report->unit));
	pn_buf_add_byte(text, '\n');
	porcelain_side(s, 1, "");
	if (s->pair)
		porcelain_side(s, 0, "old-");
	pn_buf_add_byte(text, '\n');
	for (i = 0; i < s->a->row_count; i++) {
		const struct pn_annotated_row *row = &s->a->rows[i];

		if (!has_cost(row))
			continue;
		pn_buf_printf(text, "%" PRIu32, row->line[1]);
		if (s->pair)
			pn_buf_printf(text, "\t%" PRIu32, row->line[0]);
		for (side = 1; side >= !s->pair; side--) {
			pn_buf_add_byte(text, '\t');
			add_number(s, side, row->self[side]);
			pn_buf_add_byte(text, '\t');
			add_number(s, side, row->total[side]);
		}
		pn_buf_add_byte(text, '\n');
		pn_sink_drain(&s->sink);
	}
}

static void json_side(struct sides *s, int side, const char *key)
{
	const struct pn_annotated_side *one = &s->a->side[side];
	struct pn_json_writer *w = &s->sink.json;

	pn_json_key(w, key);
	pn_json_open(w, '{');
	pn_json_member(w, "commit", s->view->commit[side]);
	pn_json_member(w, "path", s->view->path[side]);
	pn_json_member(w, "profile", s->view->profile[side]);
	pn_print_weight_json(&s->sink, "total", one->report,
			     one->report->total);
	pn_print_weight_json(&s->sink, "file", one->report, one->self);
	pn_print_weight_json(&s->sink, "elsewhere", one->report,
			     one->elsewhere);
	pn_json_close(w, '}');
}

static void json_row(struct sides *s, const struct pn_annotated_row *row)
{
	static const char *const keys[2][3] = {
		{"old_line", "old_self", "old_total"},
		{"line", "self", "total"}};
	struct pn_json_writer *w = &s->sink.json;
	int side;

	pn_json_open(w, '{');
	for (side = 1; side >= !s->pair; side--) {
		const struct pn_report *report = s->a->side[side].report;

		if (!row->line[side])
			continue;
		pn_json_member_int(w, keys[side][0], row->line[side]);
		pn_print_weight_json(&s->sink, keys[side][1], report,
				     row->self[side]);
		pn_print_weight_json(&s->sink, keys[side][2], report,
				     row->total[side]);
	}
	pn_json_close(w, '}');
	pn_sink_drain(&s->sink);
}

static void print_json(struct sides *s)
{
	struct pn_json_writer *w = &s->sink.json;
	size_t i;

	pn_json_open(w, '{');
	pn_json_member_int(w, "version", 1);
	pn_json_member(w, "command", "annotate");
	pn_json_member(w, "type", s->a->side[1].report->type);
	pn_json_member(w, "unit", s->a->side[1].report->unit);
	json_side(s, 1, "new");
	if (s->pair)
		json_side(s, 0, "old");
	pn_json_key(w, "rows");
	pn_json_open(w, '[');
	for (i = 0; i < s->a->row_count; i++)
		if (has_cost(&s->a->rows[i]))
			json_row(s, &s->a->rows[i]);
	pn_json_close(w, ']');
	pn_json_close(w, '}');
	pn_buf_add_byte(&s->sink.text, '\n');
}

void pn_print_annotate(FILE *to, const struct pn_annotate_view *view)
{
	struct sides s = {.view = view, .a = view->annotated};

	s.pair = s.a->side[0].report != NULL;
	pn_sink_init(&s.sink, to);
	if (view->form == PN_ANNOTATE_JSON)
		print_json(&s);
	else if (view->form == PN_ANNOTATE_PORCELAIN)
		print_porcelain(&s);
	else
		print_text(&s);
	pn_sink_finish(&s.sink);
}
