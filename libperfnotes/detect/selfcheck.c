/* What comparisons of a program with itself say of a machine. */
#include "detect/selfcheck.h"

#include "base/alloc.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>

#define ROOT_2 1.41421356237309504880
#define MISSED 0.05 /* of the upper bound of a share */
#define BISECTIONS 100

/* The share with which so many or fewer of n happen in 5 of 100 cases. */
static double most_likely_share(size_t happened, size_t n)
{
	double low = 0, high = 1, middle, k = (double)happened;
	int i;

	if (happened == n)
		return 1;
	for (i = 0; i < BISECTIONS; i++) {
		middle = low + (high - low) / 2;
		/* P(more than k) of a binomial is a beta function */
		if (1 - pn_stats_beta(k + 1, (double)n - k, middle) > MISSED)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static void count_verdict(struct pn_selfcheck *out, enum pn_verdict verdict)
{
	out->confirmed += verdict == PN_VERDICT_DEGRADATION ||
			  verdict == PN_VERDICT_OPTIMIZATION;
	out->maybe += verdict == PN_VERDICT_MAYBE_DEGRADATION ||
		      verdict == PN_VERDICT_MAYBE_OPTIMIZATION;
}

void pn_selfcheck_of(struct pn_selfcheck *out,
		     const struct pn_pair_verdict *pairs, size_t count,
		     const struct pn_pair_options *options)
{
	double *shifts = pn_realloc_array(NULL, 2 * count + 1, sizeof(double));
	double *effects = shifts + count;
	size_t i, n = 0;

	*out = (struct pn_selfcheck){.false_share = NAN,
				     .false_most = NAN,
				     .sd = NAN,
				     .least_effect = NAN,
				     .min_effect = options->min_effect};
	for (i = 0; i < count; i++) {
		if (!(pairs[i].ratio > 0) ||
		    pairs[i].verdict == PN_VERDICT_UNKNOWN)
			continue;
		count_verdict(out, pairs[i].verdict);
		shifts[n] = log(pairs[i].ratio);
		effects[n++] = pairs[i].least_effect;
	}
	out->pairs = n;
	if (n) {
		out->false_share = (double)out->confirmed / (double)n;
		out->false_most = most_likely_share(out->confirmed, n);
		out->least_effect = pn_stats_median(effects, n);
		out->min_effect =
			fmax(out->min_effect,
			     2 * fabs(expm1(pn_stats_median(shifts, n))));
	}
	if (n >= PN_SELFCHECK_SESSIONS)
		out->sd = PN_STATS_MAD_TO_SD * pn_stats_mad(shifts, n, 0) /
			  ROOT_2;
	out->may_gate = n >= PN_SELFCHECK_PAIRS &&
			out->false_share <= PN_SELFCHECK_FALSE;
	free(shifts);
}
