/* What views of a pivot (bars, flow) have in common. */
#ifndef PN_RESOURCES_DRAWN_H
#define PN_RESOURCES_DRAWN_H

#include "analysis/resources/pivot.h"
#include "render/renderer.h"
#include "render/resources/plot.h"
#include "render/sink.h"

struct pn_drawn {
	struct pn_pivot pivot;
	struct pn_buf title, remarks; /* lines of plain text */
	struct pn_plot_words words;   /* the same, and names of columns */
	bool grouped, stacked;	      /* as it was asked for */
};

/* How such a picture is drawn, `alone` or in a page. */
struct pn_picture {
	void (*draw)(struct pn_buf *out, const struct pn_drawn *drawn,
		     bool alone);
};

/* Of what the options say; to be released in any case. */
int pn_drawn_init(struct pn_drawn *out, const struct pn_view_input *in,
		  bool flow, struct pn_error *err);
void pn_drawn_release(struct pn_drawn *drawn);

/* The forms of a view. */
int pn_drawn_rows(struct pn_table *out, const struct pn_view_input *in,
		  bool flow, struct pn_error *err);
int pn_drawn_json(struct pn_sink *out, const struct pn_view_input *in,
		  bool flow, struct pn_error *err);
int pn_drawn_svg(struct pn_sink *out, const struct pn_view_input *in, bool flow,
		 const struct pn_picture *picture, struct pn_error *err);
int pn_drawn_html(struct pn_sink *out, const struct pn_view_input *in,
		  bool flow, const struct pn_picture *picture,
		  struct pn_error *err);

/* The first lines on a terminal: what it is of, what is not to be seen. */
void pn_drawn_head(struct pn_buf *out, const struct pn_drawn *drawn,
		   size_t columns);

#endif
