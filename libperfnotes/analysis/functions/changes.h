/*
 * When what a function costs changed: counts that do not vary as they are,
 * all else by the history's detector (detect/history), and where costs rise or
 * fall from commit to commit to the newest one by far more than they vary,
 * which the detector takes for a drift, each of these commits. Pure.
 */
#ifndef PN_FUNCTIONS_CHANGES_H
#define PN_FUNCTIONS_CHANGES_H

#include "analysis/functions/history.h"

enum pn_function_change_kind {
	PN_FUNCTION_CHANGED,
	PN_FUNCTION_CAME, /* it cost nothing before */
	PN_FUNCTION_WENT  /* it costs nothing since */
};

/* Figures are self or total, as the history's rule has it. */
struct pn_function_change {
	enum pn_function_change_kind kind;
	size_t point; /* the first of the new level */
	/* Numbers of commits one of which made it: `from` is the newest. */
	size_t from, to;
	double before, after;	 /* levels, in the unit of the history */
	double ratio, low, high; /* after by before; NaN: not known */
	double confidence;
};

enum pn_function_doubt {
	PN_FUNCTION_SURE,   /* all that is to be seen is said */
	PN_FUNCTION_FEW,    /* too few commits were measured to tell */
	PN_FUNCTION_RARELY, /* it is seen now and then only */
	PN_FUNCTION_STEADY, /* it drifts, and no one commit stands out */
	/* The newest, or oldest, commits are on another level, and too few. */
	PN_FUNCTION_NEWEST,
	PN_FUNCTION_OLDEST
};

struct pn_function_changes {
	struct pn_function_change *items; /* newest first */
	size_t count;
	enum pn_function_doubt doubt;
	size_t measured; /* values there were */
	/* Of STEADY: the newest level by the oldest one, less 1. */
	double drift;
	/* Of NEWEST and OLDEST: how many commits are apart from the others, and
	 * their mean by that of the others: 0 or infinite where one of the two
	 * costs nothing. */
	size_t apart;
	double apart_ratio;
};

/* Of counts that differ by less there is no change, nor of other figures. */
#define PN_FUNCTION_MIN_EXACT 0.001
#define PN_FUNCTION_MIN_EFFECT 0.005
/* Of all that a cost drifts by, where no change is found. */
#define PN_FUNCTION_MIN_DRIFT 0.02
/* Commits that have to be measured before anything is said of figures that
 * vary. */
#define PN_FUNCTION_MIN_POINTS 6

/* `min_effect` is relative; 0: as above. Time as of pn_change_points_of. */
void pn_function_changes_of(struct pn_function_changes *out,
			    const struct pn_function_history *history,
			    const struct pn_function_row *row,
			    double min_effect);
void pn_function_changes_release(struct pn_function_changes *changes);

#endif
