/* The course of series as charts for a terminal. */
#include "render/log/chart.h"

#include "base/escape.h"
#include "base/text/width.h"
#include "render/canvas.h"
#include "render/log/sparkline.h"
#include "render/quantity.h"

#include <math.h>
#include <string.h>

#define COLUMNS 80
#define COLUMNS_LEAST 30
#define COLUMNS_MOST 200
#define ROWS 8 /* two charts and their names fit a terminal of 24 */
#define SCALE_MOST 16

struct chart {
	const struct pn_trend *trend;
	const struct pn_palette *palette;
	struct pn_canvas canvas;
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

/* Commits that were not measured are passed over. */
static void draw(struct chart *c)
{
	const struct pn_trend *t = c->trend;
	double last_x = (double)NAN, last_y = 0;
	size_t i;

	for (i = 0; i < t->count; i++) {
		if (!isfinite(t->values[i]))
			continue;
		if (c->canvas.utf8 && !isnan(last_x))
			pn_canvas_line(&c->canvas, last_x, last_y, (double)i,
				       t->values[i]);
		else
			pn_canvas_dot(&c->canvas, (double)i, t->values[i]);
		last_x = (double)i;
		last_y = t->values[i];
	}
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
	struct chart c = {.trend = trend, .palette = palette};

	choose_scale(&c);
	pn_canvas_init(&c.canvas, columns - c.scale_width - 3, ROWS, utf8);
	c.canvas.right = trend->count > 1 ? (double)trend->count - 1 : 1;
	c.canvas.top = c.high;
	c.canvas.bottom = c.low;
	draw(&c);
	add_title(out, &c, columns);
	pn_canvas_print(out, &c.canvas, palette, c.scale_width, &c.scale[0],
			&c.scale[1]);
	pn_canvas_release(&c.canvas);
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
