/* Ratios and their intervals. */
#include "analysis/measured/ratio.h"

#include "base/alloc.h"
#include "model/summary.h"

#include <math.h>
#include <stdlib.h>

#define TAIL ((1 - PN_RATIO_CONFIDENCE) / 2)
#define TAIL_SIGMAS 1.959963984540054 /* inverse normal cdf of 1 - TAIL */
#define BISECTIONS 200 /* more than a double's bits need, whatever the span */

/*
 * Orders of n and m values by their count of pairs that are the wrong way
 * round: the coefficients of the Gaussian binomial, the product over i to n of
 * (1 - q^(m + i)) / (1 - q^i). Andrews, The Theory of Partitions (1976), 3.2.
 */
static void count_orders(double *out, size_t size, size_t n, size_t m)
{
	size_t i, u;

	out[0] = 1;
	for (u = 1; u < size; u++)
		out[u] = 0;
	for (i = 1; i <= n; i++) {
		for (u = size; u-- > m + i;)
			out[u] -= out[u - m - i];
		for (u = i; u < size; u++)
			out[u] += out[u - i];
	}
}

/* The largest k for which P(U < k) is at most the tail; 0: none. */
static size_t exact_rank(size_t n, size_t m)
{
	size_t size = n * m / 2 + 1, k, i;
	double *orders = pn_calloc(size, sizeof(*orders));
	double all = 1, below = 0;

	count_orders(orders, size, n, m);
	for (i = 1; i <= n; i++)
		all = all * (double)(m + i) / (double)i;
	for (k = 0; k < size; k++) {
		below += orders[k];
		if (below > TAIL * all)
			break;
	}
	free(orders);
	return k;
}

static size_t rank_of(size_t n, size_t m)
{
	double pairs = (double)n * (double)m, rank;

	if (n + m <= PN_RATIO_EXACT)
		return exact_rank(n, m);
	rank = pairs / 2 - TAIL_SIGMAS * sqrt(pairs * (double)(n + m + 1) / 12);
	return rank >= 1 ? (size_t)rank : 0;
}

/* How many quotients b[j] / a[i] are at most t. */
static double count_up_to(double t, const double *a, size_t n, const double *b,
			  size_t m)
{
	double count = 0;
	size_t i, j = 0;

	for (i = 0; i < n; i++) {
		while (j < m && b[j] <= t * a[i])
			j++;
		count += (double)j;
	}
	return count;
}

/* The quotient with that number in ascending order, from 1. */
static double quotient(double number, const double *a, size_t n,
		       const double *b, size_t m)
{
	double low = log(b[0] / a[n - 1]), high = log(b[m - 1] / a[0]), middle;
	int i;

	for (i = 0; i < BISECTIONS && low < high; i++) {
		middle = low + (high - low) / 2;
		if (middle <= low || middle >= high)
			break;
		if (count_up_to(exp(middle), a, n, b, m) >= number)
			high = middle;
		else
			low = middle;
	}
	return exp(high);
}

void pn_ratio_of(struct pn_ratio *out, const double *a, size_t n,
		 const double *b, size_t m)
{
	size_t rank = rank_of(n, m);
	double pairs = (double)n * (double)m;

	out->value =
		pn_summary_quantile(b, m, 0.5) / pn_summary_quantile(a, n, 0.5);
	out->low = out->high = NAN;
	if (!rank)
		return;
	out->low = fmin(quotient((double)rank, a, n, b, m), out->value);
	out->high = fmax(quotient(pairs + 1 - (double)rank, a, n, b, m),
			 out->value);
}

bool pn_ratio_differs(const struct pn_ratio *ratio)
{
	return ratio->low > 1 || ratio->high < 1;
}
