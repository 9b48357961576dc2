/* The view `flow`: what an aggregate makes of resources along a run, or along
 * any key that is a number. */
#include "base/text/width.h"
#include "render/canvas.h"
#include "render/resources/pictures.h"
#include "render/resources/words.h"

#include <math.h>

#define ROWS 5	 /* lines of a chart: one of each column */
#define ALONE 12 /* of the only one */

/* Charts below each other, all of one scale. */
struct charts {
	const struct pn_drawn *drawn;
	const struct pn_palette *palette;
	struct pn_buf low, high; /* of the scale */
	double bottom, top;
	size_t scale, width, rows;
	bool utf8;
};

/* What a column has at a row; of PIVOT's end the sum of all. */
static double value_at(const struct pn_pivot *p, size_t row, size_t column)
{
	double up, down;

	if (column < p->columns.count)
		return p->cells[row * p->columns.count + column];
	pn_pivot_row_sums(&up, &down, p, row);
	return up + down;
}

static void draw(struct pn_canvas *c, const struct pn_pivot *p, size_t column)
{
	double last_x = (double)NAN, last_y = 0, y;
	size_t i;

	for (i = 0; i < p->rows.count; i++) {
		y = value_at(p, i, column);
		if (isnan(y))
			continue;
		if (isnan(last_x))
			pn_canvas_dot(c, p->at[i], y);
		else
			pn_canvas_line(c, last_x, last_y, p->at[i], y);
		last_x = p->at[i];
		last_y = y;
	}
}

/* The last value that a column has: what it came to. */
static double last_of(const struct pn_pivot *p, size_t column)
{
	double value = (double)NAN;
	size_t i;

	for (i = 0; i < p->rows.count; i++)
		if (!isnan(value_at(p, i, column)))
			value = value_at(p, i, column);
	return value;
}

static void chart(struct pn_buf *out, const struct charts *c, size_t column,
		  const char *name)
{
	const struct pn_pivot *p = &c->drawn->pivot;
	struct pn_canvas canvas;
	struct pn_buf last = {0};

	pn_canvas_init(&canvas, c->width, c->rows, c->utf8);
	canvas.left = p->at[0];
	canvas.right = p->at[p->rows.count - 1];
	if (!(canvas.right > canvas.left))
		canvas.right = canvas.left + 1;
	canvas.bottom = c->bottom;
	canvas.top = c->top;
	draw(&canvas, p, column);
	if (name) {
		pn_resources_value(&last, last_of(p, column), p->unit);
		pn_buf_printf(out, "%*s   %s", (int)c->scale, "",
			      c->palette->head);
		pn_resources_line(out, name, c->width - last.len - 2);
		pn_buf_printf(out, "%s: %s\n", c->palette->end,
			      pn_buf_text(&last));
	}
	pn_canvas_print(out, &canvas, c->palette, c->scale, &c->high, &c->low);
	pn_canvas_release(&canvas);
	pn_buf_release(&last);
}

static void scale(struct charts *c, size_t columns)
{
	const struct pn_pivot *p = &c->drawn->pivot;
	size_t i;

	pn_pivot_range(&c->bottom, &c->top, p, c->drawn->stacked);
	pn_resources_value(&c->low, c->bottom, p->unit);
	pn_resources_value(&c->high, c->top, p->unit);
	for (i = 0; i < 2; i++) {
		const struct pn_buf *text = i ? &c->low : &c->high;
		size_t width = pn_text_width(pn_buf_text(text), text->len);

		if (width > c->scale)
			c->scale = width;
	}
	if (c->scale > 16)
		c->scale = 16;
	c->width = columns - c->scale - 3;
}

/* The numbers at both ends, and what they are. */
static void foot(struct pn_buf *out, const struct charts *c)
{
	const struct pn_pivot *p = &c->drawn->pivot;
	const char *first = p->rows.names[0];
	const char *last = p->rows.names[p->rows.count - 1];
	struct pn_buf ends[3] = {{0}, {0}, {0}};
	size_t used, i;

	pn_resources_line(&ends[0], first, 20);
	pn_resources_line(&ends[1], p->per, 30);
	pn_resources_line(&ends[2], last, 20);
	used = pn_text_width(pn_buf_text(&ends[0]), ends[0].len) +
	       pn_text_width(pn_buf_text(&ends[1]), ends[1].len) +
	       pn_text_width(pn_buf_text(&ends[2]), ends[2].len);
	i = c->width > used + 2 ? c->width - used : 2;
	pn_buf_printf(out, "%*s   %s%s%*s%s%*s%s%s\n", (int)c->scale, "",
		      c->palette->dim, pn_buf_text(&ends[0]), (int)(i / 2), "",
		      pn_buf_text(&ends[1]), (int)(i - i / 2), "",
		      pn_buf_text(&ends[2]), c->palette->end);
	for (i = 0; i < 3; i++)
		pn_buf_release(&ends[i]);
}

static int text(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	struct pn_drawn d;
	struct charts c = {.drawn = &d, .palette = &out->palette};
	size_t columns = pn_resources_columns(in), i;
	int code = pn_drawn_init(&d, in, true, err);

	if (code) {
		pn_drawn_release(&d);
		return code;
	}
	c.utf8 = in->utf8;
	c.rows = d.stacked || d.pivot.columns.count == 1 ? ALONE : ROWS;
	scale(&c, columns);
	pn_drawn_head(&out->text, &d, columns);
	for (i = 0; i < d.pivot.columns.count && !d.stacked; i++) {
		chart(&out->text, &c, i,
		      d.pivot.by ? d.pivot.columns.names[i] : NULL);
		pn_sink_drain(out);
	}
	if (d.stacked)
		chart(&out->text, &c, d.pivot.columns.count, "all");
	foot(&out->text, &c);
	pn_buf_release(&c.low);
	pn_buf_release(&c.high);
	pn_drawn_release(&d);
	return 0;
}

static int rows(struct pn_table *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	return pn_drawn_rows(out, in, true, err);
}

static int json(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	return pn_drawn_json(out, in, true, err);
}

static int svg(struct pn_sink *out, const struct pn_view_input *in,
	       struct pn_error *err)
{
	return pn_drawn_svg(out, in, true, &pn_flow_picture, err);
}

static int html(struct pn_sink *out, const struct pn_view_input *in,
		struct pn_error *err)
{
	return pn_drawn_html(out, in, true, &pn_flow_picture, err);
}

const struct pn_view pn_view_flow = {
	.name = "flow",
	.summary = "an aggregate of one key along a run or another key",
	.needs = PN_VIEW_RESOURCES,
	.text = text,
	.json = json,
	.table = rows,
	.svg = svg,
	.html = html,
};
