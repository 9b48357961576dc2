/*
 * Where the values of a history change for good: a value for each commit, most
 * often the median of its runs. Pure.
 *
 * A hidden Markov model on a grid of levels, with a density of the noise that
 * is learned from the history itself; models in which noise is correlated, the
 * level wanders, or the machine is slow for a while now and then are weighed
 * against it by their evidence, so that these are not taken for changes.
 */
#ifndef PN_HISTORY_HISTORY_H
#define PN_HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#define PN_HISTORY_MIN_VALUES 6 /* measured; nothing is found in fewer */

/* A change: commits are numbered from 0, those that were not measured too. */
struct pn_change_point {
	size_t at; /* the first measured commit of the new level, if one */
	/* The commit that made it is one of these in 95 of 100 cases. */
	size_t from, to;
	double confidence; /* that there is one, within two commits of `at` */
	double before, after; /* levels, in the unit of the values */
	/* Relative; where not all values are positive, in shares of the unit:
	 * the median size of the values. */
	double effect;
	double low, high; /* where it is in 95 of 100 cases; NaN: not known */
};

/* `noise` and `rho` are NaN with too few values, `drift` where there is
 * none. */
struct pn_change_points {
	struct pn_change_point *changes; /* in order of commits */
	size_t count;
	size_t measured;
	double noise; /* standard deviation of a value, relative as effects */
	double rho;   /* correlation of a commit's noise with the one before */
	/* By how much the last segment drifts from its begin to its end. */
	double drift;
};

/*
 * n values; NaN where a commit was not measured, all others finite. Time
 * O(n levels): 1 to 3 us a commit, 5 where noise is correlated, some 13 where
 * they change often and by much; memory O(n). Of 32,768 and more the noise is
 * learned from 16,384, and 100,000 take .1 to .7 s.
 */
void pn_change_points_of(struct pn_change_points *out, const double *values,
			 size_t n);
void pn_change_points_release(struct pn_change_points *history);

/*
 * Whether a change is sure enough to stop somebody: as soon as its confidence
 * is .95, or where it is .9 now and was without the newest commit, `before`
 * (NULL: not known). Of 105 steps of 200 labelled histories that five standard
 * errors tell, 83 % are found with three commits on the new level; of 1,000
 * commits 1.6 raise a false alarm, half of them among the first 20.
 */
bool pn_change_point_is_confirmed(const struct pn_change_point *change,
				  const struct pn_change_points *before);

#endif
