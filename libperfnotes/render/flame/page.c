/* One profile, or the difference of two, as a page: a flame graph and a table
 * of functions that is there without the script. Whatever a profile holds, the
 * policy of the page runs no other script and asks no network. */
#include "model/unit.h"
#include "render/flame/picture.h"
#include "render/html/html.h"

#include <math.h>
#include <string.h>

#define ROWS_MAX 2000 /* of the table: what is read by people */

extern const char pn_page_script[], pn_page_style[];

static const char *const scripts[] = {pn_flame_script, pn_page_script, NULL};
static const char *const styles[] = {pn_page_style, pn_flame_style, NULL};
static const struct pn_html_page page = {scripts, styles};

static void head(struct pn_buf *out, const struct pn_flame_drawing *d)
{
	pn_html_begin(out, &page, pn_buf_text(&d->title));
	pn_buf_add_text(out, "<header>\n<h1>");
	pn_html_text(out, pn_buf_text(&d->title), d->title.len);
	pn_buf_add_text(out, "</h1>\n");
}

static void lines(struct pn_buf *out, const struct pn_buf *text)
{
	const char *at = pn_buf_text(text), *end = at + text->len, *stop;

	for (; at < end; at = stop + 1) {
		stop = memchr(at, '\n', (size_t)(end - at));
		if (!stop)
			stop = end;
		pn_buf_add_text(out, "<p>");
		pn_html_text(out, at, (size_t)(stop - at));
		pn_buf_add_text(out, "</p>\n");
	}
}

static void column(struct pn_buf *out, const char *name)
{
	pn_buf_printf(out, "<th scope=\"col\">%s</th>", name);
}

/* A cell by whose number a script sorts. Most are whole, and there are
 * thousands. */
static void begin_cell(struct pn_buf *out, double v)
{
	pn_buf_add_text(out, "<td data-v=\"");
	if (v >= 0 && !signbit(v) && v < 9e15 && v == (double)(int64_t)v)
		pn_buf_add_uint(out, (uint64_t)v);
	else
		pn_buf_printf(out, "%.17g", v);
	pn_buf_add_byte(out, '"');
}

static void value(struct pn_buf *out, const struct pn_flame *flame, double v,
		  bool sign)
{
	struct pn_buf text = {0};

	if (sign)
		pn_buf_add_byte(&text, v < 0 ? '-' : '+');
	pn_flame_value(&text, flame, sign ? fabs(v) : v);
	begin_cell(out, v);
	pn_buf_add_byte(out, '>');
	pn_html_text(out, pn_buf_text(&text), text.len);
	pn_buf_add_text(out, "</td>");
	pn_buf_release(&text);
}

/* Of a share 0..1, by whose trillionths a script sorts; with a class where it
 * is a change. */
static void percent(struct pn_buf *out, double v, bool sign)
{
	begin_cell(out, rint(v * 1e12));
	if (sign && v != 0)
		pn_buf_add_text(out, v > 0 ? " class=\"worse\""
					   : " class=\"better\"");
	pn_buf_add_byte(out, '>');
	if (sign)
		pn_buf_add_byte(out, v < 0 ? '-' : '+');
	pn_unit_fixed(out, 100 * fabs(v), 2);
	pn_buf_add_text(out, "%</td>");
}

static void name(struct pn_sink *out, const char *text, size_t len)
{
	struct pn_flame_name of = {text, len};
	struct pn_buf shown = {0};

	pn_flame_name_text(&shown, &of, PN_FLAME_NAME_SHOWN);
	pn_buf_add_text(&out->text, "<td>");
	pn_html_text(&out->text, pn_buf_text(&shown), shown.len);
	pn_buf_add_text(&out->text, "</td></tr>\n");
	pn_buf_release(&shown);
	pn_sink_drain(out);
}

