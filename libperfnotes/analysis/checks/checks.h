/*
 * Perun's checks of one profile against another: what each says by its own
 * thresholds, without tests and repetitions (see detect/ for those). The
 * formulas are those that Perun's documents give; where its program computes
 * something else, it is said here.
 *
 * - Curves are compared over the sizes that both have. Perun takes those of
 *   the baseline, or of each its own, so that ten times as many points are ten
 *   times as slow.
 * - Logarithms and powers are those of the fitted formula. Perun's integral
 *   leaves the logarithm out, and its curves of powers take the logarithm of x
 *   twice.
 * - Local statistics look at the costs. Perun's look at the sizes of both
 *   sides, which are equal.
 * - What there is no number for is Unknown, not a crash.
 */
#ifndef PN_CHECKS_CHECKS_H
#define PN_CHECKS_CHECKS_H

#include "analysis/checks/cost_curve.h"
#include "detect/verdict.h"

#define PN_CHECKS_MAYBE 0.1	/* relative: above it something may be */
#define PN_CHECKS_CHANGED 0.25	/* above it something is */
#define PN_CHECKS_R_SQUARE 0.15 /* curves that say less are not compared */
#define PN_CHECKS_POINTS 1000	/* at which curves are compared */

struct pn_check_result {
	enum pn_verdict verdict;
	double rate;	   /* by how much: what each check says */
	double confidence; /* the lower r² of the two; NaN: none */
	/* What the difference of two curves is like: "constant", "linear",
	 * ...; "" for checks that do not look at it. */
	const char *change;
};

/* NoChange to PN_CHECKS_MAYBE, Maybe to PN_CHECKS_CHANGED: shares, negative
 * for what got cheaper. Unknown of NaN. */
enum pn_verdict pn_check_classify(double relative);

/*
 * average_amount_threshold: the mean of the target through that of the
 * baseline is 2 or more, or .5 or less, which is the rate. n and m values, at
 * least one each. Of a baseline of 0 the rate is infinite; of two 0 it is 1.
 */
void pn_check_average(struct pn_check_result *out, const double *baseline,
		      size_t n, const double *target, size_t m);

/*
 * best_model_order_equality: the best models of both, of which none explains
 * less than .9, are of different orders: constant, logarithmic, linear,
 * quadratic, power, exponential. The rate is how many orders lie between.
 */
void pn_check_order(struct pn_check_result *out, const struct pn_fit *baseline,
		    const struct pn_fit *target);

/*
 * The same from the points themselves: on each side the model with the least
 * AICc of the costs, not of their logarithms (Hurvich & Tsai, Biometrika 76
 * (1989)). A change when the higher one of both orders beats the other side's
 * model on its own points by PN_CHECKS_AICC, which the confidence is; else
 * NoChange. Unknown with fewer than PN_CHECKS_MIN_POINTS on a side.
 */
#define PN_CHECKS_AICC 10
#define PN_CHECKS_MIN_POINTS 8
void pn_check_order_of_points(struct pn_check_result *out,
			      const struct pn_points *baseline,
			      const struct pn_points *target);

/* integral_comparison: the relative difference of integrals. */
void pn_check_integral(struct pn_check_result *out,
		       const struct pn_cost_curve *baseline,
		       const struct pn_cost_curve *target);

/*
 * local_statistics: in each of 20 windows integral, mean, median, largest,
 * least, sum and quartiles are compared; the rate is the mean of all relative
 * differences. `windows` are the verdicts of the windows, by how many
 * statistics speak for it: one counts half from PN_CHECKS_MAYBE on.
 */
#define PN_CHECKS_WINDOWS 20
void pn_check_statistics(struct pn_check_result *out,
			 enum pn_verdict windows[PN_CHECKS_WINDOWS],
			 const struct pn_cost_curve *baseline,
			 const struct pn_cost_curve *target);

/*
 * polynomial_regression, linear_regression and fast_check: models whose kind
 * is the same and whose coefficients differ by at most 5 % are NoChange, as
 * are curves that differ by 5 % in the mean; else the sign of the difference
 * says which way, and its mean, which is the rate, is sure above
 * PN_CHECKS_CHANGED. They differ in what they call the change.
 */
enum pn_check_curves {
	PN_CHECK_POLYNOMIAL, /* the least degree that explains .99 of it */
	PN_CHECK_LINEAR,     /* by the line through it */
	PN_CHECK_FAST	     /* the best model of it */
};
void pn_check_curves(struct pn_check_result *out, enum pn_check_curves how,
		     const struct pn_fit *baseline,
		     const struct pn_fit *target);

/* exclusive_time_outliers: see below. */
enum pn_outlier_method {
	PN_OUTLIER_NONE,
	PN_OUTLIER_MODIFIED_Z, /* of the median deviation, above 3.5 */
	PN_OUTLIER_IQR,	       /* beyond 1.5 ranges of the quartiles */
	PN_OUTLIER_SD	       /* above 2, of those that are none by then */
};

struct pn_outlier {
	enum pn_verdict verdict;
	enum pn_outlier_method method;
	double value;	 /* of that method; NaN: none */
	double delta;	 /* target less baseline */
	double relative; /* of the target's sum */
};

/*
 * Which functions differ by more than others do: sums of a function's own
 * time, NaN for one that is not there, `out` has room for all. By the first
 * method that finds it a function is Severe, plain or Maybe; what is new or
 * gone is told. A function that differs by at most PN_CHECKS_MAYBE of itself
 * is no outlier: among large functions, which Perun always names, that is
 * noise. The verdict on the whole is Total from PN_CHECKS_CHANGED on, where
 * Perun gives one for any difference, and NoChange else.
 */
enum pn_verdict pn_check_outliers(struct pn_outlier *out,
				  const double *baseline, const double *target,
				  size_t count);

#endif
