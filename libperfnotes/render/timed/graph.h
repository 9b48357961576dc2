/* What the forms of the view `graph` share. */
#ifndef PN_TIMED_GRAPH_H
#define PN_TIMED_GRAPH_H

#include "analysis/timed/ordered.h"
#include "render/renderer.h"
#include "render/sink.h"

#define PN_TIMED_VIEW_CELLS 10 /* of a row of text */

struct pn_timed_view {
	struct pn_sink *out;
	struct pn_timed t;
	struct pn_timed_ordered shown;
	const struct pn_timed_style *style;
	const char *unit; /* of all times */
	char **labels;	  /* by node, safe */
	size_t *widths;	  /* of them, in columns */
	size_t width[PN_TIMED_VIEW_CELLS];
	size_t most;	/* characters of a name with its place; 0: any */
	bool measuring; /* widths, and print nothing */
};

/* What the weight of the report is, a run, in milliseconds where it is time. */
int pn_timed_view_init(struct pn_timed_view *g, struct pn_sink *out,
		       const struct pn_view_input *in, struct pn_error *err);
void pn_timed_view_release(struct pn_timed_view *g);

/* Appended: "name", "name#2"; "" where it has none. `src`: its place. */
void pn_timed_view_name(struct pn_buf *out, struct pn_buf *src,
			const struct pn_timed_view *g, uint32_t node);

static inline double pn_timed_view_share(double part, double all)
{
	return all != 0 ? part / all : 0;
}

int pn_timed_view_dot(struct pn_sink *out, const struct pn_view_input *in,
		      struct pn_error *err);
int pn_timed_view_json(struct pn_sink *out, const struct pn_view_input *in,
		       struct pn_error *err);

#endif
