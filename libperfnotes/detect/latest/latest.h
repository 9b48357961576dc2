/*
 * The commit that was measured just now beside its past: whether it is slower
 * than its history lets expect, so that a comparison of builds is worth it, and
 * what can be said without one. Pure.
 */
#ifndef PN_LATEST_LATEST_H
#define PN_LATEST_LATEST_H

#include "detect/verdict.h"

#include <stdbool.h>
#include <stddef.h>

#define PN_LATEST_BASE 20 /* commits that tell the level that is expected */

/* A commit's runs: positive values of which less is better. */
struct pn_latest_commit {
	const double *runs;
	size_t count; /* 0: not measured */
	/* Commits on one level have the same number, by the changes that were
	 * found in the history (detect/history). */
	size_t segment;
};

struct pn_latest_options {
	double flag_p; /* of the t test, at which a comparison is worth it */
	double min_effect; /* relative: a lesser one is no change */
	/* Standard deviation of the median of a commit's runs, of logarithms,
	 * from sessions that measured one commit; 0: not known. */
	double sd_prior;
	/* How unusual this session is, see pn_session_shift. */
	double session;
};
#define PN_LATEST_DEFAULTS ((struct pn_latest_options){0.20, 0.005, 0, 0})

enum pn_latest_method {
	PN_LATEST_NONE,	 /* the past is too short */
	PN_LATEST_EXACT, /* nothing ever varied: compared as it is */
	PN_LATEST_TEST
};

/* Logarithms but for effect and level. NaN: not known. */
struct pn_latest {
	enum pn_verdict verdict; /* of what is known without a comparison */
	enum pn_latest_method method;
	bool flagged;	 /* worth a comparison of builds: may be slower */
	size_t measured; /* commits of the past */
	size_t base;	 /* of these tell the level: the last ones measured */
	size_t errors;	 /* earlier commits judged in the same way */
	double level;	 /* expected, in the unit of the runs */
	double effect;	 /* relative */
	double p, p_slower;
	/* Of the earlier commits, itself included, that lie as far off; 0: too
	 * few to tell. */
	double rank;
	double t, df, se; /* se: of the effect */
	double sd;	  /* of a commit */
	double run_variance;
	double worst; /* of earlier commits, on the same side */
	/* Relative effect that is flagged in nearly all cases. */
	double least_effect;
	/* Of a comparison of builds: the slowdown that it looks for, and what
	 * the past says for it (see detect/duel/futility.h). */
	double delta, start;
};

/*
 * `past` is in order, oldest first, without the commit whose `count` runs are
 * given. Degradation and Optimization only where the past leaves no doubt: p
 * below 1e-4, half as far again off as any of 20 earlier commits, five commits
 * on this level, a usual session. Else Maybe below .01, or NoChange over
 * `least_effect`. Unknown with fewer than three measured commits, where
 * sd_prior is known without any, and without runs.
 *
 * The level is a mean with weights that halve every six commits, outliers moved
 * in; its error is taken from how well it foretold each of the last 60 commits,
 * by a biweight variance (Mosteller & Tukey, Data Analysis and Regression
 * (1977), 10E). Time O(commits).
 */
void pn_latest_of(struct pn_latest *out, const struct pn_latest_commit *past,
		  size_t past_count, const double *runs, size_t count,
		  const struct pn_latest_options *options);

/*
 * How unusual a session is as a whole, in standard deviations: 0 where there
 * are fewer than 10 metrics or 10 commits before. `deviations` has a row of
 * `metrics` for each commit, the one that is judged last: logarithms of the
 * medians less the level that each metric had, NaN for what is missing; `sds`
 * are those of a commit. Beyond 4 every metric moved at once: the machine did,
 * or something that all of them share.
 */
double pn_session_shift(const double *deviations, size_t commits,
			const double *sds, size_t metrics);

#endif
