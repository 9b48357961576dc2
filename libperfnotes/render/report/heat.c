/* Functions by commits, as a table with colours: each cell says by how much a
 * function costs more or less than at the commit before. */
#include "base/buf.h"
#include "model/unit.h"
#include "render/flame/describe.h"
#include "render/html/html.h"
#include "render/report/parts.h"

#include <math.h>
#include <string.h>

#define STEPS 8 /* of a colour, from no change to the largest */

static void head(struct pn_buf *out, const struct pn_reported *r)
{
	const struct pn_heat *heat = r->heat;
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_buf_add_text(out,
			"<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
			"aria-label=\"functions, a column a commit\"><table "
			"id=\"heat\">\n<thead><tr><th scope=\"col\">function"
			"</th>");
	for (i = 0; i < heat->columns; i++) {
		pn_oid_hex(hex, &r->commits[heat->commits[i]].id);
		pn_buf_printf(out,
			      "<th scope=\"col\" data-commit=\"%zu\" title=\"",
			      r->count - 1 - heat->commits[i]);
		pn_page_text(out, r->commits[heat->commits[i]].subject);
		pn_buf_printf(out, "\"><span>%.7s</span></th>", hex);
	}
	pn_buf_add_text(out, "</tr></thead>\n<tbody>\n");
}

static void cell(struct pn_buf *out, const struct pn_heat *heat,
		 const struct pn_heat_row *row, size_t column)
{
	double change = pn_heat_change(heat, row, column);
	double self = row->self[column];
	struct pn_buf text = {0};

	if (!(self > 0) && change == 0) {
		pn_buf_add_text(out, "<td></td>");
		return;
	}
	pn_unit_label(&text, self, heat->unit, PN_UNIT_AUTO);
	pn_buf_printf(out, "<td class=\"d%d\" title=\"",
		      STEPS + (int)lround(STEPS * change));
	pn_html_text(out, pn_buf_text(&text), text.len);
	if (change != 0 && self > 0 && row->self[column - 1] > 0) {
		pn_buf_add_text(out, ", ");
		pn_page_change(out, self / row->self[column - 1]);
	} else if (change > 0) {
		pn_buf_add_text(out, ", new");
	} else if (change < 0) {
		pn_buf_add_text(out, ", gone");
	}
	pn_buf_printf(out, "\">%s</td>",
		      change > 0   ? "+"
		      : change < 0 ? "\xe2\x88\x92"
				   : "");
	pn_buf_release(&text);
}

static void put_name(struct pn_buf *out, const char *name)
{
	struct pn_flame_name of = {name, strlen(name)};
	struct pn_buf shown = {0};

	pn_flame_name_text(&shown, &of, PN_FLAME_NAME_SHOWN);
	pn_html_text(out, pn_buf_text(&shown), shown.len);
	pn_buf_release(&shown);
}

static void name(struct pn_buf *out, const struct pn_function_row *function)
{
	pn_buf_add_text(out, "<tr><th scope=\"row\" title=\"");
	pn_page_text(out, function->file);
	if (function->earlier_count) {
		pn_buf_add_text(out, ", was ");
		put_name(out, function->earlier[0].name);
	}
	pn_buf_add_text(out, "\">");
	put_name(out, function->name);
	pn_buf_add_text(out, "</th>");
}

void pn_page_heat(struct pn_sink *out, const struct pn_reported *r)
{
	const struct pn_heat *heat = r->heat;
	size_t i, k;

	if (!heat)
		return;
	pn_buf_add_text(
		&out->text,
		"<section id=\"functions-by-commits\" "
		"aria-labelledby=\"h-heat\">\n<h2 id=\"h-heat\">"
		"Functions by commits</h2>\n<p>What each function costs "
		"by itself, beside the measured commit before: "
		"<span class=\"key d0\">&minus;</span> less or gone, "
		"<span class=\"key d8\">&nbsp;</span> the same, "
		"<span class=\"key d16\">+</span> more or new. Those "
		"that moved most come first, the newest commit is on "
		"the right.</p>\n");
	head(&out->text, r);
	for (i = 0; i < heat->row_count; i++) {
		const struct pn_heat_row *row = &heat->rows[i];

		name(&out->text, row->function);
		for (k = 0; k < heat->columns; k++)
			cell(&out->text, heat, row, k);
		pn_buf_add_text(&out->text, "</tr>\n");
		pn_sink_drain(out);
	}
	pn_page_table_end(&out->text);
	pn_buf_printf(&out->text,
		      "<p>%zu function%s that moved by %.1f%% of the whole or "
		      "more, %zu at most.</p>\n",
		      heat->row_count, heat->row_count == 1 ? "" : "s",
		      100 * PN_HEAT_LEAST, (size_t)PN_HEAT_ROWS);
	pn_buf_add_text(&out->text, "</section>\n");
}
