/*
 * What a sample of one metric comes down to. Pure: the order of the values
 * does not count and they are not modified; all of them must be finite.
 */
#ifndef PN_MODEL_SUMMARY_H
#define PN_MODEL_SUMMARY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_summary {
	uint64_t n;
	double min, q1, median, q3, max;
	double mean;
	double sd; /* of the population, estimated (n - 1); NaN when n is 1 */
};

/*
 * Quartiles by pn_summary_quantile. Mean and sd by the corrected two-pass
 * algorithm (Chan, Golub & LeVeque, Am. Stat. 37, 1983). PN_ERANGE without a
 * value or with one that is not finite. Time O(n log n), memory O(n).
 */
int pn_summary_of(struct pn_summary *out, const double *values, size_t n,
		  struct pn_error *err);

/*
 * How far a value lies from the median as a rule: the standard deviation of
 * normal values whose middle half is as wide as that of these, which a few
 * slow runs among many don't move; `sd` where that is less, where half of the
 * values are equal, and where fewer than PN_SUMMARY_SPREAD_MIN say little of
 * their quartiles. NaN of one value. Tukey, Exploratory Data Analysis (1977).
 */
#define PN_SUMMARY_SPREAD_MIN 5
double pn_summary_spread(const struct pn_summary *summary);

/* As pn_quantile_sort and pn_quantile_of (base/numbers/quantile.h): ascending
 * order in place; the quantile p (0..1) of sorted values, type 7 of Hyndman &
 * Fan. */
void pn_summary_sort(double *values, size_t n);
double pn_summary_quantile(const double *sorted, size_t n, double p);

/*
 * An interval that holds the median of the population with at least this
 * `confidence` (0.5 up to below 1), from order statistics alone: x(k) and
 * x(n + 1 - k) with the largest k for which P(Bin(n, 1/2) < k) is at most
 * (1 - confidence) / 2. Exact for every continuous distribution. PN_ERANGE
 * when n is too small for it: 0.95 needs 6 values.
 * David & Nagaraja, Order Statistics, 3rd ed. (2003), 7.1.
 */
struct pn_interval {
	double low, high;
};
int pn_summary_median_interval(struct pn_interval *out, const double *sorted,
			       size_t n, double confidence,
			       struct pn_error *err);

/*
 * Which of n values are outliers: farther from the median than
 * PN_OUTLIER_SIGMAS standard deviations, these estimated by 1.4826 times the
 * median of the absolute deviations, or by 1.2533 times their mean when more
 * than half of the values are equal. `is_outlier` (n flags) may be NULL.
 * Returns how many there are. Iglewicz & Hoaglin, How to Detect and Handle
 * Outliers (1993).
 */
#define PN_OUTLIER_SIGMAS 10 /* only what is beyond doubt, as hyperfine */
size_t pn_summary_outliers(bool *is_outlier, const double *values, size_t n);

#endif
