/* Order and quantiles of numbers. Pure; none may be NaN. */
#ifndef PN_NUMBERS_QUANTILE_H
#define PN_NUMBERS_QUANTILE_H

#include <stddef.h>

/* Sort numbers in ascending order, in place. Time O(n log n). */
void pn_quantile_sort(double *values, size_t n);
/* A sorted copy of n >= 1 values; the caller frees. */
double *pn_quantile_sorted(const double *values, size_t n);

/*
 * The value that would stand at place k if the values were sorted, k < n;
 * before it are none that are greater then, behind it none that are less. Time
 * O(n), in the worst case that of sorting.
 */
double pn_quantile_select(double *values, size_t n, size_t k);

/* pn_quantile_of n >= 1 values that are not sorted; moves them about. */
double pn_quantile_pick(double *values, size_t n, double p);

/*
 * The quantile p (0..1) of n >= 1 sorted values: linear between the order
 * statistics around (n - 1) p, type 7 of Hyndman & Fan, Am. Stat. 50 (1996),
 * which is the default of R and of numpy.
 */
double pn_quantile_of(const double *sorted, size_t n, double p);

#endif
