/* Any table as text and as JSON. */
#include "render/print_table.h"

#include "base/escape.h"
#include "base/number.h"
#include "base/text/width.h"
#include "model/unit.h"
#include "render/terminal.h"

#include <math.h>
#include <string.h>

#define TEXT_MIN 12	  /* columns of a text that is cut, ... */
#define TEXT_MIN_BESIDE 8 /* ... of one beside a name */
#define DIGITS 6	  /* of a plain number; JSON has all of them */

/* A number rounded to DIGITS significant digits, or to a whole number. */
static void plain_number(struct pn_buf *out, double value)
{
	char text[PN_NUMBER_TEXT];
	int places;
	double power;

	if (value != 0 && isfinite(value)) {
		places = DIGITS - 1 - (int)floor(log10(fabs(value)));
		power = places > 0 && places < 22 ? pow(10, places) : 1;
		if (places < 22)
			value = nearbyint(value * power) / power;
	}
	pn_number_write(text, value, false);
	pn_buf_add_text(out, text);
}

void pn_cell_as_text(struct pn_buf *out, const struct pn_column *column,
		     const struct pn_cell *cell)
{
	struct pn_buf label = {0};

	pn_buf_clear(out);
	switch (cell->kind) {
	case PN_CELL_NONE:
	case PN_CELL_NUMBERS:
		break;
	case PN_CELL_TEXT:
		pn_escape_terminal(out, cell->value.text,
				   strlen(cell->value.text));
		break;
	case PN_CELL_INT:
		pn_buf_printf(out, "%lld", (long long)cell->value.i);
		break;
	case PN_CELL_BOOL:
		pn_buf_add_text(out, cell->value.yes ? "yes" : "-");
		break;
	case PN_CELL_NUMBER:
		if (column->format == PN_COLUMN_UNIT) {
			pn_unit_label(&label, cell->value.d, column->unit,
				      column->to_unit);
			pn_escape_terminal(out, pn_buf_text(&label), label.len);
			pn_buf_release(&label);
		} else if (column->format == PN_COLUMN_SHARE) {
			pn_unit_percentage(out, cell->value.d, 1);
		} else {
			plain_number(out, cell->value.d);
		}
		break;
	}
}

/* `tight`: what a column would have at least does not count. */
static void measure(size_t *widths, const struct pn_table *table, bool tight)
{
	struct pn_buf text = {0};
	size_t column, row;

	for (column = 0; column < table->column_count; column++) {
		const struct pn_column *c = &table->columns[column];

		widths[column] = tight ? 0 : c->width;
		if (!c->title || widths[column])
			continue;
		widths[column] = pn_sink_width(c->title, strlen(c->title));
		for (row = 0; row < table->row_count; row++) {
			size_t width;

			pn_cell_as_text(
				&text, c,
				&table->cells[row * table->column_count +
					      column]);
			width = pn_sink_width(pn_buf_text(&text), text.len);
			if (width > widths[column])
				widths[column] = width;
		}
	}
	pn_buf_release(&text);
}

static size_t width_of(const size_t *widths, const struct pn_table *table)
{
	size_t i, width = 0;

	for (i = 0; i < table->column_count; i++)
		if (table->columns[i].title)
			width += table->columns[i].gap + widths[i];
	return width;
}

/* The widest column of texts, or of names, above `least` gives until all fits,
 * or there is none. */
static void narrow(size_t *widths, const struct pn_table *table, size_t room,
		   bool names, size_t least)
{
	size_t i, widest, most;

	for (; width_of(widths, table) > room; widths[widest]--) {
		for (i = widest = most = 0; i < table->column_count; i++) {
			const struct pn_column *c = &table->columns[i];

			if (c->title && c->left && c->name == names &&
			    widths[i] > most)
				most = widths[widest = i];
		}
		if (most <= least)
			break;
	}
}

/* Beside names, which tell rows apart, other texts give first. */
static void narrow_all(size_t *widths, const struct pn_table *table,
		       size_t room)
{
	bool names = false;
	size_t i;

	for (i = 0; i < table->column_count; i++)
		names = names || table->columns[i].name;
	measure(widths, table, true);
	narrow(widths, table, room, false, names ? TEXT_MIN_BESIDE : TEXT_MIN);
	narrow(widths, table, room, true, TEXT_MIN);
}

static void cut(struct pn_buf *text, const struct pn_column *column,
		size_t width)
{
	struct pn_buf fitted = {0};

	if (column->name)
		pn_text_fit_name(&fitted, pn_buf_text(text), text->len, width);
	else
		pn_text_fit(&fitted, pn_buf_text(text), text->len, width);
	pn_buf_clear(text);
	pn_buf_add(text, fitted.data, fitted.len);
	pn_buf_release(&fitted);
}

size_t pn_print_table_least(const struct pn_table *table, size_t name)
{
	size_t widths[PN_TABLE_MAX_COLUMNS], i;

	measure(widths, table, true);
	for (i = 0; i < table->column_count; i++)
		if (table->columns[i].name && widths[i] > name)
			widths[i] = name;
		else if (table->columns[i].left && !table->columns[i].name &&
			 widths[i] > TEXT_MIN_BESIDE)
			widths[i] = TEXT_MIN_BESIDE;
	return width_of(widths, table);
}

