/* Two samples by the order of their values alone. */
#include "detect/rank_test.h"

#include "base/alloc.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BISECTIONS                                                             \
	1100 /* a double between two of any size is found by then              \
	      */

/*
 * Orders of n and m values by U, for U below `size`: the coefficients of the
 * Gaussian binomial, the product over i to n of (1 - q^(m + i)) / (1 - q^i).
 * Andrews, The Theory of Partitions (1976), 3.2. Beside whole numbers they are
 * right to 15 digits with up to 2500 pairs. The caller frees.
 */
static double *count_orders(size_t size, size_t n, size_t m)
{
	double *out = pn_calloc(size, sizeof(*out));
	size_t i, u;

	out[0] = 1;
	for (i = 1; i <= n; i++) {
		for (u = size; u-- > m + i;)
			out[u] -= out[u - m - i];
		for (u = i; u < size; u++)
			out[u] += out[u - i];
	}
	return out;
}

static double all_orders(size_t n, size_t m)
{
	double all = 1;
	size_t i;

	for (i = 1; i <= n; i++)
		all = all * (double)(m + i) / (double)i;
	return all;
}

/* P(U <= u), u a whole number below n m. */
static double exact_tail(size_t u, size_t n, size_t m)
{
	size_t pairs = n * m, i;
	double *counts, below = 0;

	if (u >= pairs)
		return 1;
	if (u > pairs / 2)
		return 1 - exact_tail(pairs - u - 1, n, m);
	counts = count_orders(u + 1, n < m ? n : m, n < m ? m : n);
	for (i = 0; i <= u; i++)
		below += counts[i];
	free(counts);
	return below / all_orders(n, m);
}

static void test_exactly(struct pn_rank_test *out, size_t n, size_t m)
{
	out->exact = true;
	out->p_less = exact_tail((size_t)out->u, n, m);
	out->p_greater = exact_tail(n * m - (size_t)out->u, n, m);
	out->p = fmin(1, 2 * fmin(out->p_less, out->p_greater));
}

/* sd 0: all values are equal. */
static void test_normally(struct pn_rank_test *out, double pairs, double sd)
{
	double above = out->u - pairs / 2;

	out->exact = false;
	out->p_less = sd > 0 ? pn_stats_normal_upper((-above - 0.5) / sd) : 1;
	out->p_greater = sd > 0 ? pn_stats_normal_upper((above - 0.5) / sd) : 1;
	out->p = fmin(1, 2 * fmin(out->p_less, out->p_greater));
}

/* The sum of t^3 - t over runs of t equal ones among doubled ranks: a rank
 * that t values share stands t times, so that each gives t^2 - 1. */
static double ties_of(const size_t *doubled, size_t n)
{
	size_t *times = pn_calloc(2 * n + 1, sizeof(*times)), i;
	double ties = 0;

	for (i = 0; i < n; i++)
		times[doubled[i]]++;
	for (i = 0; i <= 2 * n; i++)
		ties += ((double)times[i] * (double)times[i] - 1) *
			(double)times[i];
	free(times);
	return ties;
}

void pn_rank_test_of(struct pn_rank_test *out, const double *a, size_t n,
		     const double *b, size_t m)
{
	double *both = pn_realloc_array(NULL, n + m, sizeof(*both));
	size_t *doubled = pn_realloc_array(NULL, n + m, sizeof(*doubled)), i;
	double pairs = (double)n * (double)m, all = (double)(n + m);
	double sum = 0, ties;

	memcpy(both, a, n * sizeof(*a));
	memcpy(both + n, b, m * sizeof(*b));
	pn_stats_ranks(doubled, both, n + m);
	for (i = 0; i < n; i++)
		sum += (double)doubled[i];
	ties = ties_of(doubled, n + m);
	out->u = sum / 2 - (double)n * (double)(n + 1) / 2;
	if (ties == 0 && pairs <= PN_RANK_TEST_EXACT)
		test_exactly(out, n, m);
	else
		test_normally(out, pairs,
			      sqrt(pairs / 12 *
				   (all + 1 - ties / (all * (all - 1)))));
	free(doubled);
	free(both);
}

/* The largest k for which P(U < k) is at most the tail; 0: none. */
static size_t exact_order(size_t n, size_t m, double tail)
{
	size_t size = n * m / 2 + 1, k;
	double *counts = count_orders(size, n, m), below = 0;
	double most = tail * all_orders(n, m);

	for (k = 0; k < size; k++) {
		below += counts[k];
		if (below > most)
			break;
	}
	free(counts);
	return k;
}

size_t pn_rank_test_order(size_t n, size_t m, double tail)
{
	double pairs = (double)n * (double)m, order;

	if (n + m <= PN_RANK_TEST_EXACT_INTERVAL)
		return exact_order(n, m, tail);
	order = pairs / 2 + pn_stats_normal_quantile(tail) *
				    sqrt(pairs * (double)(n + m + 1) / 12);
	return order >= 1 ? (size_t)order : 0;
}

/* How many differences are at most t, the greatest of those, and the least of
 * the others. */
static double count_up_to(double *greatest, double *next, double t,
			  const double *a, size_t n, const double *b, size_t m)
{
	double count = 0, difference;
	size_t i, j = 0;

	*greatest = -INFINITY;
	*next = INFINITY;
	for (i = 0; i < n; i++) {
		while (j < m && b[j] - a[i] <= t)
			j++;
		if (j) {
			difference = b[j - 1] - a[i];
			if (difference > *greatest)
				*greatest = difference;
		}
		if (j < m && b[j] - a[i] < *next)
			*next = b[j] - a[i];
		count += (double)j;
	}
	return count;
}

double pn_rank_test_difference(double number, const double *a, size_t n,
			       const double *b, size_t m)
{
	double low = b[0] - a[n - 1], high = b[m - 1] - a[0], middle;
	double greatest, next;
	int i;

	if (count_up_to(&greatest, &next, low, a, n, b, m) >= number)
		return low;
	for (i = 0; i < BISECTIONS; i++) {
		middle = low / 2 + high / 2;
		if (middle <= low || middle >= high)
			break;
		if (count_up_to(&greatest, &next, middle, a, n, b, m) >= number)
			high = greatest;
		else
			low = middle;
		if (low == middle && next >= high)
			break;
	}
	return high;
}

double pn_rank_test_shift(const double *a, size_t n, const double *b, size_t m)
{
	double pairs = (double)n * (double)m, half = floor(pairs / 2), low;

	if (fmod(pairs, 2) != 0)
		return pn_rank_test_difference(half + 1, a, n, b, m);
	low = pn_rank_test_difference(half, a, n, b, m);
	return low / 2 + pn_rank_test_difference(half + 1, a, n, b, m) / 2;
}