/* Returns how many rows there are, of which ROWS_MAX are shown. */
static size_t functions(struct pn_sink *out, const struct pn_flame_drawing *d)
{
	const struct pn_report *r = d->report;
	double all = pn_report_number(r, r->total);
	size_t i;

	column(&out->text, "self");
	column(&out->text, "self %");
	column(&out->text, "total");
	column(&out->text, "total %");
	column(&out->text, "function");
	pn_buf_add_text(&out->text, "</tr></thead>\n<tbody>\n");
	for (i = 0; i < r->row_count && i < ROWS_MAX; i++) {
		const struct pn_report_node *row = &r->rows[i];
		double self = pn_report_number(r, row->flat);
		double total = pn_report_number(r, row->cum);

		pn_buf_add_text(&out->text, "<tr>");
		value(&out->text, d->flame, self, false);
		percent(&out->text, all > 0 ? self / all : 0, false);
		value(&out->text, d->flame, total, false);
		percent(&out->text, all > 0 ? total / all : 0, false);
		name(out, row->name, row->name_len);
	}
	return r->row_count;
}

static const char *state_of(const struct pn_diff_row *row)
{
	static const char *const names[] = {
		[PN_DIFF_CHANGED] = "",
		[PN_DIFF_NEW] = "new",
		[PN_DIFF_GONE] = "gone",
		[PN_DIFF_RENAMED] = "renamed",
	};

	return names[row->state];
}

static void change_row(struct pn_sink *out, const struct pn_flame_drawing *d,
		       const struct pn_diff_row *row)
{
	double delta = row->new_total - row->old_total;
	struct pn_buf *text = &out->text;

	pn_buf_add_text(text, "<tr>");
	value(text, d->flame, row->old_self, false);
	value(text, d->flame, row->new_self, false);
	value(text, d->flame, row->old_total, false);
	value(text, d->flame, row->new_total, false);
	value(text, d->flame, delta, true);
	if (row->old_total > 0)
		percent(text, delta / row->old_total, true);
	else
		pn_buf_add_text(text, "<td data-v=\"1e300\"></td>");
	percent(text, d->diff->old_sum > 0 ? delta / d->diff->old_sum : 0,
		true);
	pn_buf_printf(text, "<td>%s</td>", state_of(row));
	name(out, row->name, strlen(row->name));
}

static size_t changes(struct pn_sink *out, const struct pn_flame_drawing *d)
{
	static const char *const columns[] = {
		"old self", "new self", "old total",   "new total", "delta",
		"relative", "points",	"&nbsp;state", "function"};
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		column(&out->text, columns[i]);
	pn_buf_add_text(&out->text, "</tr></thead>\n<tbody>\n");
	for (i = 0; i < d->diff->row_count && i < ROWS_MAX; i++)
		change_row(out, d, &d->diff->rows[i]);
	return d->diff->row_count;
}

void pn_flame_functions(struct pn_sink *out, const struct pn_flame_drawing *d)
{
	size_t rows;

	pn_buf_printf(&out->text,
		      "<section>\n<h2>%s</h2>\n<p id=\"pn-filter\" hidden>"
		      "<label>filter <input type=\"search\"></label></p>\n"
		      "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"functions\">"
		      "<table class=\"pn-functions\">\n<thead><tr>",
		      d->diff ? "What changed" : "Functions");
	rows = d->diff ? changes(out, d) : functions(out, d);
	pn_buf_add_text(&out->text, "</tbody>\n</table></div>\n");
	if (rows > ROWS_MAX)
		pn_buf_printf(&out->text, "<p>%zu more are not listed.</p>\n",
			      rows - ROWS_MAX);
	pn_buf_add_text(&out->text, "</section>\n");
}

void pn_flame_page(struct pn_sink *out, const struct pn_flame_drawing *d)
{
	head(&out->text, d);
	lines(&out->text, &d->remarks);
	pn_buf_add_text(&out->text,
			"</header>\n<main>\n<section class=\"graph\">\n");
	pn_flame_picture(out, d, false);
	pn_buf_add_text(&out->text, "</section>\n");
	pn_flame_functions(out, d);
	pn_buf_add_text(&out->text, "</main>\n<script id=\"pn-data\" "
				    "type=\"application/json\">");
	pn_flame_data(out, d);
	pn_buf_add_text(&out->text, "</script>\n");
	pn_html_end(&out->text, &page);
}
