/* The rows of pn_views that are named elsewhere; the others are declared
 * beside the table. */
#ifndef PN_RENDER_ROWS_H
#define PN_RENDER_ROWS_H

#include "render/renderer.h"

extern const struct pn_view pn_view_top;
extern const struct pn_view pn_view_metrics;
extern const struct pn_view pn_view_models;
extern const struct pn_view pn_view_flamegraph;
extern const struct pn_view pn_view_dot;
/* What a file of HTML is without a view: no row of the table. */
extern const struct pn_view pn_view_page;

/* The JSON of whatever view has functions with callers and callees. */
int pn_tree_json(struct pn_sink *out, const struct pn_view_input *in,
		 struct pn_error *err);

#endif
