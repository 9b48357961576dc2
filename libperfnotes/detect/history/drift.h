/* Noise that is correlated, and a level that moves slowly all the time. Pure.
 */
#ifndef PN_HISTORY_DRIFT_H
#define PN_HISTORY_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

#define PN_DRIFT_LEAST 0.02 /* of the level, over all of a segment */

/*
 * Correlation of neighbours in n residuals, whose outliers count as four
 * standard deviations; what taking off as many `centres` took from it is
 * given back. M. G. Kendall, Biometrika 41 (1954). 0 where nothing varies.
 */
double pn_drift_correlation(const double *residuals, size_t n, size_t centres);

/* The same from n differences of neighbours, which hardly know of changes of
 * the level: of values whose deviation is sd. */
double pn_drift_correlation_of_jumps(const double *jumps, size_t n, double sd);

/*
 * The line through n values from `from` to `to`, at the first and the last of
 * them: Theil and Sen's slope, through the median; level below
 * PN_DRIFT_LEAST_VALUES. Of many values the medians of up to 50 runs of
 * neighbours are looked at. P. K. Sen, J. Am. Stat. Assoc. 63 (1968).
 */
#define PN_DRIFT_LEAST_VALUES 10
struct pn_line {
	double from, to;
};
void pn_drift_line(struct pn_line *out, const double *values, size_t n);
/* out = values less the line; may be the same. */
void pn_drift_take_off(double *out, const double *values, size_t n,
		       const struct pn_line *line);

/*
 * Whether n values have a trend: Mann and Kendall's test at .001, its variance
 * widened for neighbours whose noise has the correlation rho.
 * H. B. Mann, Econometrica 13 (1945).
 */
bool pn_drift_is_there(const double *values, size_t n, double rho);

#endif
