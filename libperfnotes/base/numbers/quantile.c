/* Order and quantiles of numbers. */
#include "base/numbers/quantile.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FEW 24 /* values that are sorted without a call for each two */

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

/* Two sorted pieces of n and m values to one; the first ones first of equal
 * ones. Which one is taken is no branch, as nothing foretells it. */
static void merge(double *out, const double *a, size_t n, const double *b,
		  size_t m)
{
	while (n && m) {
		size_t second = *b < *a;

		*out++ = second ? *b : *a;
		b += second;
		m -= second;
		a += 1 - second;
		n -= 1 - second;
	}
	memcpy(out, n ? a : b, (n + m) * sizeof(*out));
}

void pn_quantile_sort(double *values, size_t n)
{
	double *from = values, *to, *room, *swapped;
	size_t width = FEW, i, next, end;

	for (i = 0; i < n; i += width)
		sort_few(values + i, n - i < width ? n - i : width);
	if (n <= width)
		return;
	room = to = pn_realloc_array(NULL, n, sizeof(*to));
	for (; width < n; width *= 2) {
		for (i = 0; i < n; i = end) {
			next = n - i < width ? n : i + width;
			end = n - next < width ? n : next + width;
			merge(to + i, from + i, next - i, from + next,
			      end - next);
		}
		swapped = from;
		from = to;
		to = swapped;
	}
	if (from != values)
		memcpy(values, from, n * sizeof(*values));
	free(room);
}

double *pn_quantile_sorted(const double *values, size_t n)
{
	double *copy = pn_realloc_array(NULL, n, sizeof(*copy));

	memcpy(copy, values, n * sizeof(*copy));
	pn_quantile_sort(copy, n);
	return copy;
}

static double middle_of(double a, double b, double c)
{
	double low = a < b ? a : b, high = a < b ? b : a;

	return c < low ? low : (c > high ? high : c);
}

/* Those that are less than the pivot, or not more, to the front; how many. No
 * branch depends on what they are. */
static size_t part(double *values, size_t n, double pivot, bool equal)
{
	size_t front = 0, i;

	for (i = 0; i < n; i++) {
		double value = values[i];

		values[i] = values[front];
		values[front] = value;
		front += equal ? value <= pivot : value < pivot;
	}
	return front;
}

/* As Hoare's algorithm 65, Comm. ACM 4 (1961), with three parts. */
double pn_quantile_select(double *values, size_t n, size_t k)
{
	size_t low = 0, high = n, less, left = n;
	int rounds = 4;
	double pivot;

	for (; left; left /= 2)
		rounds += 2;
	while (high - low > FEW && rounds--) {
		pivot = middle_of(values[low], values[low + (high - low) / 2],
				  values[high - 1]);
		less = low + part(values + low, high - low, pivot, false);
		if (k < less) {
			high = less;
			continue;
		}
		low = less + part(values + less, high - less, pivot, true);
		if (k < low)
			return pivot;
	}
	pn_quantile_sort(values + low, high - low);
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
