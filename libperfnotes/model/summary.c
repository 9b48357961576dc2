/* What a sample of one metric comes down to. */
#include "model/summary.h"

#include "base/numbers/quantile.h"

#include <math.h>
#include <stdlib.h>

#define MAD_TO_SD 1.482602218505602	    /* 1 / inverse normal cdf of 3/4 */
#define NORMAL_QUARTILES 1.3489795003921634 /* between, of one sd */
#define MEAN_AD_TO_SD 1.2533141373155003    /* sqrt(pi / 2) */

void pn_summary_sort(double *values, size_t n)
{
	pn_quantile_sort(values, n);
}

double pn_summary_quantile(const double *sorted, size_t n, double p)
{
	return pn_quantile_of(sorted, n, p);
}

static double clamp(double value, double low, double high)
{
	return value < low ? low : value > high ? high : value;
}

static void moments(struct pn_summary *s, const double *values, size_t n)
{
	double sum = 0, rest = 0, squares = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += values[i] / (double)n;
	for (i = 0; i < n; i++)
		rest += values[i] - sum;
	s->mean = clamp(sum + rest / (double)n, s->min, s->max);
	s->sd = NAN;
	if (n < 2)
		return;
	for (i = 0, rest = 0; i < n; i++) {
		double d = values[i] - s->mean;

		squares += d * d;
		rest += d;
	}
	squares -= rest * rest / (double)n;
	s->sd = sqrt(fmax(squares, 0) / (double)(n - 1));
}

int pn_summary_of(struct pn_summary *out, const double *values, size_t n,
		  struct pn_error *err)
{
	struct pn_summary s = {.n = n};
	double *sorted;
	size_t i;

	if (!n)
		return pn_error_set(err, PN_ERANGE,
				    "need a value to summarize, have none");
	for (i = 0; i < n; i++)
		if (!isfinite(values[i]))
			return pn_error_set(err, PN_ERANGE,
					    "value %zu is not finite", i + 1);
	sorted = pn_quantile_sorted(values, n);
	s.min = sorted[0];
	s.q1 = pn_summary_quantile(sorted, n, 0.25);
	s.median = pn_summary_quantile(sorted, n, 0.5);
	s.q3 = pn_summary_quantile(sorted, n, 0.75);
	s.max = sorted[n - 1];
	free(sorted);
	moments(&s, values, n);
	*out = s;
	return 0;
}

/*
 * The largest k with P(Bin(n, 1/2) < k) <= tail; 0 when there is none. In
 * logarithms, because 2^-n underflows from n = 1075 on.
 */
static size_t median_rank(size_t n, double tail)
{
	double log_term = -(double)n * log(2), below = 0;
	size_t k;

	for (k = 0; k < n; k++) {
		below += exp(log_term);
		if (below > tail)
			break;
		log_term += log((double)(n - k) / (double)(k + 1));
	}
	return k;
}

int pn_summary_median_interval(struct pn_interval *out, const double *sorted,
			       size_t n, double confidence,
			       struct pn_error *err)
{
	size_t k = median_rank(n, (1 - confidence) / 2);

	if (!k)
		return pn_error_set(err, PN_ERANGE,
				    "%zu values are too few for an interval "
				    "of the median",
				    n);
	out->low = sorted[k - 1];
	out->high = sorted[n - k];
	return 0;
}

double pn_summary_spread(const struct pn_summary *s)
{
	double middle = (s->q3 - s->q1) / NORMAL_QUARTILES;

	if (s->n < 2)
		return NAN;
	return s->n >= PN_SUMMARY_SPREAD_MIN && middle > 0 && middle < s->sd
		       ? middle
		       : s->sd;
}

size_t pn_summary_outliers(bool *is_outlier, const double *values, size_t n)
{
	double *work, median, sd, mean = 0;
	size_t i, count = 0;

	if (!n)
		return 0;
	work = pn_quantile_sorted(values, n);
	median = pn_summary_quantile(work, n, 0.5);
	for (i = 0; i < n; i++) {
		work[i] = fabs(values[i] - median);
		mean += work[i] / (double)n;
	}
	pn_summary_sort(work, n);
	sd = MAD_TO_SD * pn_summary_quantile(work, n, 0.5);
	if (sd == 0)
		sd = MEAN_AD_TO_SD * mean;
	free(work);
	for (i = 0; i < n; i++) {
		bool out = fabs(values[i] - median) > PN_OUTLIER_SIGMAS * sd;

		if (is_outlier)
			is_outlier[i] = out;
		count += out;
	}
	return count;
}
