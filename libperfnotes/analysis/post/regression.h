/*
 * Least squares on points (x, y): the six models of Perun's regression
 * analysis. Linear in its coefficients after a change of variables; r² is that
 * of the changed ones, as in Perun.
 *
 *   constant      b0                     linear     b0 + b1 x
 *   logarithmic   b0 + b1 ln x           quadratic  b0 + b1 x + b2 x²
 *   power         b0 x^b1                exponential  b0 b1^x
 *
 * Differences from Perun, all on purpose:
 * - sums are those of deviations from the mean, scaled by the largest one.
 *   Perun subtracts squares of sums, which costs all digits of x and y that
 *   are large beside their spread (r² of 1.016), and divides by zero where
 *   all x are equal: such a model is not made here.
 * - r² of the constant is 1 - r² of the line: the share that does not depend
 *   on x. Perun has that for flat lines only; for others it takes
 *   atan2(|b1 x_end|, x_end - x_start), an angle in radians, divides it by 90
 *   as if it were degrees, and gives y = 2x a constant of r² 0.987; and the
 *   angle depends on the units of x and y.
 * - r² stays between 0 and 1; it is 0, not 0/0, where y does not vary.
 * - a logarithm needs 3 points that have one, not 3 points of any kind.
 */
#ifndef PN_POST_REGRESSION_H
#define PN_POST_REGRESSION_H

#include "analysis/post/points.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_REGRESSION_MIN_POINTS 3

/* In the order in which results stand. */
enum pn_regression {
	PN_EXPONENTIAL,
	PN_LINEAR,
	PN_LOGARITHMIC,
	PN_POWER,
	PN_QUADRATIC,
	PN_CONSTANT,
	PN_REGRESSIONS /* how many there are */
};

/* "exponential" ..., then NULL. */
extern const char *const pn_regression_names[PN_REGRESSIONS + 1];

struct pn_fit {
	enum pn_regression model;
	double b[3];
	size_t b_count;
	double r_square;
	size_t n;	       /* points that took part */
	double x_start, x_end; /* of all points that were given */
};

/* Points with their logarithms, which are NaN where there is none. */
struct pn_regression_points {
	double *x, *y, *ln_x, *ln_y;
	size_t count;
};

void pn_regression_points_init(struct pn_regression_points *out,
			       const struct pn_points *points);
void pn_regression_points_release(struct pn_regression_points *points);

/*
 * Fit one model to the points first ... first + count. False when there are
 * fewer than PN_REGRESSION_MIN_POINTS of use, x does not vary enough, or a
 * coefficient is beyond a double. O(count).
 */
bool pn_regression_fit(struct pn_fit *out, enum pn_regression model,
		       const struct pn_regression_points *points, size_t first,
		       size_t count);

/*
 * The best of several fits: the largest r², the first of those that differ by
 * rounding only. The constant, whose r² is high wherever x says little in a
 * straight line, is best only where no other explains half of the variance.
 * SIZE_MAX without fits.
 */
size_t pn_regression_best(const struct pn_fit *fits, size_t count);

enum pn_regression_method {
	PN_REGRESSION_FULL,	     /* all models of all points */
	PN_REGRESSION_ITERATIVE,     /* the best one, by growing parts */
	PN_REGRESSION_INTERVAL,	     /* the best one of each part of x */
	PN_REGRESSION_INITIAL_GUESS, /* the best one of the first part */
	PN_REGRESSION_BISECTION	     /* the best ones, parts by halving */
};

struct pn_regression_plan {
	enum pn_regression_method method;
	bool wanted[PN_REGRESSIONS];
	size_t steps;  /* parts: iterative, interval, initial guess */
	uint64_t seed; /* of the order of points: iterative, initial guess */
};

struct pn_fits {
	struct pn_fit *items;
	size_t count, cap;
	size_t too_small; /* parts that had too few points */
};

/*
 * Apply a method; the points are sorted or shuffled in place. Iterative: the
 * points in random order and in `steps` parts; again and again the model that
 * is best so far gets its next part, until one has all. Bisection: halves of
 * the points in the order of x; where the best model of both is that of the
 * whole, that one stands, else each half that differs is halved in turn; a part
 * whose halves would be too small stands as it is (Perun gives up the whole).
 * Every part takes part of at least PN_REGRESSION_MIN_POINTS, so that halving
 * is O(n log n). Results are appended.
 */
void pn_regression_run(struct pn_fits *out, struct pn_points *points,
		       const struct pn_regression_plan *plan);
void pn_fits_release(struct pn_fits *fits);

#endif
