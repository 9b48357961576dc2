/* The drawn frames of a flame graph, as elements of SVG. */
#ifndef PN_FLAME_PICTURE_H
#define PN_FLAME_PICTURE_H

#include "render/flame/describe.h"
#include "render/sink.h"

#define PN_PICTURE_WIDTH 1200 /* of what has no script to fit it */
#define PN_PICTURE_TOP 92     /* title, remarks, tools */

extern const char pn_flame_script[], pn_flame_style[];

/* The element svg with everything in it: style, picture, data and script.
 * `alone`: as a document of its own; else a page has style and script. */
void pn_flame_picture(struct pn_sink *out,
		      const struct pn_flame_drawing *drawing, bool alone);
/* What the script knows of the graph, as JSON without < and &. */
void pn_flame_data(struct pn_sink *out, const struct pn_flame_drawing *drawing);

/* The forms of a drawing. */
void pn_flame_text(struct pn_sink *out, const struct pn_flame_drawing *drawing,
		   size_t columns, bool utf8);
void pn_flame_json(struct pn_sink *out, const struct pn_flame_drawing *drawing);
/* The table of functions of a page, or of what changed. */
void pn_flame_functions(struct pn_sink *out,
			const struct pn_flame_drawing *drawing);
void pn_flame_page(struct pn_sink *out, const struct pn_flame_drawing *drawing);

#endif
