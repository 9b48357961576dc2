/*
 * Two samples by the order of their values alone: the test of Mann & Whitney
 * (Ann. Math. Stat. 18, 1947) and the shift that belongs to it (Hodges &
 * Lehmann, Ann. Math. Stat. 34, 1963). Pure; all values must be finite, both
 * samples have one at least.
 */
#ifndef PN_DETECT_RANK_TEST_H
#define PN_DETECT_RANK_TEST_H

#include <stdbool.h>
#include <stddef.h>

struct pn_rank_test {
	double u; /* pairs in which the value of `a` is the greater one; equal
		   * ones count half */
	double p; /* of both sides */
	double p_less, p_greater; /* `a` lies below, above */
	bool exact;
};

/*
 * Exact where no two values are equal and n m is at most PN_RANK_TEST_EXACT,
 * else by the normal approximation, corrected for ties and continuity. Time
 * O(N log N), exact O(n m min(n, m)).
 */
#define PN_RANK_TEST_EXACT 2500
void pn_rank_test_of(struct pn_rank_test *out, const double *a, size_t n,
		     const double *b, size_t m);

/*
 * How many of the least differences b[j] - a[i] lie outside of the interval
 * of their shift whose each side is missed with at most `tail`; it runs from
 * the difference with this number to the one with it counted from above. 0:
 * there are too few values. Exact for up to 60 values in all. Hollander, Wolfe
 * & Chicken, Nonparametric Statistical Methods, 3rd ed. (2014), 4.3.
 */
#define PN_RANK_TEST_EXACT_INTERVAL 60
size_t pn_rank_test_order(size_t n, size_t m, double tail);

/* The difference with that number, from 1, in ascending order, of samples in
 * ascending order. Time O(n + m) a step of a search with 60 or so. */
double pn_rank_test_difference(double number, const double *a, size_t n,
			       const double *b, size_t m);
/* The median of the differences, of samples in ascending order. */
double pn_rank_test_shift(const double *a, size_t n, const double *b, size_t m);

#endif
