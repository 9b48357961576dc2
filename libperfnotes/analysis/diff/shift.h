/*
 * By what factor one sample is larger than another, with an interval, without
 * assuming a distribution. Pure.
 */
#ifndef PN_DIFF_SHIFT_H
#define PN_DIFF_SHIFT_H

#include "model/summary.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_SHIFT_CONFIDENCE 0.95
#define PN_SHIFT_MAX_PAIRS (4u << 20) /* of values: 32 MB to sort them */

/*
 * The interval of the shift between the logarithms of n values `before` and m
 * values `after`, as factors: it holds the true one in 95 of 100 cases at the
 * least where both are of one shape. It is bounded by the order statistics of
 * all differences that invert the Mann-Whitney test, exact up to 50 values on
 * each side, by the normal approximation above.
 *
 * False when it cannot be told: a value is not above 0, there are too few of
 * them (4 and 4 are enough, 3 and 5, 2 and 8), or more than PN_SHIFT_MAX_PAIRS
 * pairs. Time O(n m log(n m)).
 * Hodges & Lehmann, Ann. Math. Stat. 34 (1963); Hollander, Wolfe & Chicken,
 * Nonparametric Statistical Methods, 3rd ed. (2014), 4.3.
 */
bool pn_shift_ratio(struct pn_interval *out, const double *before, size_t n,
		    const double *after, size_t m);

/*
 * The largest k for which the k-th smallest and the k-th largest of the n m
 * differences bound that interval: 2 P(U < k) is at most 0.05. 0: there is
 * none.
 */
size_t pn_shift_order(size_t n, size_t m);

#endif
