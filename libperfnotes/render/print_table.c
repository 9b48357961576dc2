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
#define BELOW 4		  /* blanks before what stands below its row */

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
		pn_buf_add_int(out, cell->value.i);
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

/* How a table is laid out in the room that there is. */
struct layout {
	size_t widths[PN_TABLE_MAX_COLUMNS];
	bool below[PN_TABLE_MAX_COLUMNS];
	bool empty[PN_TABLE_MAX_COLUMNS]; /* left out: there is no room */
	bool shown[PN_TABLE_MAX_COLUMNS]; /* in these lines */
	size_t room;
	bool cuts;
	/* Not all columns fit beside each other: the name stands in each part,
	 * in up to so many columns. */
	bool parts;
	size_t name, whole;
};

static bool is_beside(const struct layout *l, const struct pn_table *table,
		      size_t column)
{
	return table->columns[column].title && !l->below[column] &&
	       !l->empty[column];
}

/* Columns of a cell's text, which `text` has room for. */
static size_t width_of_cell(struct pn_buf *text, const struct pn_column *column,
			    const struct pn_cell *cell)
{
	char digits[PN_NUMBER_INT_TEXT];

	if (cell->kind == PN_CELL_INT)
		return pn_number_write_int(digits, cell->value.i);
	pn_cell_as_text(text, column, cell);
	return pn_sink_width(pn_buf_text(text), text->len);
}

/* `tight`: what a column would have at least does not count. */
static void measure(struct layout *l, const struct pn_table *table, bool tight)
{
	struct pn_buf text = {0};
	size_t column, row;

	for (column = 0; column < table->column_count; column++) {
		const struct pn_column *c = &table->columns[column];
		size_t *widest = &l->widths[column];

		*widest = tight ? 0 : c->width;
		if (!is_beside(l, table, column) || *widest)
			continue;
		*widest = pn_sink_width(c->title, strlen(c->title));
		for (row = 0; row < table->row_count; row++) {
			size_t width = width_of_cell(
				&text, c,
				&table->cells[row * table->column_count +
					      column]);

			if (width > *widest)
				*widest = width;
		}
	}
	pn_buf_release(&text);
}

static size_t width_of(const struct layout *l, const struct pn_table *table)
{
	size_t i, width = 0;

	for (i = 0; i < table->column_count; i++)
		if (is_beside(l, table, i))
			width += table->columns[i].gap + l->widths[i];
	return width;
}

/* The widest column of texts, or of names, above `least` gives until all fits,
 * or there is none. */
static void narrow(struct layout *l, const struct pn_table *table, bool names,
		   size_t least)
{
	size_t i, widest, most;

	for (; width_of(l, table) > l->room; l->widths[widest]--) {
		for (i = widest = most = 0; i < table->column_count; i++) {
			const struct pn_column *c = &table->columns[i];

			if (is_beside(l, table, i) && c->left &&
			    c->name == names && l->widths[i] > most)
				most = l->widths[widest = i];
		}
		if (most <= least)
			break;
	}
}

/* Beside names, which tell rows apart, other texts give first. */
static void narrow_all(struct layout *l, const struct pn_table *table)
{
	bool names = false;
	size_t i;

	for (i = 0; i < table->column_count; i++)
		names = names || table->columns[i].name;
	measure(l, table, true);
	narrow(l, table, false, names ? TEXT_MIN_BESIDE : TEXT_MIN);
	narrow(l, table, true, TEXT_MIN);
}

/* The column that says whose a row is: the first one of names, or a last one of
 * texts without a title; the end for none. */
static size_t name_of(const struct layout *l, const struct pn_table *table)
{
	const struct pn_column *columns = table->columns;
	size_t i = 0, end = table->column_count;

	while (i < end && !columns[i].name)
		i++;
	if (i < end)
		return is_beside(l, table, i) ? i : end;
	return end && is_beside(l, table, end - 1) && columns[end - 1].left &&
			       !*columns[end - 1].title
		       ? end - 1
		       : end;
}

/* A third of the room at most, which names keep in each part. */
static void part(struct layout *l, const struct pn_table *table, size_t whole)
{
	size_t least = l->room / 3 > TEXT_MIN ? l->room / 3 : TEXT_MIN;

	l->parts = true;
	l->whole = whole;
	if (l->name < table->column_count)
		l->widths[l->name] = whole < least ? whole : least;
}

static bool has_cells(const struct pn_table *table, size_t column)
{
	size_t row;

	for (row = 0; row < table->row_count; row++)
		if (table->cells[row * table->column_count + column].kind !=
		    PN_CELL_NONE)
			return true;
	return !table->row_count;
}

/* Columns without a cell are the first to go where there is no room. Columns
 * that may stand below their rows leave them from the last on. */
