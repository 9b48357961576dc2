/*
 * Two samples of one metric, a value for each run: whether the target differs
 * from the baseline, by how much, how sure. Pure.
 */
#ifndef PN_DETECT_PAIR_H
#define PN_DETECT_PAIR_H

#include "detect/verdict.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_PAIR_MIN_VALUES 3 /* of each side: with fewer no test decides */

struct pn_pair_options {
	double alpha;	   /* share of comparisons of equals that may be
			    * confirmed: below it a test decides */
	double min_effect; /* relative: a lesser one is no change */
	/* The same where all values of a side are equal: a counter that does
	 * not vary. */
	double min_effect_exact;
	/* They are no counter but read from a clock: equal values are known to
	 * its tick (detect/clock.h). */
	bool clock;
};
#define PN_PAIR_DEFAULTS ((struct pn_pair_options){0.01, 0.005, 0.001, false})

enum pn_pair_method {
	PN_PAIR_NONE,  /* too few values */
	PN_PAIR_EXACT, /* both sides are constant: compared as they are */
	PN_PAIR_CLOCK, /* the same, as far as a clock tells */
	PN_PAIR_TESTS  /* by two tests */
};

/* NaN: not known. */
struct pn_pair_verdict {
	enum pn_verdict verdict; /* Unknown, NoChange, [Maybe]Degradation,
				  * [Maybe]Optimization */
	enum pn_pair_method method;
	size_t n, m;	  /* values of baseline and target */
	double ratio;	  /* of the target to the baseline */
	double low, high; /* where it is in 95 of 100 cases */
	double p;	  /* the greater one of: */
	double p_rank;	  /* Mann & Whitney's test */
	double p_mean;	  /* Welch's test of the means without outliers */
	double noise;	  /* standard deviation of a value, relative */
	/* The relative effect that would be confirmed in 4 of 5 cases with as
	 * many values and this noise. */
	double least_effect;
};

/*
 * `baseline` and `target` are n and m finite values in one unit in which less
 * is better, in any order. Where all are positive their logarithms are
 * compared: ratio and interval are those of Hodges & Lehmann's shift. Where
 * some are not, the values themselves, relative to the median of the baseline;
 * without such a one (0) ratio and interval are not known.
 *
 * Degradation and Optimization when both tests reject at alpha, or, as three
 * values a side cannot let the ranks do that, when all values of one side lie
 * beyond those of the other and the means are told apart at alpha / 10. Maybe
 * when one test rejects. NoChange below the least effect, and else. Unknown
 * with fewer than PN_PAIR_MIN_VALUES on a side; two are enough where each side
 * is constant. Welch's test takes values farther than five standard deviations
 * (by the median deviation) from the median as if they lay there.
 * Time O(N log N); B. L. Welch, Biometrika 34 (1947).
 */
void pn_pair_of(struct pn_pair_verdict *out, const double *baseline, size_t n,
		const double *target, size_t m,
		const struct pn_pair_options *options);

/* Welch's test of two samples of at least two values: P of both sides. 0 or 1
 * where neither varies. */
double pn_pair_welch(double *t, double *df, const double *a, size_t n,
		     const double *b, size_t m);

#endif
