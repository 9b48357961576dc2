/* Order and quantiles of numbers. */
#include "base/numbers/quantile.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

void pn_quantile_sort(double *values, size_t n)
{
	if (n > 1)
		qsort(values, n, sizeof(*values), compare_doubles);
}

double *pn_quantile_sorted(const double *values, size_t n)
{
	double *copy = pn_realloc_array(NULL, n, sizeof(*copy));

	memcpy(copy, values, n * sizeof(*copy));
	pn_quantile_sort(copy, n);
	return copy;
}

double pn_quantile_of(const double *sorted, size_t n, double p)
{
	double at = (double)(n - 1) * p;
	size_t below = (size_t)at;
	double part = at - (double)below;

	if (part <= 0 || below + 1 >= n)
		return sorted[below];
	/* weights instead of a difference: no overflow, and equal
	 * neighbours give exactly their value */
	if (sorted[below] == sorted[below + 1])
		return sorted[below];
	return sorted[below] * (1 - part) + sorted[below + 1] * part;
}
