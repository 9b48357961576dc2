/* Correlated noise and drift. */
#include "detect/history/drift.h"

#include "base/alloc.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>

#define MOST_SDS 4
#define MOST_RHO 0.99
#define P 0.001 /* of Mann and Kendall's test, both sides */
#define RUNS 50

double pn_drift_correlation(const double *residuals, size_t n, size_t centres)
{
	double most =
		MOST_SDS * PN_STATS_MAD_TO_SD * pn_stats_mad(residuals, n, 0);
	double products = 0, squares = 0, last = 0, e, rho;
	double all = (double)n, k = (double)centres;
	size_t i;

	if (!(most > 0))
		return 0;
	for (i = 0; i < n; i++) {
		e = fmax(-most, fmin(most, residuals[i]));
		products += i ? e * last : 0;
		squares += e * e;
		last = e;
	}
	rho = products / squares;
	if (all > 4 * k) /* E(r) = rho - (1 + 3 rho) k / n */
		rho = (all * rho + k) / (all - 3 * k);
	return fmax(-MOST_RHO, fmin(MOST_RHO, rho));
}

double pn_drift_correlation_of_jumps(const double *jumps, size_t n, double sd)
{
	double most = MOST_SDS * M_SQRT2 * sd, products = 0, squares = 0;
	double last = 0, jump;
	size_t i;

	for (i = 0; i < n; i++) {
		jump = fmax(-most, fmin(most, jumps[i]));
		products += jump * last;
		squares += jump * jump;
		last = jump;
	}
	/* differences of noise whose correlation is r have one of (r - 1) / 2
	 */
	return squares > 0 ? 1 + 2 * products / squares : 0;
}

/* Medians of runs of neighbours; their number. */
static size_t condense(double *out, const double *values, size_t n)
{
	size_t count = n < RUNS ? n : RUNS, i, from, to;

	for (i = 0; i < count; i++) {
		from = i * n / count;
		to = (i + 1) * n / count;
		out[i] = pn_stats_median(values + from, to - from);
	}
	return count;
}

/* Pairs that go up less those that go down, without such that are equal. */
static double kendall(const double *values, size_t n)
{
	long score = 0;
	size_t i, k;

	for (i = 0; i < n; i++)
		for (k = i + 1; k < n; k++)
			score += (values[k] > values[i]) -
				 (values[k] < values[i]);
	return (double)score;
}

static double slope(const double *values, size_t n)
{
	double *slopes =
		       pn_realloc_array(NULL, n * (n - 1) / 2, sizeof(*slopes)),
	       median;
	size_t i, k, count = 0;

	for (i = 0; i < n; i++)
		for (k = i + 1; k < n; k++)
			slopes[count++] =
				(values[k] - values[i]) / (double)(k - i);
	median = pn_stats_median(slopes, count);
	free(slopes);
	return median;
}

void pn_drift_line(struct pn_line *out, const double *values, size_t n)
{
	double runs[RUNS], rise = 0, centre = pn_stats_median(values, n);
	double *flat;
	size_t count;

	*out = (struct pn_line){centre, centre};
	if (n < PN_DRIFT_LEAST_VALUES)
		return;
	count = condense(runs, values, n);
	rise = slope(runs, count) * (double)count / (double)n * (double)(n - 1);
	*out = (struct pn_line){-rise / 2, rise / 2};
	flat = pn_realloc_array(NULL, n, sizeof(*flat));
	pn_drift_take_off(flat, values, n, out);
	centre = pn_stats_median(flat, n);
	free(flat);
	out->from += centre;
	out->to += centre;
}

void pn_drift_take_off(double *out, const double *values, size_t n,
		       const struct pn_line *line)
{
	double step = n > 1 ? (line->to - line->from) / (double)(n - 1) : 0;
	size_t i;

	for (i = 0; i < n; i++)
		out[i] = values[i] - (line->from + step * (double)i);
}

bool pn_drift_is_there(const double *values, size_t n, double rho)
{
	double runs[RUNS], m, variance, score;
	size_t count;

	if (n < PN_DRIFT_LEAST_VALUES)
		return false;
	count = condense(runs, values, n);
	m = (double)count;
	rho = rho > 0 ? rho : 0;
	/* medians of more values are correlated less */
	if (count < n)
		rho = pow(rho, (double)n / m);
	variance = m * (m - 1) * (2 * m + 5) / 18 * (1 + rho) / (1 - rho);
	score = kendall(runs, count);
	return 2 * pn_stats_normal_upper((fabs(score) - 1) / sqrt(variance)) <
	       P;
}
