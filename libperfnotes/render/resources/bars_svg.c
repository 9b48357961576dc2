/* Bars as a picture. */
#include "render/resources/pictures.h"
#include "render/resources/words.h"

#include <math.h>
#include <string.h>

#define ROW 22	     /* pixels of a bar from left to right, with its gap */
#define UPRIGHT 320  /* height of the frame of upright bars */
#define NAMES 300    /* pixels of names */
#define NAME_MOST 38 /* letters of one */

/* One picture on its way. */
struct bars {
	struct pn_plot plot;
	const struct pn_pivot *pivot;
	const struct pn_plot_words *words;
	bool grouped, upright;
};

static void figures(struct pn_buf *out, const struct bars *b, size_t row,
		    size_t column)
{
	const struct pn_pivot *g = b->pivot;

	pn_buf_printf(out, "%s", g->rows.names[row]);
	if (g->by)
		pn_buf_printf(out, ", %s", g->columns.names[column]);
	pn_buf_add_text(out, ": ");
	pn_resources_value(out, g->cells[row * g->columns.count + column],
			   g->unit);
}

/* From one value to another, in the part `part` of `parts` of a row's place. */
static void bar(struct bars *b, size_t row, size_t column, double from,
		double to, size_t part, size_t parts)
{
	struct pn_plot *p = &b->plot;
	double length = b->upright ? p->right - p->left : p->bottom - p->top;
	double place = length / (double)b->pivot->rows.count;
	double gap = place > 4 ? place * 0.15 : 0;
	double wide = (place - gap) / (double)parts;
	double at = place * (double)row + gap / 2 + wide * (double)part;
	struct pn_buf text = {0};

	figures(&text, b, row, column);
	if (b->upright)
		pn_plot_rect(p, p->left + at, pn_plot_y(p, from),
			     p->left + at + wide, pn_plot_y(p, to),
			     pn_plot_color(b->words, column),
			     pn_buf_text(&text));
	else
		pn_plot_rect(p, pn_plot_x(p, from), p->top + at,
			     pn_plot_x(p, to), p->top + at + wide,
			     pn_plot_color(b->words, column),
			     pn_buf_text(&text));
	pn_buf_release(&text);
}

static void row_bars(struct bars *b, size_t row)
{
	const struct pn_pivot *g = b->pivot;
	double up = 0, down = 0;
	size_t i;

	for (i = 0; i < g->columns.count; i++) {
		double v = g->cells[row * g->columns.count + i];
		double *side = v < 0 ? &down : &up;

		if (isnan(v))
			continue;
		if (b->grouped) {
			bar(b, row, i, 0, v, i, g->columns.count);
		} else {
			bar(b, row, i, *side, *side + v, 0, 1);
			*side += v;
		}
	}
}

static void name_row(struct bars *b, size_t row, size_t every)
{
	struct pn_plot *p = &b->plot;
	double length = b->upright ? p->right - p->left : p->bottom - p->top;
	double middle =
		length / (double)b->pivot->rows.count * ((double)row + 0.5);

	if (!b->upright)
		pn_plot_text(p, p->left - 8, p->top + middle + 4, "end",
			     b->pivot->rows.names[row], NAME_MOST);
	else if (row % every == 0)
		pn_plot_text(p, p->left + middle, p->bottom + 16, "middle",
			     b->pivot->rows.names[row], 12);
}

/* Numbers below upright bars: as many as have room. */
static size_t every(const struct bars *b)
{
	size_t widest = 2, i;

	for (i = 0; i < b->pivot->rows.count; i++)
		if (strlen(b->pivot->rows.names[i]) > widest)
			widest = strlen(b->pivot->rows.names[i]);
	return 1 + (size_t)((double)b->pivot->rows.count * 8 *
			    (double)(widest < 12 ? widest + 1 : 13) /
			    (b->plot.right - b->plot.left));
}

static void picture(struct pn_buf *out, const struct pn_drawn *d, bool alone)
{
	const struct pn_pivot *pivot = &d->pivot;
	struct bars b = {.pivot = pivot, .words = &d->words};
	struct pn_plot *p = &b.plot;
	struct pn_plot_axis values = {.unit = pivot->unit, .name = pivot->of};
	struct pn_plot_axis names = {.high = 1, .unit = "", .none = true};
	double high = UPRIGHT;
	size_t i, step;

	b.grouped = d->grouped && pivot->by;
	b.upright = pivot->at != NULL;
	pn_pivot_range(&values.low, &values.high, pivot, !b.grouped);
	*p = (struct pn_plot){.out = out, .width = PN_PLOT_WIDTH};
	p->left = b.upright ? 90 : NAMES;
	p->right = p->width - 24;
	p->x = b.upright ? names : values;
	p->y = b.upright ? values : names;
	if (b.upright)
		p->x.name = pivot->per;
	else
		high = ROW * (double)pivot->rows.count *
		       (b.grouped && pivot->columns.count > 3
				? (double)pivot->columns.count / 3
				: 1);
	pn_plot_begin(p, &d->words, high, alone);
	pn_plot_axes(p);
	step = every(&b);
	for (i = 0; i < pivot->rows.count; i++) {
		name_row(&b, i, step);
		row_bars(&b, i);
	}
	pn_plot_end(p);
}

const struct pn_picture pn_bars_picture = {picture};
