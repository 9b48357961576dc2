/*
 * Dots on a terminal: braille characters of eight dots each where it has
 * UTF-8, else a sign a dot. Values of a chart are put where its scales say.
 */
#ifndef PN_RENDER_CANVAS_H
#define PN_RENDER_CANVAS_H

#include "base/buf.h"
#include "render/palette.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_canvas {
	bool utf8;
	size_t width, height; /* in characters */
	size_t across, down;  /* dots */
	unsigned char *dots;  /* by row, then by column */
	unsigned char *marks; /* characters that are a sign of their own */
	/* what the outermost dots stand for: left to right, top to bottom */
	double left, right, top, bottom;
};

/* Empty; who calls sets the scales. */
void pn_canvas_init(struct pn_canvas *out, size_t width, size_t height,
		    bool utf8);
void pn_canvas_release(struct pn_canvas *canvas);

/* Nothing of what lies outside is shown. */
void pn_canvas_dot(struct pn_canvas *canvas, double x, double y);
/* A line of dots, both ends included. */
void pn_canvas_line(struct pn_canvas *canvas, double x, double y, double to_x,
		    double to_y);
/* A sign that stands out among dots. */
void pn_canvas_mark(struct pn_canvas *canvas, double x, double y);

/* The lines: beside the first one the text `top`, beside the last one
 * `bottom`, both within `scale` columns, then a bar and the row. */
void pn_canvas_print(struct pn_buf *out, const struct pn_canvas *canvas,
		     const struct pn_palette *palette, size_t scale,
		     const struct pn_buf *top, const struct pn_buf *bottom);

#endif
