/* Ratios and their intervals. */
#include "analysis/measured/ratio.h"

#include "detect/rank_test.h"
#include "model/summary.h"

#include <math.h>

#define TAIL ((1 - PN_RATIO_CONFIDENCE) / 2)
#define BISECTIONS 200 /* more than a double's bits need, whatever the span */

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
	size_t rank = pn_rank_test_order(n, m, TAIL);
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