static void lay_out(struct layout *l, const struct pn_table *table, size_t room)
{
	size_t i = table->column_count, whole;

	*l = (struct layout){.room = room};
	measure(l, table, false);
	while (room && i-- > 0 && width_of(l, table) > room)
		l->empty[i] = !has_cells(table, i);
	i = table->column_count;
	while (room && i-- > 0 && width_of(l, table) > room)
		l->below[i] = table->columns[i].below;
	l->cuts = room && width_of(l, table) > room;
	l->name = name_of(l, table);
	if (!l->cuts)
		return;
	whole = l->name < table->column_count ? l->widths[l->name] : 0;
	narrow_all(l, table);
	if (width_of(l, table) > room)
		part(l, table, whole);
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
	struct layout l = {0};
	size_t i;

	measure(&l, table, true);
	for (i = 0; i < table->column_count; i++)
		if (table->columns[i].name && l.widths[i] > name)
			l.widths[i] = name;
		else if (table->columns[i].left && !table->columns[i].name &&
			 l.widths[i] > TEXT_MIN_BESIDE)
			l.widths[i] = TEXT_MIN_BESIDE;
	return width_of(&l, table);
}

/* The blanks before a cell are owed until something follows them, so that no
 * line ends in blanks. */
static void put(struct pn_buf *out, size_t *owed,
		const struct pn_column *column, size_t width,
		const struct pn_buf *text, const char *color, const char *end)
{
	size_t have = pn_sink_width(pn_buf_text(text), text->len),
	       rest = width > have ? width - have : 0;

	*owed += column->gap;
	if (!column->left)
		*owed += rest;
	if (text->len) {
		pn_buf_add_fill(out, ' ', *owed);
		*owed = 0;
		pn_buf_add_text(out, color);
		pn_buf_add(out, text->data, text->len);
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

/* What a cell of row `cells` has, or of the line of titles, without `cells`. */
static const char *text_of(struct pn_buf *out, const struct pn_column *column,
			   const struct pn_cell *cells, size_t i)
{
	pn_buf_clear(out);
	if (cells)
		pn_cell_as_text(out, column, &cells[i]);
	else
		pn_buf_add_text(out, column->title);
	return pn_buf_text(out);
}

static void put_row(struct pn_sink *out, const struct layout *l,
		    const struct pn_table *table, const struct pn_cell *cells)
{
	const struct pn_palette *p = &out->palette;
	struct pn_buf text = {0};
	size_t i, owed = 0;

	for (i = 0; i < table->column_count; i++) {
		const struct pn_column *c = &table->columns[i];

		if (!l->shown[i])
			continue;
		text_of(&text, c, cells, i);
		if (cells && l->cuts && c->left)
			cut(&text, c, l->widths[i]);
		put(&out->text, &owed, c, l->widths[i], &text,
		    cells ? color_of(&cells[i], p) : p->head, p->end);
	}
	pn_buf_add_byte(&out->text, '\n');
	pn_buf_release(&text);
}

static void put_below(struct pn_sink *out, const struct layout *l,
		      const struct pn_table *table, const struct pn_cell *cells)
{
	struct pn_buf text = {0}, line = {0};
	size_t i;

	for (i = 0; i < table->column_count; i++) {
		if (!l->below[i] ||
		    !*text_of(&text, &table->columns[i], cells, i))
			continue;
		pn_buf_clear(&line);
		pn_buf_add_fill(&line, ' ', BELOW);
		pn_buf_add(&line, text.data, text.len);
		pn_text_wrap(&out->text, pn_buf_text(&line), line.len, l->room,
			     BELOW);
		pn_buf_add_byte(&out->text, '\n');
	}
	pn_buf_release(&text);
	pn_buf_release(&line);
}

/* What a part leaves of the line is the name's. */
static void widen_name(struct layout *l, size_t taken)
{
	size_t *width = &l->widths[l->name];

	if (taken < l->room)
		*width += l->room - taken;
	if (*width > l->whole)
		*width = l->whole;
}

/* Columns from `first` on that fit beside each other, one at least, beside the
 * first name, which says whose they are. Returns the next one. */
static size_t choose(struct layout *l, const struct pn_table *table,
		     size_t first)
{
	bool named = l->parts && l->name < table->column_count;
	size_t i, taken = 0, chosen = 0;

	memset(l->shown, 0, sizeof(l->shown));
	if (named || l->name < first) {
		l->shown[l->name] = true;
		taken = table->columns[l->name].gap + l->widths[l->name];
	}
	for (i = first; i < table->column_count; i++) {
		size_t more = table->columns[i].gap + l->widths[i];

		if (!is_beside(l, table, i) || l->shown[i])
			continue;
		if (l->room && chosen && taken + more > l->room)
			break;
		taken += more;
		l->shown[i] = true;
		chosen++;
	}
	if (named)
		widen_name(l, taken);
	return i;
}

/* Columns that have no room stand in further lines, all rows of them. */
void pn_print_table_within(struct pn_sink *out, const struct pn_table *table,
			   size_t room)
{
	struct layout l;
	size_t row, at;

	lay_out(&l, table, room);
	for (at = 0; at < table->column_count;) {
		const struct pn_cell *cells = NULL;

		if (at)
			pn_buf_add_byte(&out->text, '\n');
		at = choose(&l, table, at);
		for (row = 0; row <= table->row_count; row++) {
			put_row(out, &l, table, cells);
			if (at == table->column_count)
				put_below(out, &l, table, cells);
			pn_sink_drain(out);
			if (row < table->row_count)
				cells = table->cells +
					row * table->column_count;
		}
	}
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
