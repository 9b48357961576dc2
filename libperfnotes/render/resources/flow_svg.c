/* Flows as a picture: areas from the bottom up, or one upon the other. */
#include "render/resources/pictures.h"
#include "render/resources/words.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

#define HEIGHT 360
#define POINTS_MOST 200 /* of a column, that get a dot with their figures */

struct flow {
	struct pn_plot plot;
	const struct pn_drawn *drawn;
	double *below; /* what the columns before came to, by row */
};

static double cell(const struct flow *f, size_t row, size_t column)
{
	const struct pn_pivot *p = &f->drawn->pivot;

	return p->cells[row * p->columns.count + column];
}

static void point(struct flow *f, size_t row, double value, const char *letter)
{
	pn_buf_printf(f->plot.out, "%s%.1f %.1f", letter,
		      pn_plot_x(&f->plot, f->drawn->pivot.at[row]),
		      pn_plot_y(&f->plot, value));
}

/* The upper edge; returns how many points it has. */
static size_t edge(struct flow *f, size_t column)
{
	size_t i, n = 0;

	for (i = 0; i < f->drawn->pivot.rows.count; i++) {
		double v = cell(f, i, column);

		if (isnan(v) && !f->drawn->stacked)
			continue;
		point(f, i, f->below[i] + (isnan(v) ? 0 : v), n ? "L" : "M");
		n++;
	}
	return n;
}

static void area(struct flow *f, size_t column)
{
	size_t rows = f->drawn->pivot.rows.count, i;
	size_t color = pn_plot_color(&f->drawn->words, column);

	pn_buf_printf(f->plot.out, "<path class=\"area c%zu\" d=\"", color);
	edge(f, column);
	for (i = rows; i-- > 0;)
		point(f, i, f->below[i], "L");
	pn_buf_add_text(f->plot.out, "Z\"/>\n");
}

static void line(struct flow *f, size_t column)
{
	size_t color = pn_plot_color(&f->drawn->words, column);

	pn_buf_printf(f->plot.out, "<path class=\"line l%zu\" d=\"", color);
	edge(f, column);
	pn_buf_add_text(f->plot.out, "\"/>\n");
}

static void dots(struct flow *f, size_t column)
{
	const struct pn_pivot *p = &f->drawn->pivot;
	size_t color = pn_plot_color(&f->drawn->words, column), i;
	struct pn_buf text = {0};

	for (i = 0; i < p->rows.count; i++) {
		double v = cell(f, i, column);
		double x, y;

		if (isnan(v))
			continue;
		x = pn_plot_x(&f->plot, p->at[i]);
		y = pn_plot_y(&f->plot, f->below[i] + v);
		pn_buf_clear(&text);
		pn_buf_printf(&text, "%s %s", p->per, p->rows.names[i]);
		if (p->by)
			pn_buf_printf(&text, ", %s", p->columns.names[column]);
		pn_buf_add_text(&text, ": ");
		pn_resources_value(&text, v, p->unit);
		pn_plot_rect(&f->plot, x - 3, y - 3, x + 3, y + 3, color,
			     pn_buf_text(&text));
	}
	pn_buf_release(&text);
}

static void draw(struct flow *f, size_t column)
{
	const struct pn_pivot *p = &f->drawn->pivot;
	size_t i;

	if (f->drawn->stacked)
		area(f, column);
	else
		line(f, column);
	if (p->rows.count <= POINTS_MOST)
		dots(f, column);
	for (i = 0; i < p->rows.count && f->drawn->stacked; i++)
		if (!isnan(cell(f, i, column)))
			f->below[i] += cell(f, i, column);
}

static void picture(struct pn_buf *out, const struct pn_drawn *d, bool alone)
{
	const struct pn_pivot *p = &d->pivot;
	struct flow f = {.drawn = d};
	struct pn_plot *plot = &f.plot;
	size_t i;

	*plot = (struct pn_plot){.out = out,
				 .left = 90,
				 .width = PN_PLOT_WIDTH,
				 .right = PN_PLOT_WIDTH - 24};
	plot->x = (struct pn_plot_axis){.low = p->at[0],
					.high = p->at[p->rows.count - 1],
					.unit = "",
					.name = p->per};
	plot->y = (struct pn_plot_axis){.unit = p->unit, .name = p->of};
	pn_pivot_range(&plot->y.low, &plot->y.high, p, d->stacked);
	pn_plot_widen(&plot->x);
	pn_plot_begin(plot, &d->words, HEIGHT, alone);
	pn_plot_axes(plot);
	f.below = pn_calloc(p->rows.count + 1, sizeof(*f.below));
	for (i = 0; i < p->columns.count; i++)
		draw(&f, i);
	free(f.below);
	pn_plot_end(plot);
}

const struct pn_picture pn_flow_picture = {picture};
