/* The Hodges-Lehmann interval. */
#include "analysis/diff/shift.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

#define EXACT_MAX 50
#define NORMAL_975 1.959963984540054 /* quantile of the normal distribution */

/*
 * ways[j][u]: in how many orders of i values of the first sample and j of the
 * second u pairs have the first one's value behind: the largest of all is of
 * the first sample, and behind j others, or of the second.
 */
static double *count_orders(size_t n, size_t m)
{
	size_t row = n * m + 1, i, j, u;
	double *ways = pn_calloc((m + 1) * row, sizeof(*ways));

	for (j = 0; j <= m; j++)
		ways[j * row] = 1;
	for (i = 1; i <= n; i++)
		for (j = 1; j <= m; j++)
			for (u = row; u-- > 0;)
				ways[j * row + u] =
					(u < j ? 0 : ways[j * row + u - j]) +
					ways[(j - 1) * row + u];
	return ways;
}

static size_t exact_order(size_t n, size_t m)
{
	double *all_ways = count_orders(n, m),
	       *ways = all_ways + m * (n * m + 1);
	double tail = (1 - PN_SHIFT_CONFIDENCE) / 2, all = 0, sum = 0;
	size_t k, u;

	for (u = 0; u <= n * m; u++)
		all += ways[u];
	for (k = 0; k < n * m; k++) {
		sum += ways[k];
		if (sum > tail * all)
			break;
	}
	free(all_ways);
	return k;
}

size_t pn_shift_order(size_t n, size_t m)
{
	double pairs = (double)n * (double)m, k;

	if (!n || !m)
		return 0;
	if (n <= EXACT_MAX && m <= EXACT_MAX)
		return exact_order(n, m);
	k = floor(pairs / 2 -
		  NORMAL_975 * sqrt(pairs * (double)(n + m + 1) / 12));
	return k < 1 ? 0 : (size_t)k;
}

static bool all_positive(const double *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!(values[i] > 0) || !isfinite(values[i]))
			return false;
	return true;
}

bool pn_shift_ratio(struct pn_interval *out, const double *before, size_t n,
		    const double *after, size_t m)
{
	double *shifts;
	size_t i, j, k;

	if (!n || !m || n > PN_SHIFT_MAX_PAIRS / m ||
	    !all_positive(before, n) || !all_positive(after, m))
		return false;
	k = pn_shift_order(n, m);
	if (!k)
		return false;
	shifts = pn_malloc(n * m * sizeof(*shifts));
	for (i = 0; i < n; i++)
		for (j = 0; j < m; j++)
			shifts[i * m + j] = after[j] / before[i];
	pn_summary_sort(shifts, n * m);
	out->low = shifts[k - 1];
	out->high = shifts[n * m - k];
	free(shifts);
	return true;
}
