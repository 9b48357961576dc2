/* A flame graph on a terminal: the root on top, a row a level, as wide as the
 * terminal is. */
#include "base/alloc.h"
#include "base/text/width.h"
#include "model/unit.h"
#include "render/flame/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_DRAWN 400 /* bytes: no terminal is wider */
#define WORTH_COLOR 0.01

/* A frame that is a column wide or wider. */
struct cell {
	const struct pn_flame_frame *frame;
	size_t from, to; /* columns */
};

struct canvas {
	const struct pn_flame_drawing *drawing;
	const struct pn_flame *flame;
	size_t columns;
	const char *edge;
	int side;
};

static int cmp_cells(const void *left, const void *right)
{
	const struct cell *a = left, *b = right;

	if (a->frame->depth != b->frame->depth)
		return a->frame->depth < b->frame->depth ? -1 : 1;
	return (a->frame > b->frame) - (a->frame < b->frame);
}

static size_t column_of(const struct canvas *c, double value)
{
	double all = c->flame->frames[0].total[c->side];

	return all > 0 ? (size_t)(value / all * (double)c->columns + 0.5) : 0;
}

/* By level, from left to right. */
static struct cell *find_cells(size_t *count, const struct canvas *c)
{
	const struct pn_flame *flame = c->flame;
	struct cell *cells = NULL;
	size_t cap = 0, at = 0;

	*count = 0;
	while (at < flame->frame_count) {
		const struct pn_flame_frame *f = &flame->frames[at];
		double start = f->start[c->side];
		struct cell cell = {f, column_of(c, start),
				    column_of(c, start + f->total[c->side])};

		if (cell.to > c->columns)
			cell.to = c->columns;
		if (cell.from >= cell.to) {
			at = f->end;
			continue;
		}
		cells = pn_grow(cells, &cap, *count + 1, sizeof(*cells));
		cells[(*count)++] = cell;
		at++;
	}
	if (*count)
		qsort(cells, *count, sizeof(*cells), cmp_cells);
	return cells;
}

/* What stands behind the name where there is room: the share, of two profiles
 * the change. */
static void add_figure(struct pn_buf *out, const struct canvas *c,
		       const struct pn_flame_frame *f)
{
	double new = f->total[PN_FLAME_NEW], old = f->total[PN_FLAME_OLD];
	double all = c->flame->frames[0].total[c->side];

	pn_buf_add_byte(out, ' ');
	if (!c->flame->two) {
		pn_unit_fixed(out, all > 0 ? 100 * new / all : 0, 1);
		pn_buf_add_byte(out, '%');
	} else if (!(old > 0)) {
		pn_buf_add_text(out, "new");
	} else if (!(new > 0)) {
		pn_buf_add_text(out, "gone");
	} else {
		pn_buf_add_byte(out, new < old ? '-' : '+');
		pn_unit_fixed(out, 100 * fabs(new - old) / old, 1);
		pn_buf_add_byte(out, '%');
	}
}

static const char *color_of(const struct canvas *c,
			    const struct pn_palette *palette,
			    const struct pn_flame_frame *f)
{
	double change = c->flame->two ? pn_flame_change(f) : 0;

	if (fabs(change) < WORTH_COLOR)
		return "";
	return change > 0 ? palette->worse : palette->better;
}

static void draw_cell(struct pn_sink *out, const struct canvas *c,
		      const struct cell *cell)
{
	size_t room = cell->to - cell->from - 1, taken, figure_width;
	struct pn_buf name = {0}, figure = {0};
	const char *color = color_of(c, &out->palette, cell->frame);

	pn_buf_add_text(&out->text, c->edge);
	pn_flame_name_text(&name, &c->flame->names[cell->frame->name],
			   NAME_DRAWN);
	add_figure(&figure, c, cell->frame);
	figure_width = pn_text_width(pn_buf_text(&figure), figure.len);
	pn_buf_add_text(&out->text, color);
	taken = pn_text_fit(&out->text, pn_buf_text(&name), name.len, room);
	if (pn_text_width(pn_buf_text(&name), name.len) <= room &&
	    taken + figure_width <= room) {
		pn_buf_add(&out->text, figure.data, figure.len);
		taken += figure_width;
	}
	pn_buf_add_text(&out->text, *color ? out->palette.end : "");
	for (; taken < room; taken++)
		pn_buf_add_byte(&out->text, ' ');
	pn_buf_release(&name);
	pn_buf_release(&figure);
}

/* Where a frame ends and none begins, its right edge is drawn as long as there
 * is a column for it. */
static void draw_row(struct pn_sink *out, const struct canvas *c,
		     const struct cell *cells, size_t count)
{
	size_t i, column = 0;

	for (i = 0; i < count; i++) {
		if (i && cells[i].from > column) {
			pn_buf_add_text(&out->text, c->edge);
			column++;
		}
		for (; column < cells[i].from; column++)
			pn_buf_add_byte(&out->text, ' ');
		draw_cell(out, c, &cells[i]);
		column = cells[i].to;
	}
	if (count && column < c->columns)
		pn_buf_add_text(&out->text, c->edge);
	while (out->text.len && out->text.data[out->text.len - 1] == ' ')
		pn_buf_cut(&out->text, out->text.len - 1);
	pn_buf_add_byte(&out->text, '\n');
	pn_sink_drain(out);
}

/* `upward`: the last level first; else without the first `skip` ones. */
static void draw(struct pn_sink *out, const struct canvas *c, bool upward,
		 size_t skip)
{
	size_t count, first, end, level, levels = 0, *starts;
	struct cell *cells = find_cells(&count, c);

	starts = pn_calloc(count + 2, sizeof(*starts));
	for (first = 0; first < count; first = end) {
		starts[levels++] = first;
		for (end = first + 1; end < count; end++)
			if (cells[end].frame->depth !=
			    cells[first].frame->depth)
				break;
	}
	starts[levels] = count;
	for (level = skip; level < levels; level++) {
		size_t at = upward ? levels - 1 - level : level;

		draw_row(out, c, cells + starts[at],
			 starts[at + 1] - starts[at]);
	}
	free(starts);
	free(cells);
}

static void list_gone(struct pn_sink *out, const struct pn_flame_drawing *d)
{
	struct pn_buf text = {0};
	size_t i, n = 0;

	for (i = 0; d->diff && i < d->diff->row_count; i++) {
		const struct pn_diff_row *row = &d->diff->rows[i];

		if (row->state != PN_DIFF_GONE)
			continue;
		if (!n++)
			pn_buf_add_text(&out->text, "\ngone:\n");
		pn_buf_clear(&text);
		pn_flame_value(&text, d->flame, row->old_total);
		pn_sink_right(out, pn_buf_text(&text), 10);
		pn_buf_add_text(&out->text, "  ");
		pn_sink_name(out, row->name, strlen(row->name));
		pn_buf_add_byte(&out->text, '\n');
	}
	pn_buf_release(&text);
}

void pn_flame_text(struct pn_sink *out, const struct pn_flame_drawing *d,
		   size_t columns, bool utf8)
{
	struct canvas canvas = {d, d->flame, columns,
				utf8 ? "\xe2\x94\x82" : "|", PN_FLAME_NEW};

	if (d->flame->two && d->style.old_width)
		canvas.side = PN_FLAME_OLD;
	pn_sink_lines(out, pn_buf_text(&d->remarks), d->remarks.len);
	draw(out, &canvas, d->below != NULL, 0);
	if (d->below) {
		canvas.flame = d->below;
		draw(out, &canvas, false, 1); /* it stands there already */
	}
	list_gone(out, d);
}
