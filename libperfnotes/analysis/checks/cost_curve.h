/*
 * The cost of a function over the size of its input: a formula that was fitted
 * to points, or values that stand at equal distances.
 */
#ifndef PN_CHECKS_COST_CURVE_H
#define PN_CHECKS_COST_CURVE_H

#include "analysis/post/regression.h"

struct pn_cost_curve {
	const struct pn_fit *fit; /* NULL: values */
	const double *values;	  /* from x_start to x_end, at least 2 */
	size_t count;
	double x_start, x_end, r_square;
};

void pn_cost_curve_of_fit(struct pn_cost_curve *out, const struct pn_fit *fit);

/* The cost at x, which lies in the curve's range; NaN where the formula has no
 * value, as a logarithm of 0. */
double pn_cost_curve_at(const struct pn_cost_curve *curve, double x);

/* The integral from `from` to `to`, both in the range: of a formula in closed
 * form, of values the one of what joins them, by straight lines. NaN where
 * there is none. */
double pn_cost_curve_integral(const struct pn_cost_curve *curve, double from,
			      double to);

/* The range that both have; false when there is none. */
bool pn_cost_curve_common(double *from, double *to,
			  const struct pn_cost_curve *a,
			  const struct pn_cost_curve *b);

#endif
