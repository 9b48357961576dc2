/* Any table as CSV and as an element of HTML. */
#include "render/table_forms.h"

#include "base/escape.h"
#include "base/number.h"
#include "render/html/html.h"
#include "render/print_table.h"

#include <math.h>
#include <string.h>

/* What was written from `from` on, as a field with separators in it. */
static void quote(struct pn_buf *out, size_t from)
{
	struct pn_buf text = {0};
	size_t i;

	pn_buf_add(&text, out->data + from, out->len - from);
	pn_buf_cut(out, from);
	pn_buf_add_byte(out, '"');
	for (i = 0; i < text.len; i++) {
		if (text.data[i] == '"')
			pn_buf_add_byte(out, '"');
		pn_buf_add_byte(out, text.data[i]);
	}
	pn_buf_add_byte(out, '"');
	pn_buf_release(&text);
}

/* What a spreadsheet would take for a formula gets an apostrophe in front, as
 * OWASP advises ("CSV Injection"). */
static void field(struct pn_buf *out, const char *text)
{
	size_t from = out->len, len;

	if (*text && strchr("=+-@\t\r", *text))
		pn_buf_add_byte(out, '\'');
	pn_escape_terminal(out, text, strlen(text));
	len = out->len - from;
	if (len && (memchr(out->data + from, ',', len) ||
		    memchr(out->data + from, '"', len)))
		quote(out, from);
}

static void number(struct pn_buf *out, double value)
{
	char text[PN_NUMBER_TEXT];

	if (isfinite(value))
		pn_buf_add(out, text, pn_number_write(text, value, false));
}

static void value(struct pn_buf *out, const struct pn_cell *cell)
{
	size_t i;

	switch (cell->kind) {
	case PN_CELL_NONE:
		break;
	case PN_CELL_TEXT:
		field(out, cell->value.text);
		break;
	case PN_CELL_INT:
		pn_buf_add_int(out, cell->value.i);
		break;
	case PN_CELL_NUMBER:
		number(out, cell->value.d);
		break;
	case PN_CELL_BOOL:
		pn_buf_add_text(out, cell->value.yes ? "true" : "false");
		break;
	case PN_CELL_NUMBERS:
		for (i = 0; i < cell->value.numbers.count; i++) {
			if (i)
				pn_buf_add_byte(out, ' ');
			number(out, cell->value.numbers.at[i]);
		}
		break;
	}
}

void pn_print_table_csv(struct pn_sink *out, const struct pn_table *table)
{
	size_t row, i, n;

	for (i = n = 0; i < table->column_count; i++)
		if (table->columns[i].key) {
			if (n++)
				pn_buf_add_byte(&out->text, ',');
			field(&out->text, table->columns[i].key);
		}
	pn_buf_add_byte(&out->text, '\n');
	for (row = 0; row < table->row_count; row++) {
		for (i = n = 0; i < table->column_count; i++) {
			if (!table->columns[i].key)
				continue;
			if (n++)
				pn_buf_add_byte(&out->text, ',');
			value(&out->text,
			      &table->cells[row * table->column_count + i]);
		}
		pn_buf_add_byte(&out->text, '\n');
		pn_sink_drain(out);
	}
}

static void cell_html(struct pn_buf *out, const struct pn_column *column,
		      const struct pn_cell *cell)
{
	struct pn_buf text = {0};
	double v = cell->kind == PN_CELL_INT	  ? (double)cell->value.i
		   : cell->kind == PN_CELL_NUMBER ? cell->value.d
						  : (double)NAN;

	pn_cell_as_text(&text, column, cell);
	if (column->left)
		pn_buf_add_text(out, "<td class=\"text\"");
	else
		pn_buf_add_text(out, "<td");
	if (isfinite(v))
		pn_buf_printf(out, " data-v=\"%.17g\"", v);
	else if (!column->left)
		pn_buf_add_text(out, " data-v=\"-1e300\"");
	pn_buf_add_byte(out, '>');
	pn_html_text(out, pn_buf_text(&text), text.len);
	pn_buf_add_text(out, "</td>");
	pn_buf_release(&text);
}

size_t pn_print_table_html(struct pn_sink *out, const struct pn_table *table,
			   size_t most)
{
	size_t row, i;

	pn_buf_add_text(&out->text,
			"<table class=\"pn-functions\">\n<thead><tr>");
	for (i = 0; i < table->column_count; i++)
		if (table->columns[i].title) {
			const char *title = table->columns[i].title;

			pn_buf_printf(&out->text, "<th scope=\"col\"%s>",
				      table->columns[i].left ? " class=\"text\""
							     : "");
			pn_html_text(&out->text, title, strlen(title));
			pn_buf_add_text(&out->text, "</th>");
		}
	pn_buf_add_text(&out->text, "</tr></thead>\n<tbody>\n");
	for (row = 0; row < table->row_count && row < most; row++) {
		pn_buf_add_text(&out->text, "<tr>");
		for (i = 0; i < table->column_count; i++)
			if (table->columns[i].title)
				cell_html(&out->text, &table->columns[i],
					  &table->cells
						   [row * table->column_count +
						    i]);
		pn_buf_add_text(&out->text, "</tr>\n");
		pn_sink_drain(out);
	}
	pn_buf_add_text(&out->text, "</tbody>\n</table>\n");
	return table->row_count - row;
}
