/* Order and quantiles of numbers. */
#include "base/numbers/quantile.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define FEW 24 /* values that are sorted without a call for each two */

static int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* By insertion. */
static void sort_few(double *values, size_t n)
{
	size_t i, k;

	for (i = 1; i < n; i++) {
		double value = values[i];

		for (k = i; k && values[k - 1] > value; k--)
			values[k] = values[k - 1];
		values[k] = value;
	}
}

void pn_quantile_sort(double *values, size_t n)
{
	if (n > FEW)
		qsort(values, n, sizeof(*values), compare_doubles);
	else
		sort_few(values, n);
}

double *pn_quantile_sorted(const double *values, size_t n)
{
	double *copy = pn_realloc_array(NULL, n, sizeof(*copy));

	memcpy(copy, values, n * sizeof(*copy));
	pn_quantile_sort(copy, n);
	return copy;
}

static void swap(double *a, double *b)
{
	double kept = *a;

	*a = *b;
	*b = kept;
}

static double middle_of(double a, double b, double c)
{
	double low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : (c > high ? high : c);
}

/* Hoare's algorithm 65, Comm. ACM 4 (1961). */
double pn_quantile_select(double *values, size_t n, size_t k)
{
	size_t low = 0, high = n - 1, i, j, left = n;
	int rounds = 4;
	double pivot;

	for (; left; left /= 2)
		rounds += 2;
	while (low < high) {
		if (!rounds--) {
			pn_quantile_sort(values + low, high - low + 1);
			break;
		}
		pivot = middle_of(values[low], values[low + (high - low) / 2],
				  values[high]);
		i = low;
		j = high;
		for (;;) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i >= j)
				break;
			swap(&values[i++], &values[j--]);
		}
		/* up to j none is greater than the pivot, behind it none less
		 */
		if (values[j] > pivot)
			j--;
		if (k <= j)
			high = j;
		else
			low = j + 1;
	}
	return values[k];
}

/* Where quantile p of n ordered values is: behind the value at *below, by the
 * returned part (0 to 1) of the way to the next one. */
static double place_of(size_t *below, size_t n, double p)
{
	double at = (double)(n - 1) * p;

	*below = (size_t)at;
	return at - (double)*below;
}

static double between(double a, double b, double part)
{
	/* weights instead of a difference: no overflow, and equal
	 * neighbours give exactly their value */
	return a == b ? a : a * (1 - part) + b * part;
}

double pn_quantile_pick(double *values, size_t n, double p)
{
	size_t below, i;
	double part = place_of(&below, n, p), value, next;

	value = pn_quantile_select(values, n, below);
	if (part <= 0 || below + 1 >= n)
		return value;
	next = values[below + 1];
	for (i = below + 2; i < n; i++)
		next = values[i] < next ? values[i] : next;
	return between(value, next, part);
}

double pn_quantile_of(const double *sorted, size_t n, double p)
{
	size_t below;
	double part = place_of(&below, n, p);

	if (part <= 0 || below + 1 >= n)
		return sorted[below];
	return between(sorted[below], sorted[below + 1], part);
}
