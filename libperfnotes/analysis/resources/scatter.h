/*
 * Points of resources with the models that were fitted to them: Perun's
 * scatter.
 */
#ifndef PN_RESOURCES_SCATTER_H
#define PN_RESOURCES_SCATTER_H

#include "analysis/post/points.h"
#include "analysis/resources/request.h"
#include "analysis/table.h"

#define PN_SCATTER_PLOTS 6  /* unless more are asked for */
#define PN_SCATTER_CURVES 4 /* of one plot, the best ones */
#define PN_SCATTER_STEPS 51 /* points of a curve, as Perun has them */

struct pn_scatter_curve {
	char *name; /* of the model */
	double r_square;
	double x[2 * PN_SCATTER_STEPS], y[2 * PN_SCATTER_STEPS];
	size_t count;
};

struct pn_scatter_plot {
	const struct pn_points *points; /* of one uid */
	struct pn_scatter_curve *curves;
	size_t curve_count;
	/* Of x, of y; y begins at 0 where its least is below half of its most.
	 */
	double low[2], high[2];
};

struct pn_scatter {
	struct pn_points_list points;
	struct pn_scatter_plot *plots; /* most points first */
	size_t plot_count;
	size_t more; /* uids without a plot */
	bool fitted; /* here, for want of models */
	char *x_unit, *y_unit;
};

/*
 * `of` and `per` as pn_points_gather has them. Where the profile has models,
 * those of a uid are drawn, the largest r² first; where it has none, the best
 * of the six of post/regression.h that can be fitted here. `most` plots; 0:
 * PN_SCATTER_PLOTS, -1: all. To be released in any case.
 */
int pn_scatter_init(struct pn_scatter *out, const struct pn_profile *profile,
		    const struct pn_resources_request *request, int64_t most,
		    struct pn_error *err);
void pn_scatter_release(struct pn_scatter *scatter);

/* The points: uid, x, y; `named`: these are called by their keys. */
void pn_table_of_scatter(struct pn_table *out, const struct pn_scatter *scatter,
			 bool named);

#endif
