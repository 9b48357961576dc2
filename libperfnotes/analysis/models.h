/*
 * Models in a profile's header: one JSON text each, with the members that
 * Perun gives them ("uid", "model", "r_square", "x_start", "x_end", then
 * "coeffs" of formulas or "bucket_stats" of curves).
 */
#ifndef PN_ANALYSIS_MODELS_H
#define PN_ANALYSIS_MODELS_H

#include "analysis/post/points.h"
#include "analysis/table.h"
#include "base/json/json.h"
#include "model/profile.h"

/* One model on its way into a profile: open, members by `json`, add. */
struct pn_model_draft {
	struct pn_json_writer json;
	struct pn_buf text;
};

void pn_model_open(struct pn_model_draft *draft, const struct pn_points *points,
		   const char *model, double r_square, double x_start,
		   double x_end);
/* "bucket_stats": the values, all of them finite. */
void pn_model_buckets(struct pn_model_draft *draft, const double *values,
		      size_t count);
/* Close it and append it to the profile's models. */
void pn_model_add(struct pn_profile *profile, struct pn_model_draft *draft);

/* What a stored model says, as far as it can be drawn. */
struct pn_model_line {
	struct pn_buf uid, model;
	double r_square, x_start, x_end, y_start; /* NaN: not said */
	double b[3];	/* of a formula; b[0] NaN: none */
	double *values; /* of a curve */
	size_t value_count;
};

/* The model at `index` of the profile's. PN_EINVAL: it is no object. To be
 * released in any case; may be used again without. */
int pn_model_line_read(struct pn_model_line *out,
		       const struct pn_profile *profile, size_t index,
		       struct pn_error *err);
void pn_model_line_release(struct pn_model_line *line);
/* Where the formula is at x; NaN: it has none there. */
double pn_model_line_at(const struct pn_model_line *line, double x);

/*
 * A table of the profile's models from the index `first` on: uid, model (and
 * how it was found), interval of x, r², and the formula or what there is of a
 * curve. PN_EINVAL when a model is no object. Nothing is borrowed.
 */
int pn_table_of_models(struct pn_table *out, const struct pn_profile *profile,
		       size_t first, struct pn_error *err);
/* The same models as they are, an array of objects; what JSON cannot say (NaN
 * of Perun's) is left out with its key, in an array it is null. */
int pn_models_write(struct pn_json_writer *w, const struct pn_profile *profile,
		    size_t first, struct pn_error *err);

#endif
