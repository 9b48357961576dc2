/*
 * Variances of functions, and what they are moderated with: that of functions
 * of the same size, with as many degrees of freedom as the variances are alike
 * (limma's empirical Bayes: Smyth 2004).
 */
#include "detect/functions/inside.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

#define MOST_DF 1e6	  /* all variances are the same */
#define LEAST_EXCESS 1e-6 /* of the variance of logarithms of variances */
#define STEPS 50
#define SPAN 0.6 /* of functions around a knot of the trend */
#define KNOTS 24
#define FLAT 1e-6    /* sizes that are too alike for a slope, of their range */
#define TREND_DF 4.0 /* that such a trend takes */

/* Derivatives of ln Gamma: the recurrence up to 10, then the asymptotic
 * series (Abramowitz & Stegun 6.3.18, 6.4.12). */
static double digamma(double x)
{
	double sum = 0, y;

	while (x < 10)
		sum -= 1 / x++;
	y = 1 / (x * x);
	return sum + log(x) - 0.5 / x -
	       y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y / 240)));
}

static double trigamma(double x)
{
	double sum = 0, y;

	while (x < 10) {
		sum += 1 / (x * x);
		x++;
	}
	y = 1 / (x * x);
	return sum + 1 / x + y / 2 +
	       y / x * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y / 30)));
}

/* The derivative of trigamma. */
static double tetragamma(double x)
{
	double sum = 0, y;

	while (x < 10) {
		sum -= 2 / (x * x * x);
		x++;
	}
	y = 1 / (x * x);
	return sum - y - y / x - y * y * (0.5 - y * (1.0 / 6 - y / 6));
}

/* Newton's method on 1/trigamma, which is convex (Smyth 2004, appendix). */
static double trigamma_inverse(double value)
{
	double x = 0.5 + 1 / value, step;
	int i;

	for (i = 0; i < STEPS; i++) {
		double y = trigamma(x);

		step = y * (1 - y / value) / tetragamma(x);
		x += step;
		if (-step < 1e-10 * x)
			break;
	}
	return x;
}

/* Mean and variance of the values of one side; how many there are. */
static size_t spread_of(double *mean, double *squares, const double *values,
			size_t runs)
{
	size_t r, n = 0;
	double sum = 0;

	for (r = 0; r < runs; r++)
		if (!isnan(values[r])) {
			sum += values[r];
			n++;
		}
	*mean = sum / (double)n;
	for (r = 0; r < runs; r++)
		if (!isnan(values[r]))
			*squares += (values[r] - *mean) * (values[r] - *mean);
	return n;
}

void pn_function_spread(struct pn_function_tests *tests)
{
	size_t f;
	int side;

	for (f = 0; f < tests->count; f++) {
		struct pn_function_test *t = &tests->items[f];
		double squares = 0;

		for (side = 0; side < SIDES; side++)
			t->n[side] =
				spread_of(&t->mean[side], &squares,
					  t->logs[side], tests->runs[side]);
		t->df = (double)(t->n[BASELINE] + t->n[TARGET]) -
			(double)t->clipped - 2;
		t->variance = t->df > 0 ? squares / t->df : 0;
	}
}

double pn_function_variance(const struct pn_function_test *test,
			    double prior_df)
{
	double df = prior_df + test->df;

	return df > 0 ? (prior_df * test->prior + test->df * test->variance) /
				df
		      : (double)INFINITY;
}

double pn_function_pooled(const struct pn_function_tests *tests)
{
	double squares = 0, df = 0;
	size_t f;

	for (f = 0; f < tests->count; f++) {
		const struct pn_function_test *t = &tests->items[f];

		if (!(t->df > 0))
			continue;
		squares += t->df * t->variance;
		df += t->df;
	}
	return df > 0 ? squares / df : 0;
}

/*
 * What logarithms of variances are over the logarithm of a function's size:
 * lines of their own around each knot (Cleveland, J. Am. Stat. Assoc. 74
 * (1979)), straight between two. Samples make small functions noisy, large
 * ones have a noise that does not shrink with their size.
 */
struct trend {
	double x[KNOTS], y[KNOTS];
};

/* A function's place on the trend. */
struct place {
	double x, y;
};

static bool varies(const struct pn_function_test *t)
{
	return t->df > 0 && t->variance > 0 && !t->constant;
}

