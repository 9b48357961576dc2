/*
 * Pictures of numbers as elements of SVG: a frame with two axes, what stands
 * in it is drawn by who calls. Units are pixels of the picture, which is as
 * wide as its page allows.
 */
#ifndef PN_RESOURCES_PLOT_H
#define PN_RESOURCES_PLOT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_PLOT_WIDTH 960
#define PN_PLOT_COLORS 9 /* classes c0 ...; the last one is of the rest */

extern const char pn_plot_style[];

struct pn_plot_axis {
	double low, high; /* of the values */
	const char *unit; /* of them, "" for none */
	const char *name; /* what they are; NULL: nothing is said */
	bool none;	  /* neither lines nor numbers: names stand there */
};

struct pn_plot {
	struct pn_buf *out;
	double left, top, right, bottom; /* of the frame */
	double width, height;		 /* of all */
	struct pn_plot_axis x, y;
};

/* What stands above a picture of its own, and beside the names of colours. */
struct pn_plot_words {
	const char *title;	   /* plain text */
	const char *remarks;	   /* lines of it */
	const char *const *legend; /* a name a colour */
	size_t legend_count;
	bool rest; /* the last one is of all others */
};

/* A low and a high value that differ, 0 to 1 where both are 0. */
void pn_plot_widen(struct pn_plot_axis *axis);
/* The element with title, legend and, `alone`, what a document of its own
 * needs; sets the frame's top and the height. `inner` is the frame's height. */
void pn_plot_begin(struct pn_plot *plot, const struct pn_plot_words *words,
		   double inner, bool alone);
/*
 * The same in parts, of pictures with several frames below each other: how
 * high title and remarks are; the element, when plot->height is known; a frame
 * with a heading and a legend, which sets the height where it ends.
 */
double pn_plot_head(const struct pn_plot_words *words, bool alone);
void pn_plot_open(struct pn_plot *plot, const struct pn_plot_words *words,
		  bool alone);
void pn_plot_part(struct pn_plot *plot, const struct pn_plot_words *words,
		  double top, double inner);
/* Lines, numbers and names of the axes. */
void pn_plot_axes(struct pn_plot *plot);
void pn_plot_end(struct pn_plot *plot);

/* Where a value stands. */
double pn_plot_x(const struct pn_plot *plot, double value);
double pn_plot_y(const struct pn_plot *plot, double value);
/* The class of a series' colour. */
size_t pn_plot_color(const struct pn_plot_words *words, size_t series);
/* A text, cut to `most` bytes, with what is cut as its title. `anchor` is
 * start, middle or end. */
void pn_plot_text(struct pn_plot *plot, double x, double y, const char *anchor,
		  const char *text, size_t most);
/* A rectangle of a colour between two corners, whose figures a browser shows
 * where the mouse is. */
void pn_plot_rect(struct pn_plot *plot, double x0, double y0, double x1,
		  double y1, size_t color, const char *figures);

#endif
