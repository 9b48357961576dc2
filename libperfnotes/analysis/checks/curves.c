/* The checks of curves, and what their difference is like. */
#include "analysis/checks/checks.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

#define SAME 0.05      /* relative: coefficients and curves that are equal */
#define EXPLAINED 0.99 /* of the difference, by a polynomial */
#define STRAIGHT 0.95  /* r² of what is a line */
#define BENT 0.9       /* and of a parabola, if it is better by: */
#define BETTER 0.01
#define POLYNOMIAL 4 /* coefficients, at most */

/* The difference of two curves at equal distances. */
struct difference {
	double x[PN_CHECKS_POINTS], y[PN_CHECKS_POINTS];
	double sum, relative; /* of all; the mean of relative ones */
	double largest;
};

/* Points where a curve has no value, or the baseline is 0, are left out. */
static size_t differ(struct difference *out,
		     const struct pn_cost_curve *baseline,
		     const struct pn_cost_curve *target, double from, double to)
{
	double step = (to - from) / (PN_CHECKS_POINTS - 1);
	size_t i, n = 0;

	*out = (struct difference){{0}};
	for (i = 0; i < PN_CHECKS_POINTS; i++) {
		double x = from + (double)i * step;
		double before = pn_cost_curve_at(baseline, x);
		double by = pn_cost_curve_at(target, x) - before;

		if (!isfinite(by) || before == 0)
			continue;
		out->x[n] = x;
		out->y[n++] = by;
		out->sum += by;
		out->relative += by / fabs(before);
		out->largest = fmax(out->largest, fabs(by));
	}
	if (n)
		out->relative /= (double)n;
	return n;
}

static bool same_coefficients(const struct pn_fit *a, const struct pn_fit *b)
{
	size_t i;

	if (a->model != b->model)
		return false;
	for (i = 0; i < a->b_count; i++)
		if (fabs(a->b[i] - b->b[i]) > SAME * fabs(a->b[i]))
			return false;
	return true;
}

/* A difference whose spread is small beside its size. */
static bool is_constant(const struct difference *d, size_t n)
{
	double low = d->y[0], high = d->y[0];
	size_t i;

	for (i = 1; i < n; i++) {
		low = fmin(low, d->y[i]);
		high = fmax(high, d->y[i]);
	}
	return high - low <= SAME * d->largest;
}

/* Legendre's polynomials at u: orthogonal on points at equal distances up to
 * what their number leaves, so that each coefficient stands for itself. */
static double legendre(int degree, double u)
{
	switch (degree) {
	case 0:
		return 1;
	case 1:
		return u;
	case 2:
		return (3 * u * u - 1) / 2;
	default:
		return (5 * u * u - 3) * u / 2;
	}
}

/* Take out what one more degree explains; the sum of squares that is left. */
static double take_out(double *y, const struct difference *d, size_t n,
		       int degree)
{
	double middle = (d->x[0] + d->x[n - 1]) / 2;
	double half = (d->x[n - 1] - d->x[0]) / 2, yy = 0, yp = 0, pp = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		double p = legendre(degree, (d->x[i] - middle) / half);

		yp += y[i] * p;
		pp += p * p;
	}
	for (i = 0; i < n; i++) {
		y[i] -= yp / pp * legendre(degree, (d->x[i] - middle) / half);
		yy += y[i] * y[i];
	}
	return yy;
}

static const char *degree_of(const struct difference *d, size_t n)
{
	static const char *const names[POLYNOMIAL] = {"constant", "linear",
						      "quadratic", "cubic"};
	double *y, all;
	int degree;

	if (is_constant(d, n))
		return names[0];
	y = pn_realloc_array(NULL, n, sizeof(*y));
	for (size_t i = 0; i < n; i++)
		y[i] = d->y[i];
	all = take_out(y, d, n, 0);
	for (degree = 1; degree < POLYNOMIAL; degree++) {
		if (take_out(y, d, n, degree) <= (1 - EXPLAINED) * all)
			break;
	}
	free(y);
	return degree < POLYNOMIAL ? names[degree] : "unknown";
}

/* All models of the difference that there are. */
static size_t fit_all(struct pn_fit fits[PN_REGRESSIONS], struct difference *d,
		      size_t n)
{
	struct pn_points points = {"", 0, d->x, d->y, n};
	struct pn_regression_points with_logs;
	size_t count = 0;
	int i;

	pn_regression_points_init(&with_logs, &points);
	for (i = 0; i < PN_REGRESSIONS; i++)
		count += pn_regression_fit(&fits[count], (enum pn_regression)i,
					   &with_logs, 0, n);
	pn_regression_points_release(&with_logs);
	return count;
}

static double r_square_of(const struct pn_fit *fits, size_t count,
			  enum pn_regression model)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (fits[i].model == model)
			return fits[i].r_square;
	return 0;
}

static const char *name_change(enum pn_check_curves how, struct difference *d,
			       size_t n)
{
	struct pn_fit fits[PN_REGRESSIONS];
	size_t count, best;
	double line, bend;

	if (how == PN_CHECK_POLYNOMIAL)
		return degree_of(d, n);
	if (is_constant(d, n))
		return pn_regression_names[PN_CONSTANT];
	count = fit_all(fits, d, n);
	line = r_square_of(fits, count, PN_LINEAR);
	bend = r_square_of(fits, count, PN_QUADRATIC);
	if (how == PN_CHECK_LINEAR && bend > BENT && bend - line > BETTER)
		return pn_regression_names[PN_QUADRATIC];
	if (how == PN_CHECK_LINEAR && line > STRAIGHT)
		return pn_regression_names[PN_LINEAR];
	best = pn_regression_best(fits, count);
	return best == SIZE_MAX ? "" : pn_regression_names[fits[best].model];
}

static enum pn_verdict judge(const struct difference *d)
{
	bool sure = fabs(d->relative) > PN_CHECKS_CHANGED;

	if (fabs(d->relative) <= SAME || d->sum == 0)
		return PN_VERDICT_NO_CHANGE;
	if (d->sum > 0)
		return sure ? PN_VERDICT_DEGRADATION
			    : PN_VERDICT_MAYBE_DEGRADATION;
	return sure ? PN_VERDICT_OPTIMIZATION : PN_VERDICT_MAYBE_OPTIMIZATION;
}

void pn_check_curves(struct pn_check_result *out, enum pn_check_curves how,
		     const struct pn_fit *baseline, const struct pn_fit *target)
{
	struct pn_cost_curve before, after;
	struct difference *d;
	double from, to;
	size_t n = 0;

	*out = (struct pn_check_result){.verdict = PN_VERDICT_UNKNOWN,
					.rate = (double)NAN,
					.change = ""};
	out->confidence = fmin(baseline->r_square, target->r_square);
	pn_cost_curve_of_fit(&before, baseline);
	pn_cost_curve_of_fit(&after, target);
	d = pn_calloc(1, sizeof(*d));
	if (pn_cost_curve_common(&from, &to, &before, &after))
		n = differ(d, &before, &after, from, to);
	if (n >= PN_REGRESSION_MIN_POINTS) {
		out->rate = d->relative;
		out->verdict = same_coefficients(baseline, target)
				       ? PN_VERDICT_NO_CHANGE
				       : judge(d);
		if (out->verdict != PN_VERDICT_NO_CHANGE)
			out->change = name_change(how, d, n);
	}
	free(d);
}
