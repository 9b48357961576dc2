/*
 * How many levels the runs of a line of commits show, and where these begin.
 * Pure.
 */
#ifndef PN_BISECT_LEVELS_H
#define PN_BISECT_LEVELS_H

#include <stddef.h>

/* A commit that was measured. */
struct pn_level_point {
	size_t at; /* the commit */
	/* Of its values and those of all points before it. */
	double n, sum, squares;
};

/* Of the points first ... end - 1. */
struct pn_level {
	size_t first, end;
	double n, mean, squares; /* around the mean */
};

struct pn_level_options {
	double t; /* Welch's, from which on neighbouring levels are two */
	/* Standard deviation of a run where that is known, else 0; and by how
	 * much levels differ that are two, of logarithms. */
	double sd, min_effect;
};

/* Runs of a level, of which the noise is not known, before it counts as one. */
#define PN_LEVEL_RUNS 3

void pn_level_of(struct pn_level *out, const struct pn_level_point *points,
		 size_t first, size_t end);

/* The t of a shift between means of n and m runs whose sd is known; 0 where it
 * is less than the least effect. */
double pn_level_known_t(const struct pn_level_options *options, double shift,
			double n, double m);

/*
 * The levels of `count` points, oldest first: at least one. `out` is owned by
 * the caller. Where the noise is known a level ends at the first point that is
 * off its mean: O(count). Else they are those with the least squares within
 * (I. E. Auger and C. E. Lawrence, Bull. Math. Biol. 51 (1989)), one more for
 * as long as all neighbours differ, or with still one more do, so that a rise
 * that is taken back is seen: O(levels count^2).
 */
size_t pn_levels_find(struct pn_level **out,
		      const struct pn_level_point *points, size_t count,
		      const struct pn_level_options *options);

#endif
