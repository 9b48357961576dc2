/* The view `bars`: what an aggregate makes of resources, as bars. */
#include "render/resources/pictures.h"

#include "base/escape.h"
#include "base/text/width.h"
#include "render/resources/words.h"

#include <math.h>
#include <string.h>

#define NAME_MOST 32 /* columns of a row's name */
#define BAR_LEAST 10

/* How a column's part of a bar is filled. */
static const char *fill_of(size_t column, bool utf8)
{
	static const char *const blocks[] = {"\u2588", "\u2593", "\u2592",
					     "\u2591", "\u259e", "\u2584",
					     "\u2580", "\u2573", "\u00b7"};
	static const char *const letters[] = {"#", "=", "+", "-", "*",
					      "o", "x", "%", "."};
	size_t n = sizeof(letters) / sizeof(*letters);

	return (utf8 ? blocks : letters)[column % n];
}

static size_t width_of(const char *name)
{
	struct pn_buf safe = {0};
	size_t width;

	pn_escape_terminal(&safe, name, strlen(name));
	width = pn_text_width(pn_buf_text(&safe), safe.len);
	pn_buf_release(&safe);
	return width;
}

/* Of a terminal's line: the name, the bar, the value. */
struct layout {
	size_t name, bar, value;
	double scale; /* of values to cells */
	bool utf8;
};

static void widen(size_t *width, const char *const *names, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		size_t have = width_of(names[i]);

		if (have > *width)
			*width = have < NAME_MOST ? have : NAME_MOST;
	}
}

static struct layout lay_out(const struct pn_drawn *d, size_t columns,
			     bool utf8)
{
	const struct pn_pivot *g = &d->pivot;
	struct layout l = {.utf8 = utf8};
	struct pn_buf text = {0};
	double low, high;
	size_t i, n = g->rows.count * g->columns.count;

	widen(&l.name, g->rows.names, g->rows.count);
	if (d->grouped && g->by) {
		widen(&l.name, g->columns.names, g->columns.count);
		l.name += 2;
	}
	pn_pivot_range(&low, &high, g, !d->grouped);
	for (i = 0; i < (d->grouped ? n : g->rows.count); i++) {
		double up, down;

		if (d->grouped)
			up = g->cells[i], down = 0;
		else
			pn_pivot_row_sums(&up, &down, g, i);
		pn_buf_clear(&text);
		pn_resources_value(&text, up + down, g->unit);
		if (text.len > l.value)
			l.value = pn_text_width(pn_buf_text(&text), text.len);
	}
	pn_buf_release(&text);
	l.bar = columns > l.name + l.value + 2 + BAR_LEAST
			? columns - l.name - l.value - 2
			: BAR_LEAST;
	l.scale = (double)l.bar / fmax(fabs(low), fabs(high));
	return l;
}

/* The cells of a row's columns from `first` on, each as long as its end is far
 * from the beginning of all: so they add up to the whole. */
static void put_bar(struct pn_buf *out, const struct pn_drawn *d,
		    const struct layout *l, size_t row, size_t first,
		    size_t count)
{
	const struct pn_pivot *g = &d->pivot;
	double sum = 0, value = 0;
	size_t i, at = 0, end;
	struct pn_buf text = {0};

	for (i = first; i < first + count; i++) {
		double v = g->cells[row * g->columns.count + i];

		if (isnan(v))
			continue;
		value += v;
		sum += fabs(v) * l->scale;
		end = (size_t)fmin(nearbyint(sum), (double)l->bar);
		for (; at < end; at++)
			pn_buf_add_text(out, fill_of(i, l->utf8));
	}
	pn_resources_value(&text, value, g->unit);
	pn_buf_printf(out, "%*s %s\n", (int)(l->bar - at + l->value - text.len),
		      "", pn_buf_text(&text));
	pn_buf_release(&text);
}

static void put_row(struct pn_buf *out, const struct pn_drawn *d,
		    const struct layout *l, size_t row)
{
	const struct pn_pivot *g = &d->pivot;
	size_t i;

	pn_resources_text(out, g->rows.names[row], l->name);
	if (!d->grouped || !g->by) {
		pn_buf_add_byte(out, ' ');
		put_bar(out, d, l, row, 0, g->columns.count);
		return;
	}
	pn_resources_trim(out);
	pn_buf_add_byte(out, '\n');
	for (i = 0; i < g->columns.count; i++) {
		if (isnan(g->cells[row * g->columns.count + i]))
			continue;
		pn_buf_add_text(out, "  ");
		pn_resources_text(out, g->columns.names[i], l->name - 2);
		pn_buf_add_byte(out, ' ');
		put_bar(out, d, l, row, i, 1);
	}
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	size_t columns = pn_resources_columns(in), i;
	struct layout l;
	struct pn_drawn d;
	int code = pn_drawn_init(&d, in, false, err);

	if (code) {
		pn_drawn_release(&d);
		return code;
	}
	pn_drawn_head(&out->text, &d, columns);
	for (i = 0; i < d.words.legend_count && !d.grouped; i++) {
		pn_buf_printf(&out->text, "  %s ", fill_of(i, in->utf8));
		pn_resources_line(&out->text, d.pivot.columns.names[i],
				  columns - 4);
		pn_buf_add_byte(&out->text, '\n');
	}
	l = lay_out(&d, columns, in->utf8);
	for (i = 0; i < d.pivot.rows.count; i++) {
		put_row(&out->text, &d, &l, i);
		pn_sink_drain(out);
	}
	pn_drawn_release(&d);
	return 0;
}

static int rows(struct pn_table *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	return pn_drawn_rows(out, in, false, err);
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	return pn_drawn_json(out, in, false, err);
}

static int svg(struct pn_sink *out, const struct pn_view_input *in,
	       struct pn_error *err)
{
	return pn_drawn_svg(out, in, false, &pn_bars_picture, err);
}

static int html(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	return pn_drawn_html(out, in, false, &pn_bars_picture, err);
}

const struct pn_view pn_view_bars = {
	.name = "bars",
	.summary = "an aggregate of one key per value of another, as bars",
	.needs = PN_VIEW_RESOURCES,
	.text = text,
	.json = json,
	.table = rows,
	.svg = svg,
	.html = html,
};