static void pad(struct pn_buf *out, size_t n)
{
	while (n--)
		pn_buf_add_byte(out, ' ');
}

/* The blanks before a cell are owed until something follows them, so that no
 * line ends in blanks. */
static void put(struct pn_buf *out, size_t *owed,
		const struct pn_column *column, size_t width, const char *text,
		const char *color, const char *end)
{
	size_t have = pn_sink_width(text, strlen(text)),
	       rest = width > have ? width - have : 0;

	*owed += column->gap;
	if (!column->left)
		*owed += rest;
	if (*text) {
		pad(out, *owed);
		*owed = 0;
		pn_buf_add_text(out, color);
		pn_buf_add_text(out, text);
		if (*color)
			pn_buf_add_text(out, end);
	}
	if (column->left)
		*owed += rest;
}

static const char *color_of(const struct pn_cell *cell,
			    const struct pn_palette *palette)
{
	switch (cell->tint) {
	case PN_TINT_NONE:
		break;
	case PN_TINT_BETTER:
		return palette->better;
	case PN_TINT_WORSE:
		return palette->worse;
	case PN_TINT_DIM:
		return palette->dim;
	}
	return "";
}

void pn_print_table(struct pn_sink *out, const struct pn_table *table)
{
	pn_print_table_within(out, table, 0);
}

void pn_print_table_within(struct pn_sink *out, const struct pn_table *table,
			   size_t room)
{
	const struct pn_palette *p = &out->palette;
	size_t widths[PN_TABLE_MAX_COLUMNS], row, i, owed = 0;
	struct pn_buf text = {0};
	bool cuts;

	measure(widths, table, false);
	cuts = room && width_of(widths, table) > room;
	if (cuts)
		narrow_all(widths, table, room);
	for (i = 0; i < table->column_count; i++)
		if (table->columns[i].title)
			put(&out->text, &owed, &table->columns[i], widths[i],
			    table->columns[i].title, p->head, p->end);
	pn_buf_add_byte(&out->text, '\n');
	for (row = 0; row < table->row_count; row++) {
		const struct pn_cell *cells =
			table->cells + row * table->column_count;

		owed = 0;
		for (i = 0; i < table->column_count; i++) {
			if (!table->columns[i].title)
				continue;
			pn_cell_as_text(&text, &table->columns[i], &cells[i]);
			if (cuts && table->columns[i].left)
				cut(&text, &table->columns[i], widths[i]);
			put(&out->text, &owed, &table->columns[i], widths[i],
			    pn_buf_text(&text), color_of(&cells[i], p), p->end);
		}
		pn_buf_add_byte(&out->text, '\n');
		pn_sink_drain(out);
	}
	pn_buf_release(&text);
}

static void json_numbers(struct pn_json_writer *w, const char *key,
			 const struct pn_cell *cell)
{
	size_t i;

	pn_json_key(w, key);
	pn_json_open(w, '[');
	for (i = 0; i < cell->value.numbers.count; i++)
		pn_json_double(w, cell->value.numbers.at[i]);
	pn_json_close(w, ']');
}

static void json_cell(struct pn_json_writer *w, const char *key,
		      const struct pn_cell *cell)
{
	if (cell->kind == PN_CELL_TEXT)
		pn_json_member(w, key, cell->value.text);
	else if (cell->kind == PN_CELL_INT)
		pn_json_member_int(w, key, cell->value.i);
	else if (cell->kind == PN_CELL_NUMBER)
		pn_json_member_double(w, key, cell->value.d);
	else if (cell->kind == PN_CELL_NUMBERS)
		json_numbers(w, key, cell);
	if (cell->kind == PN_CELL_BOOL) {
		pn_json_key(w, key);
		pn_json_bool(w, cell->value.yes);
	}
}

void pn_print_table_json(struct pn_sink *out, const struct pn_table *table)
{
	size_t row, i;

	pn_json_open(&out->json, '[');
	for (row = 0; row < table->row_count; row++) {
		const struct pn_cell *cells =
			table->cells + row * table->column_count;

		pn_json_open(&out->json, '{');
		for (i = 0; i < table->column_count; i++)
			if (table->columns[i].key)
				json_cell(&out->json, table->columns[i].key,
					  &cells[i]);
		pn_json_close(&out->json, '}');
		pn_sink_drain(out);
	}
	pn_json_close(&out->json, ']');
}

void pn_print_list(FILE *to, const struct pn_table *table, const char *command,
		   const char *key, bool json)
{
	struct pn_sink sink;

	pn_sink_init(&sink, to);
	if (json) {
		sink.json.indent = 2;
		pn_json_open(&sink.json, '{');
		pn_json_member_int(&sink.json, "version", 1);
		pn_json_member(&sink.json, "command", command);
		pn_json_key(&sink.json, key);
		pn_print_table_json(&sink, table);
		pn_json_close(&sink.json, '}');
		pn_buf_add_byte(&sink.text, '\n');
	} else {
		pn_print_table_within(&sink, table, pn_terminal_columns(to));
	}
	pn_sink_finish(&sink);
}
