/*
 * Which functions explain that a program costs more or less than it did: from
 * two profiles alone, without another run. Pure.
 *
 * Own costs are compared (detect/functions), as those with what is called
 * would name every caller; functions are paired as in a diff (diff/diff.h).
 * Where both profiles know calls, a change of cost is told apart into that of
 * the number of calls and that of what a call costs: with n calls of cost c,
 * dn (c0 + c1) / 2 and dc (n0 + n1) / 2, whose sum is the change.
 */
#ifndef PN_WHY_WHY_H
#define PN_WHY_WHY_H

#include "analysis/diff/diff.h"
#include "analysis/diff/reports.h"
#include "detect/functions/functions.h"

#define PN_WHY_MAX 20 /* functions that are named */
/* A function has to make so much of the change to be named, ... */
#define PN_WHY_LEAST 0.01
/* ... and so much once PN_FUNCTIONS_EXPLAINED of it is explained. */
#define PN_WHY_MORE 0.1
/* What is called from elsewhere is told: so much of its calls, ... */
#define PN_WHY_MOVED 0.1
/* ... of a function of so much of the whole, with what it calls; so is what
 * only has another name. */
#define PN_WHY_MOVED_SHARE 0.01

/* Figures are of one run; NaN: not known. Texts are borrowed. */
struct pn_why_row {
	const char *name, *old_name; /* old_name: before it was renamed; NULL */
	const char *file;	     /* "": not known */
	enum pn_diff_state state;
	/* Unknown where a run on each side cannot tell change from noise. */
	enum pn_verdict verdict;
	double old_self, new_self, delta;
	double of_change; /* delta by that of the whole */
	double ratio, low, high, q;
	double old_calls, new_calls;
	double by_calls, by_each; /* parts of delta */
	enum pn_function_cause cause;
	/* Of its callers the one with the most calls more, where it is called
	 * more often, or fewer, where it is called less; of a moved one that
	 * which calls it now. NULL: none, or not known. */
	const char *caller;
	double caller_old, caller_new; /* calls */
	bool moved;		       /* called from elsewhere, mostly */
	const char *moved_from;	       /* the caller that lost it, if moved */
};

struct pn_why {
	const char *type, *unit; /* of the costs */
	double old_total, new_total, delta;
	double common;	  /* what all functions changed by together; else 1 */
	double explained; /* share of delta that the rows make, 0 to 1 */
	bool tested;	  /* rows are told from noise: of several runs */
	size_t changed_count; /* functions that differ, named or not */
	/* Those that make the change, the largest first; behind them what only
	 * has another name or other callers. */
	struct pn_why_row *rows;
	size_t row_count, explaining_count;
	struct pn_diff_reports reports; /* what the texts are of */
	struct pn_diff diff;
};

/*
 * Of the value type `type` (NULL: the default one of `after`). Both profiles
 * are borrowed until the release and must not change; their figures are those
 * of pn_profile_runs runs. PN_EINVAL: one has no such costs, or in another
 * unit. Time O(frames + n log n).
 */
int pn_why_init(struct pn_why *out, struct pn_profile *before,
		struct pn_profile *after, const char *type,
		struct pn_error *err);
/* Takes zeros. */
void pn_why_release(struct pn_why *why);

#endif
