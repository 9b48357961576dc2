/*
 * Which of a line of commits made a metric step, and what to run next to learn
 * it: from what was measured so far alone, so that whoever was interrupted
 * goes on where he was. Pure.
 *
 * One step from one level to another; neither is known but by the runs, nor is
 * the noise: a step between two commits that were measured next to each other,
 * with n0 runs before it and n1 behind, has the likelihood
 *
 *	(n0 n1)^(-1/2) SS^(-(n0 + n1 - 2) / 2)
 *
 * of the squares SS within both sides, which is what remains when flat priors
 * of both levels and of the logarithm of the noise are integrated out; it is
 * shared by the commits between the two as their weights say. To take the
 * levels of the ends for known instead makes one far too sure of small steps.
 */
#ifndef PN_BISECT_BISECT_H
#define PN_BISECT_BISECT_H

#include <stdbool.h>
#include <stddef.h>

#define PN_BISECT_MAX 100000 /* commits of a range */

/* Of the line, oldest first: the first is the good end, the last the bad one.
 */
struct pn_bisect_commit {
	const double *values; /* of its runs, finite; borrowed */
	size_t count;
	/* How likely it made the step beside others, by what is known without
	 * running it: 1 is usual; 0 it did not. */
	double weight;
	bool skipped; /* it does not build or run: nothing will be known */
};

struct pn_bisect_options {
	size_t end_runs;   /* of each end, at least */
	size_t end_most;   /* of each end, without being told apart */
	double end_t;	   /* from which on the ends differ: Welch's t */
	double confidence; /* at which a commit is named */
	size_t least_runs; /* of it and of the one before */
	/* Standard deviation of a run where that is known, as of counters: of
	 * logarithms; 0: it is not. Then a step is min_effect or more. */
	double sd;
	double min_effect;
};
#define PN_BISECT_DEFAULTS                                                     \
	((struct pn_bisect_options){5, 40, 5, 0.98, 3, 0, 0.001})
/* Counts of instructions differ by a hundred or two from run to run. */
#define PN_BISECT_COUNTERS                                                     \
	((struct pn_bisect_options){1, 3, 5, 0.98, 1, 1e-4, 0.001})

enum pn_bisect_state {
	PN_BISECT_ENDS,	 /* the ends are not told apart yet: run `next` */
	PN_BISECT_GOING, /* run `next` */
	PN_BISECT_FOUND, /* one of from ... to, most often one commit */
	PN_BISECT_SAME,	 /* the ends do not differ, as far as runs can tell */
	PN_BISECT_STUCK	 /* an end cannot be measured */
};

struct pn_bisect {
	enum pn_bisect_state state;
	size_t next;	/* commit to be run once more */
	double *chance; /* of each commit, to have made the step; owned */
	size_t count;
	double t; /* of the ends */
	/* The part of the line that is looked at: the whole one, unless the
	 * runs show several steps, up or down, of which the largest is looked
	 * for. */
	size_t good, bad;
	size_t steps; /* at least so many are there */
	/* The step was made by one of these: chance that it is. Of FOUND more
	 * than one only where those before the last were skipped. */
	size_t from, to;
	double confidence;
	/* Of GOING: so many commits stand for .95 of the chance. */
	size_t left;
};

/*
 * `count` commits, at least two. Time O(count + steps m^2), m of them measured.
 */
void pn_bisect_look(struct pn_bisect *out,
		    const struct pn_bisect_commit *commits, size_t count,
		    const struct pn_bisect_options *options);
void pn_bisect_release(struct pn_bisect *bisect);

#endif
