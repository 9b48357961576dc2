/* The statistics that the detectors share. */
#include "detect/stats.h"

#include "base/alloc.h"
#include "base/numbers/quantile.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SQRT_HALF 0.70710678118654752440
#define SQRT_TAU 2.50662827463100050242	    /* of 2 pi */
#define HALF_LOG_TAU 0.91893853320467274178 /* half of ln(2 pi) */
#define FRACTION_STEPS 10000
#define TINY 1e-300
#define STEPS 2200  /* more than halving or doubling a double needs */
#define NEARLY 1e-8 /* the next step of Newton's is as near as its square */

double pn_stats_normal_upper(double z)
{
	return 0.5 * erfc(z * SQRT_HALF);
}

/* The z with P(Z > z) = p, p <= 1/2: Abramowitz & Stegun 26.2.23 to begin with,
 * then Halley's steps, each of which triples the digits. */
static double upper_quantile(double p)
{
	double t = sqrt(-2 * log(p)), z, miss;
	int i;

	z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
			(1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
	for (i = 0; i < 4; i++) {
		miss = (pn_stats_normal_upper(z) - p) * SQRT_TAU *
		       exp(z * z / 2);
		z += miss / (1 - z * miss / 2);
	}
	return z;
}

double pn_stats_normal_quantile(double p)
{
	return p > 0.5 ? upper_quantile(1 - p) : -upper_quantile(p);
}

double pn_stats_log_gamma(double x)
{
	double shift = 0, y;

	while (x < 16)
		shift += log(x++);
	y = 1 / (x * x);
	return (x - 0.5) * log(x) - x + HALF_LOG_TAU - shift +
	       (1.0 / 12 -
		y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680)))) /
		       x;
}

static double not_zero(double x)
{
	return fabs(x) > TINY ? x : TINY;
}

/* Of I_x(a, b): converges where x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), h = d;
	double even, odd;
	int m;

	for (m = 1; m < FRACTION_STEPS; m++) {
		even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		h *= d * c;
		odd = -(a + m) * (a + b + m) * x /
		      ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		h *= d * c;
		if (fabs(d * c - 1) < DBL_EPSILON)
			break;
	}
	return h;
}

double pn_stats_beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(pn_stats_log_gamma(a + b) - pn_stats_log_gamma(a) -
		    pn_stats_log_gamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double pn_stats_t_both(double t, double df)
{
	return isinf(t) ? 0 : pn_stats_beta(df / 2, 0.5, df / (df + t * t));
}

double pn_stats_t_upper(double t, double df)
{
	double half = pn_stats_t_both(t, df) / 2;

	return t > 0 ? half : 1 - half;
}

/* Student's density; df is above 0. */
static double t_density(double t, double df)
{
	return exp(pn_stats_log_gamma((df + 1) / 2) -
		   pn_stats_log_gamma(df / 2) -
		   (df + 1) / 2 * log1p(t * t / df)) /
	       sqrt(df * SQRT_TAU * SQRT_TAU / 2);
}

/* Near the critical value, but for few degrees of freedom: Fisher and Cornish,
 * Technometrics 2 (1960). */
static double first_critical(double p, double df)
{
	double z = pn_stats_normal_quantile(1 - p / 2), square = z * z, t;

	t = z * (1 + (square + 1) / (4 * df) +
		 ((5 * square + 16) * square + 3) / (96 * df * df));
	return t > 0 && isfinite(t) ? t : 1;
}

/* Newton's method on the logarithm of the tail, which bends little; halved
 * where that leaves the bracket. */
double pn_stats_t_critical(double p, double df)
{
	double low = 0, high = INFINITY, t = first_critical(p, df), both, next;
	int i;

	for (i = 0; i < STEPS; i++) {
		both = pn_stats_t_both(t, df);
		if (both > p)
			low = t;
		else
			high = t;
		next = t + log(both / p) * both / (2 * t_density(t, df));
		if (fabs(next - t) <= NEARLY * t)
			return next;
		if (!(next > low && next < high))
			next = isinf(high) ? 2 * t : low + (high - low) / 2;
		t = next;
	}
	return t;
}

double pn_stats_mean(const double *values, size_t n)
{
	double mean = 0, rest = 0;
	size_t i;

	/* shares first: the sum of huge values would not be finite */
	for (i = 0; i < n; i++)
		mean += values[i] / (double)n;
	for (i = 0; i < n; i++)
		rest += (values[i] - mean) / (double)n;
	return mean + rest;
}

double pn_stats_median(const double *values, size_t n)
{
	double *copy = pn_realloc_array(NULL, n, sizeof(*copy)), median;

	memcpy(copy, values, n * sizeof(*copy));
	median = pn_quantile_pick(copy, n, 0.5);
	free(copy);
	return median;
}

double pn_stats_mad(const double *values, size_t n, double centre)
{
	double *away = pn_realloc_array(NULL, n, sizeof(*away)), mad;
	size_t i;

	for (i = 0; i < n; i++)
		away[i] = fabs(values[i] - centre);
	mad = pn_quantile_pick(away, n, 0.5);
	free(away);
	return mad;
}

double pn_stats_variance(const double *values, size_t n)
{
	double mean = pn_stats_mean(values, n), squares = 0;
	size_t i;

	for (i = 0; i < n; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return n > 1 ? squares / (double)(n - 1) : 0;
}

void pn_stats_winsorize(double *values, size_t n, double sds)
{
	double median = pn_stats_median(values, n);
	double most =
		sds * PN_STATS_MAD_TO_SD * pn_stats_mad(values, n, median);
	size_t i;

	for (i = 0; i < n && most > 0; i++)
		values[i] = fmin(fmax(values[i], median - most), median + most);
}

struct place {
	double value;
	size_t at;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static struct place *sorted_places(const double *values, size_t n)
{
	struct place *places = pn_realloc_array(NULL, n, sizeof(*places));
	size_t i;

	for (i = 0; i < n; i++)
		places[i] = (struct place){values[i], i};
	if (n > 1)
		qsort(places, n, sizeof(*places), compare_places);
	return places;
}

void pn_stats_ranks(size_t *doubled, const double *values, size_t n)
{
	struct place *places = sorted_places(values, n);
	size_t i, end, k;

	for (i = 0; i < n; i = end) {
		for (end = i + 1; end < n; end++)
			if (places[end].value != places[i].value)
				break;
		for (k = i; k < end; k++)
			doubled[places[k].at] = i + end + 1;
	}
	free(places);
}

void pn_stats_adjust(double *q, const double *p, size_t n)
{
	struct place *places = sorted_places(p, n);
	double least = 1;
	size_t i;

	for (i = n; i-- > 0;) {
		least = fmin(least,
			     places[i].value * (double)n / (double)(i + 1));
		q[places[i].at] = least;
	}
	free(places);
}
