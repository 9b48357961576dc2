/* When to stop asking whether B is slower. */
#include "detect/duel/futility.h"

#include "base/alloc.h"
#include "base/numbers/quantile.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_Z (-9.0)
#define MOST_Z 3.0
#define SHIFT 2.5 /* standard deviations that a slowdown is taken to have */

double pn_duel_futility_start(double p)
{
	double z = -pn_stats_normal_quantile(p);

	z = fmax(LEAST_Z, fmin(MOST_Z, z));
	return SHIFT * z - SHIFT * SHIFT / 2;
}

double pn_duel_futility_value(const struct pn_duel_futility *futility,
			      const double *differences, size_t n)
{
	double *sorted = pn_quantile_sorted(differences, n);
	double middle = pn_quantile_of(sorted, n, 0.5), mean = 0, squares = 0;
	double pair = 2 * futility->run_variance, pairs = (double)n;
	double most = PN_DUEL_FUTILITY_CLIP * sqrt(pair), variance;
	size_t i;

	for (i = 0; i < n; i++) {
		sorted[i] = fmax(middle - most, fmin(middle + most, sorted[i]));
		mean += sorted[i] / pairs;
	}
	for (i = 0; i < n; i++)
		squares += (sorted[i] - mean) * (sorted[i] - mean);
	free(sorted);
	variance = (PN_DUEL_FUTILITY_WEIGHT * pair + squares) /
		   (PN_DUEL_FUTILITY_WEIGHT + pairs - 1);
	return futility->start +
	       pairs *
		       (mean * futility->delta -
			futility->delta * futility->delta / 2) /
		       variance;
}

bool pn_duel_is_futile(const struct pn_duel_futility *futility,
		       const struct pn_duel *duel)
{
	double differences[PN_DUEL_MAX_PAIRS];
	size_t i, n = duel->count;

	if (duel->of_differences || n < PN_DUEL_FUTILITY_LEAST ||
	    (n >= PN_DUEL_MIN_PAIRS && !pn_duel_is_look(n)))
		return false;
	for (i = 0; i < n; i++)
		differences[i] = log(duel->b[i] / duel->a[i]);
	return pn_duel_futility_value(futility, differences, n) <
	       PN_DUEL_FUTILE;
}
