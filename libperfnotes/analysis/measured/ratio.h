/*
 * How many times longer one command takes than another, from their runs alone:
 * no distribution is assumed. Pure.
 */
#ifndef PN_MEASURED_RATIO_H
#define PN_MEASURED_RATIO_H

#include <stdbool.h>
#include <stddef.h>

#define PN_RATIO_CONFIDENCE 0.95

struct pn_ratio {
	double value; /* median of `b` through median of `a` */
	/* Where the true one is in 95 of 100 cases; NaN: too few runs, fewer
	 * than four on a side (three are enough beside five). */
	double low, high;
};

/*
 * `a` and `b` are n and m positive values, ascending; both have one at least.
 * The interval is that of the shift of logarithms which the test of Mann and
 * Whitney does not refuse, and of the ratio of medians where that lies beside
 * it: order statistics of the n m quotients (Hodges & Lehmann, Ann. Math.
 * Stat. 34 (1963); Hollander, Wolfe & Chicken, Nonparametric Statistical
 * Methods, 3rd ed. (2014), 4.3). Which of them, pn_rank_test_order says. Time
 * O(n + m) a step of a search with 60 or so.
 */
void pn_ratio_of(struct pn_ratio *out, const double *a, size_t n,
		 const double *b, size_t m);

/* A difference was seen: 1 is not among what is likely. */
bool pn_ratio_differs(const struct pn_ratio *ratio);

#endif
