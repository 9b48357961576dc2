/*
 * The statistics that the detectors share: tails and quantiles of the normal
 * and Student's distribution, location and spread of a sample, ranks, and
 * control of many tests. Pure; all values must be finite.
 */
#ifndef PN_DETECT_STATS_H
#define PN_DETECT_STATS_H

#include <stddef.h>

/* Of a normal distribution: what the median absolute deviation times this
 * estimates is the standard deviation. Four digits, as all robust statistics
 * that are compared with ours have it. */
#define PN_STATS_MAD_TO_SD 1.4826

/* P(Z > z) of the standard normal distribution; far tails keep their digits. */
double pn_stats_normal_upper(double z);
/* The z with P(Z <= z) = p, 0 < p < 1. */
double pn_stats_normal_quantile(double p);

/* ln Gamma(x), x > 0: unlike lgamma it sets no variable. Stirling's series
 * behind a shift; 14 digits. */
double pn_stats_log_gamma(double x);
/* The regularized incomplete beta function I_x(a, b), a and b > 0. Continued
 * fraction: Abramowitz & Stegun 26.5.8, evaluated by Lentz's method. */
double pn_stats_beta(double a, double b, double x);

/* Student's distribution with df > 0 degrees of freedom, whole or not:
 * P(T > t), P(|T| > |t|), and the t for which the latter is p (0 < p < 1). */
double pn_stats_t_upper(double t, double df);
double pn_stats_t_both(double t, double df);
double pn_stats_t_critical(double p, double df);

/* Of n >= 1 values in any order. */
double pn_stats_mean(const double *values, size_t n);
double pn_stats_median(const double *values, size_t n);
/* Median of the absolute deviations from `centre`, not scaled. */
double pn_stats_mad(const double *values, size_t n, double centre);
/* Of the population, estimated (n - 1); 0 of one value. */
double pn_stats_variance(const double *values, size_t n);
/* Move values that are farther from their median than `sds` standard
 * deviations (by PN_STATS_MAD_TO_SD) to that distance, in place; nothing where
 * more than half of them are equal. */
void pn_stats_winsorize(double *values, size_t n, double sds);

/* Ranks from 1 in ascending order, doubled so that they are whole numbers
 * where equal values share the mean of theirs. */
void pn_stats_ranks(size_t *doubled, const double *values, size_t n);

/*
 * Adjusted p values: q[i] is the least false discovery rate at which test i is
 * among the discoveries. q may be p. Benjamini & Hochberg, J. R. Stat. Soc. B
 * 57 (1995). Time O(n log n).
 */
void pn_stats_adjust(double *q, const double *p, size_t n);

#endif
