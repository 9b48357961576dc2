/* What the forms of a flame graph have in common: names that are safe where
 * they go, figures of a frame, classes of colours. */
#ifndef PN_FLAME_DESCRIBE_H
#define PN_FLAME_DESCRIBE_H

#include "analysis/flame/flame.h"
#include "base/buf.h"
#include "render/flame/style.h"

#define PN_FLAME_NAME_SHOWN 1000 /* bytes of a name that a page holds */

/* What is drawn: a graph as it stands, above the one of a sandwich's callees
 * where that is not NULL. */
struct pn_flame_drawing {
	const struct pn_flame *flame, *below;
	const struct pn_report *report;
	const struct pn_diff *diff; /* NULL: one profile */
	struct pn_flame_style style;
	double scale;		      /* of changes: pn_flame_change_scale */
	struct pn_buf title, remarks; /* lines of plain text */
};

/* A name without controls and what reorders text, of at most `most` bytes of
 * it: "<beginning>... (100000 bytes)". */
void pn_flame_name_text(struct pn_buf *out, const struct pn_flame_name *name,
			size_t most);
/* A value of the graph with its unit. */
void pn_flame_value(struct pn_buf *out, const struct pn_flame *flame,
		    double value);
/* "name: 1.20s, 40.00%, self 0.10s"; of two profiles both, the difference, by
 * the old value, in points of the total. */
void pn_flame_describe(struct pn_buf *out, const struct pn_flame *flame,
		       const struct pn_flame_frame *frame, size_t name_most);
/* The class of a frame's colour. */
void pn_flame_class(struct pn_buf *out, const struct pn_flame_drawing *drawing,
		    const struct pn_flame *flame,
		    const struct pn_flame_frame *frame);
/* Which of the colours of modules and of names it is, see flame.css. */
unsigned int pn_flame_module_color(const struct pn_flame *flame,
				   const struct pn_flame_name *name);
unsigned int pn_flame_name_color(const struct pn_flame_name *name);
/* The colours by which it is drawn, never PN_FLAME_BY_DEFAULT. */
enum pn_flame_color pn_flame_colors(const struct pn_flame_drawing *drawing);

#endif
