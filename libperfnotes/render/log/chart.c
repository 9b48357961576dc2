/* The course of series as charts for a terminal. */
#include "render/log/chart.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/text/width.h"
#include "render/log/sparkline.h"
#include "render/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 80
#define COLUMNS_LEAST 30
#define COLUMNS_MOST 200
#define ROWS 8 /* two charts and their names fit a terminal of 24 */
#define SCALE_MOST 16

struct chart {
	const struct pn_trend *trend;
	const struct pn_palette *palette;
	bool utf8;
	size_t width;		/* of the picture, in columns */
	size_t across, down;	/* dots of the picture */
	unsigned char *dots;	/* by row, then by column */
	double low, high;	/* of the scale */
	struct pn_buf scale[2]; /* texts of these */
	size_t scale_width;
};

/* What hardly moved looks so: see sparkline.h. */
static void choose_scale(struct chart *c)
{
	const struct pn_trend *t = c->trend;
	double middle = (t->low + t->high) / 2;
	double least = PN_SPARKLINE_RANGE * fabs(middle);
	size_t i;

	c->low = t->low;
	c->high = t->high;
	if (c->high - c->low < least) {
		c->low = middle - least / 2;
		c->high = middle + least / 2;
	}
	pn_quantity_text(&c->scale[0], c->high, NAN, t->key.unit);
	pn_quantity_text(&c->scale[1], c->low, NAN, t->key.unit);
	for (i = 0; i < 2; i++) {
		size_t width = pn_text_width(pn_buf_text(&c->scale[i]),
					     c->scale[i].len);

		if (width > c->scale_width)
			c->scale_width =
				width < SCALE_MOST ? width : SCALE_MOST;
	}
}

static void put(struct chart *c, double x, double y)
{
	size_t column = (size_t)(x + .5), row = (size_t)(y + .5);

	if (column < c->across && row < c->down)
		c->dots[row * c->across + column] = 1;
}

static double column_of(const struct chart *c, size_t at)
{
	size_t count = c->trend->count;

	return count > 1 ? (double)at * (double)(c->across - 1) /
				   (double)(count - 1)
			 : 0;
}

static double row_of(const struct chart *c, double value)
{
	return (c->high - value) / (c->high - c->low) * (double)(c->down - 1);
}

/* Dots between two, both of them included. */
static void join(struct chart *c, double x, double y, double to_x, double to_y)
{
	double far = ceil(fmax(fabs(to_x - x), fabs(to_y - y)));
	/* a few hundred: the chart is as wide as a terminal */
	size_t steps = far >= 0 && far < 1e6 ? (size_t)far : 0, i;

	for (i = 0; i <= steps; i++)
		put(c, x + (to_x - x) * (double)i / fmax((double)steps, 1),
		    y + (to_y - y) * (double)i / fmax((double)steps, 1));
}

/* Commits that were not measured are passed over. */
static void draw(struct chart *c)
{
	double x, y, last_x = NAN, last_y = 0;
	size_t i;

	for (i = 0; i < c->trend->count; i++) {
		if (!isfinite(c->trend->values[i]))
			continue;
		x = column_of(c, i);
		y = row_of(c, c->trend->values[i]);
		if (c->utf8 && !isnan(last_x))
			join(c, last_x, last_y, x, y);
		else
			put(c, x, y);
		last_x = x;
		last_y = y;
	}
}

/* The eight dots of a character, in the order of their bits. */
static unsigned int braille(const struct chart *c, size_t row, size_t column)
{
	static const unsigned char places[8][2] = {
		{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {3, 0}, {3, 1}};
	unsigned int bits = 0, i;

	for (i = 0; i < 8; i++)
		bits |= (unsigned int)
				c->dots[(row * 4 + places[i][0]) * c->across +
					column * 2 + places[i][1]]
			<< i;
	return bits;
}

static void add_cell(struct pn_buf *out, const struct chart *c, size_t row,
		     size_t column)
{
	unsigned int bits;

	if (!c->utf8) {
		pn_buf_add_byte(out,
				c->dots[row * c->across + column] ? '*' : ' ');
		return;
	}
	bits = braille(c, row, column);
	if (!bits) {
		pn_buf_add_byte(out, ' ');
		return;
	}
	pn_buf_add_byte(out, 0xe2); /* U+2800 and the bits */
	pn_buf_add_byte(out, (unsigned char)(0xa0 | bits >> 6));
	pn_buf_add_byte(out, (unsigned char)(0x80 | (bits & 0x3f)));
}

static void add_row(struct pn_buf *out, const struct chart *c, size_t row)
{
	const struct pn_buf *scale = row == 0	       ? &c->scale[0]
				     : row == ROWS - 1 ? &c->scale[1]
						       : NULL;
	struct pn_buf text = {0};
	size_t i, width = 0;

	if (scale)
		width = pn_text_fit(&text, pn_buf_text(scale), scale->len,
				    c->scale_width);
	pn_buf_printf(out, "%*s%s%s %s%s ", (int)(c->scale_width - width), "",
		      c->palette->dim, pn_buf_text(&text),
		      c->utf8 ? "\u2502" : "|", c->palette->end);
	for (i = 0; i < c->width; i++)
		add_cell(out, c, row, i);
	while (out->data[out->len - 1] == ' ')
		pn_buf_cut(out, out->len - 1);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&text);
}

static void add_title(struct pn_buf *out, const struct chart *c, size_t columns)
{
	const struct pn_trend *t = c->trend;
	struct pn_buf name = {0}, safe = {0}, count = {0};

	pn_buf_printf(&count, ", %zu commits", t->count);
	pn_series_text(&name, &t->key.series, &t->parts);
	pn_buf_printf(&name, " %s", t->key.metric);
	pn_escape_terminal(&safe, pn_buf_text(&name), name.len);
	pn_buf_add_text(out, c->palette->head);
	pn_text_fit(out, pn_buf_text(&safe), safe.len, columns - count.len);
	pn_buf_printf(out, "%s%s\n", c->palette->end, pn_buf_text(&count));
	pn_buf_release(&name);
	pn_buf_release(&safe);
	pn_buf_release(&count);
}

static void add_chart(struct pn_buf *out, const struct pn_trend *trend,
		      const struct pn_palette *palette, size_t columns,
		      bool utf8)
{
	struct chart c = {.trend = trend, .palette = palette, .utf8 = utf8};
	size_t i;

	choose_scale(&c);
	c.width = columns - c.scale_width - 3;
	c.across = utf8 ? 2 * c.width : c.width;
	c.down = utf8 ? 4 * ROWS : ROWS;
	c.dots = pn_calloc(c.across, c.down);
	draw(&c);
	add_title(out, &c, columns);
	for (i = 0; i < ROWS; i++)
		add_row(out, &c, i);
	free(c.dots);
	pn_buf_release(&c.scale[0]);
	pn_buf_release(&c.scale[1]);
}

size_t pn_log_charts(struct pn_buf *out, struct pn_trends *trends,
		     const struct pn_palette *palette, size_t columns,
		     bool utf8)
{
	struct pn_trend rows[PN_TREND_MAX_SERIES];
	size_t i, n = pn_trends_rows(rows, trends);

	if (!columns)
		columns = COLUMNS;
	if (columns < COLUMNS_LEAST)
		columns = COLUMNS_LEAST;
	if (columns > COLUMNS_MOST)
		columns = COLUMNS_MOST;
	for (i = 0; i < n; i++) {
		if (i)
			pn_buf_add_byte(out, '\n');
		add_chart(out, &rows[i], palette, columns, utf8);
	}
	return n;
}