/* The logarithm of a variance less what is expected of it by chance alone. */
static double log_variance(const struct pn_function_test *t)
{
	return log(t->variance) - digamma(t->df / 2) + log(t->df / 2);
}

static double size_of(const struct pn_function_test *t)
{
	return (t->mean[BASELINE] + t->mean[TARGET]) / 2;
}

static int by_x(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return (a->x > b->x) - (a->x < b->x);
}

/* The line of the places first ... first + n around x, there. */
static double local_line(const struct place *places, size_t first, size_t n,
			 double x)
{
	double reach = fmax(x - places[first].x, places[first + n - 1].x - x);
	double sum = 0, sx = 0, sy = 0, xx = 0, xy = 0;
	size_t i;

	for (i = first; i < first + n; i++) {
		double away = places[i].x - x, share = 0, weight;

		if (reach > 0)
			share = fabs(away) / (reach * 1.001);
		weight = pow(1 - share * share * share, 3);
		sum += weight;
		sx += weight * away;
		sy += weight * places[i].y;
		xx += weight * away * away;
		xy += weight * away * places[i].y;
	}
	sx /= sum;
	sy /= sum;
	xx = xx / sum - sx * sx;
	xy = xy / sum - sx * sy;
	return xx > FLAT * reach * reach && xx > 0 ? sy - xy / xx * sx : sy;
}

/* The nearest SPAN of all to x. */
static size_t nearest(const struct place *places, size_t count, size_t n,
		      double x, size_t first)
{
	while (first + n < count &&
	       places[first + n].x - x < x - places[first].x)
		first++;
	return first;
}

static void fit_trend(struct trend *out, struct place *places, size_t count)
{
	size_t n = (size_t)ceil(SPAN * (double)count), k, first = 0;

	qsort(places, count, sizeof(*places), by_x);
	for (k = 0; k < KNOTS; k++) {
		size_t at = k * (count - 1) / (KNOTS - 1);

		out->x[k] = places[at].x;
		first = nearest(places, count, n, out->x[k], first);
		out->y[k] = local_line(places, first, n, out->x[k]);
	}
}

static double on_trend(const struct trend *trend, double x)
{
	size_t k = 1;
	double part;

	if (x <= trend->x[0])
		return trend->y[0];
	if (x >= trend->x[KNOTS - 1])
		return trend->y[KNOTS - 1];
	while (trend->x[k] < x)
		k++;
	part = (x - trend->x[k - 1]) / (trend->x[k] - trend->x[k - 1]);
	return trend->y[k - 1] + part * (trend->y[k] - trend->y[k - 1]);
}

/* By how much the variances differ more than by chance. */
static double excess(const struct pn_function_tests *tests, size_t n,
		     const struct trend *trend)
{
	double squares = 0, chance = 0;
	size_t f;

	for (f = 0; f < tests->count; f++) {
		const struct pn_function_test *t = &tests->items[f];

		if (!varies(t))
			continue;
		squares +=
			pow(log_variance(t) - on_trend(trend, size_of(t)), 2);
		chance += trigamma(t->df / 2);
	}
	return squares / ((double)n - TREND_DF) - chance / (double)n;
}

void pn_function_moderate(struct pn_function_tests *tests)
{
	struct place *places = pn_calloc(tests->count + 1, sizeof(*places));
	struct trend trend;
	double more, half;
	size_t f, n = 0;

	for (f = 0; f < tests->count; f++) {
		const struct pn_function_test *t = &tests->items[f];

		if (varies(t))
			places[n++] =
				(struct place){size_of(t), log_variance(t)};
	}
	tests->prior_df = 0;
	if (n >= PN_FUNCTIONS_MIN_SHARED) {
		fit_trend(&trend, places, n);
		more = excess(tests, n, &trend);
		half = more > LEAST_EXCESS ? trigamma_inverse(more)
					   : MOST_DF / 2;
		if (half > MOST_DF / 2)
			half = MOST_DF / 2;
		tests->prior_df = 2 * half;
		for (f = 0; f < tests->count; f++)
			tests->items[f].prior = exp(
				on_trend(&trend, size_of(&tests->items[f])) +
				digamma(half) - log(half));
	}
	free(places);
}
