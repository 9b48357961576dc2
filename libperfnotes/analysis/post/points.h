/*
 * The points that models are fitted to: of each uid, what one key of a profile
 * is worth where another one has some value. Keys and resources are those of
 * model/query.h. The uid of a sample is its label "uid" in the flat form (see
 * model/json_label.h), else the function of its leaf; of a node its function;
 * of a measured value the metric's name.
 */
#ifndef PN_POST_POINTS_H
#define PN_POST_POINTS_H

#include "base/error.h"
#include "base/strtab.h"
#include "model/profile.h"

#include <stddef.h>

/* Beyond it squares and their sums would leave the range of a double. */
#define PN_POINTS_MAX_VALUE 1e150

/* Of one uid, in the order of the profile. */
struct pn_points {
	const char *uid;
	size_t uid_len;
	double *x, *y;
	size_t count; /* at least 1 */
};

/* In the order of the uids' bytes. */
struct pn_points_list {
	struct pn_points *items;
	size_t count;
	char *of, *per; /* the keys that were found */
	/* Resources that lack one of the two or have a value that is not
	 * finite or beyond PN_POINTS_MAX_VALUE. */
	size_t left_out;
	struct pn_strtab uids;
	double *x, *y; /* of all items */
};

/*
 * `of` NULL: "amount", else the profile's default value type, or the values of
 * its metrics. `per` NULL: "structure-unit-size". A key may be named without
 * its unit ("cpu" for "cpu/nanoseconds"). PN_ENOTFOUND lists the keys that are
 * numbers; PN_ERANGE when no resource has both. Time O(n log n).
 */
int pn_points_gather(struct pn_points_list *out,
		     const struct pn_profile *profile, const char *of,
		     const char *per, struct pn_error *err);
void pn_points_release(struct pn_points_list *list);

/* Order the points by x, equal ones as they were. O(n log n). */
void pn_points_sort(struct pn_points *points);

/*
 * The share of the variance of y that `fitted` explains: 1 - sum of squared
 * residuals / sum of squared deviations from the mean, as scikit-learn's
 * r2_score: negative for what is worse than the mean; of y that does not vary
 * 1 where all is met, else 0.
 */
double pn_points_r_square(const double *y, const double *fitted, size_t n);

#endif
