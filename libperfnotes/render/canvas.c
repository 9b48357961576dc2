/* Dots on a terminal. */
#include "render/canvas.h"

#include "base/alloc.h"
#include "base/text/width.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MOST 1e6 /* dots of a line: a terminal is some hundreds wide */

void pn_canvas_init(struct pn_canvas *out, size_t width, size_t height,
		    bool utf8)
{
	*out = (struct pn_canvas){
		.utf8 = utf8, .width = width, .height = height};
	out->across = utf8 ? 2 * width : width;
	out->down = utf8 ? 4 * height : height;
	out->dots = pn_calloc(out->across + 1, out->down + 1);
	out->marks = pn_calloc(width + 1, height + 1);
	out->right = out->top = 1;
}

void pn_canvas_release(struct pn_canvas *c)
{
	if (!c)
		return;
	free(c->dots);
	free(c->marks);
	memset(c, 0, sizeof(*c));
}

static double column_of(const struct pn_canvas *c, double x)
{
	return (x - c->left) / (c->right - c->left) * (double)(c->across - 1);
}

static double row_of(const struct pn_canvas *c, double y)
{
	return (c->top - y) / (c->top - c->bottom) * (double)(c->down - 1);
}

/* The dot that is nearest; false: there is none. */
static bool place(size_t *column, size_t *row, const struct pn_canvas *c,
		  double x, double y)
{
	x += .5;
	y += .5;
	if (!(x >= 0 && x < (double)c->across && y >= 0 && y < (double)c->down))
		return false;
	*column = (size_t)x;
	*row = (size_t)y;
	return true;
}

static void put(struct pn_canvas *c, double x, double y)
{
	size_t column, row;

	if (place(&column, &row, c, x, y))
		c->dots[row * c->across + column] = 1;
}

void pn_canvas_dot(struct pn_canvas *c, double x, double y)
{
	put(c, column_of(c, x), row_of(c, y));
}

void pn_canvas_mark(struct pn_canvas *c, double x, double y)
{
	size_t column, row;

	if (place(&column, &row, c, column_of(c, x), row_of(c, y)))
		c->marks[row * c->height / c->down * c->width +
			 column * c->width / c->across] = 1;
}

void pn_canvas_line(struct pn_canvas *c, double x, double y, double to_x,
		    double to_y)
{
	double far, steps;
	size_t i;

	x = column_of(c, x);
	y = row_of(c, y);
	to_x = column_of(c, to_x);
	to_y = row_of(c, to_y);
	far = ceil(fmax(fabs(to_x - x), fabs(to_y - y)));
	steps = far >= 0 && far < STEPS_MOST ? far : 0;
	for (i = 0; i <= (size_t)steps; i++)
		put(c, x + (to_x - x) * (double)i / fmax(steps, 1),
		    y + (to_y - y) * (double)i / fmax(steps, 1));
}

/* The eight dots of a character, in the order of their bits. */
static unsigned int braille(const struct pn_canvas *c, size_t row,
			    size_t column)
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

static void add_cell(struct pn_buf *out, const struct pn_canvas *c, size_t row,
		     size_t column)
{
	unsigned int bits;

	if (c->marks[row * c->width + column]) {
		pn_buf_add_text(out, c->utf8 ? "\u2022" : "o");
		return;
	}
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

static void add_row(struct pn_buf *out, const struct pn_canvas *c,
		    const struct pn_palette *palette, size_t scale,
		    const struct pn_buf *beside, size_t row)
{
	struct pn_buf text = {0};
	size_t i, width = 0;

	if (beside)
		width = pn_text_fit(&text, pn_buf_text(beside), beside->len,
				    scale);
	pn_buf_printf(out, "%*s%s%s %s%s ", (int)(scale - width), "",
		      palette->dim, pn_buf_text(&text),
		      c->utf8 ? "\u2502" : "|", palette->end);
	for (i = 0; i < c->width; i++)
		add_cell(out, c, row, i);
	while (out->data[out->len - 1] == ' ')
		pn_buf_cut(out, out->len - 1);
	pn_buf_add_byte(out, '\n');
	pn_buf_release(&text);
}

void pn_canvas_print(struct pn_buf *out, const struct pn_canvas *c,
		     const struct pn_palette *palette, size_t scale,
		     const struct pn_buf *top, const struct pn_buf *bottom)
{
	size_t row;

	for (row = 0; row < c->height; row++)
		add_row(out, c, palette, scale,
			row == 0	       ? top
			: row == c->height - 1 ? bottom
					       : NULL,
			row);
}
