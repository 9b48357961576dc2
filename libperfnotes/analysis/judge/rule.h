/* Inside of analysis/judge/ only: the rules by which one metric is judged. */
#ifndef PN_JUDGE_RULE_H
#define PN_JUDGE_RULE_H

#include "analysis/judge/judge.h"
#include "detect/history/history.h"
#include "detect/latest/latest.h"

#define PN_JUDGE_SESSION_MOST 4.0 /* beyond it a session is unusual */
#define PN_JUDGE_STEADY 20	  /* commits that tell whether values vary */

/*
 * A course for the detectors: oldest first, without what is left out. Less is
 * better: values of which more is better are turned over, where all of them are
 * positive; else all stay as they are, and `falls` says that less is worse.
 */
struct pn_judge_past {
	struct pn_latest_commit *commits;
	double *medians;
	size_t *numbers; /* of the commits, in the course */
	size_t count;
	struct pn_latest_commit target;
	double *runs; /* owns all of them */
	bool turned;
	bool falls;
	bool positive;
	bool clocked; /* times, samples: a clock tells no less than a tick */
	size_t left_out;
	bool noisy; /* the target is, and quiet ones are there */
};

void pn_judge_past_init(struct pn_judge_past *out,
			const struct pn_course *course);
void pn_judge_past_release(struct pn_judge_past *past);

/* Whether its values do not vary by themselves: a counter. */
bool pn_judge_is_exact(const struct pn_judge_past *past,
		       const struct pn_course *course);

/* The same of at least three commits with a run each: most are as the one
 * before, and the others do not go up and down by a few last digits, nor did
 * the newest. */
bool pn_judge_is_steady(const struct pn_judge_past *past,
			const struct pn_course *course);

/* Whether equal values are followed by others that are so few last digits away
 * that noise may have been hidden by rounding: the fewer there are, the more
 * digits. Such a change is not sure. */
bool pn_judge_may_be_rounding(const struct pn_judge_past *past,
			      const struct pn_course *course, double before,
			      double after);
/* `turned`: the row's values are still turned over. */
void pn_judge_round(struct pn_judge_row *row, const struct pn_judge_past *past,
		    bool turned);

/* The last digit that the newest values are written with; 0: less than any. */
double pn_judge_last_digit(const struct pn_course *course);

/* Begins segments of a short and positive past in which the history has none:
 * at levels of two commits, farther from each other than four values tell of
 * their noise. Without them that they differ by would be noise, and would hide
 * what comes next. Not where the target is on an earlier one again. `digit` is
 * that of the values. */
void pn_judge_levels(const struct pn_judge_past *past, double digit);

/* What a clock allows of a row's verdict on two times that do not vary, n and m
 * values of them (detect/clock.h): its tick is the least effect. */
void pn_judge_clock(struct pn_judge_row *row, double before, double after,
		    size_t n, size_t m);

/* What a count has to differ by from what was before. */
double pn_judge_least(const struct pn_judge_row *row, double before);

/* Each fills the row in. */
void pn_judge_exactly(struct pn_judge_row *row,
		      const struct pn_judge_past *past);
/* What the level of a count that did not change began with. */
void pn_judge_standing_count(struct pn_judge_row *row,
			     const struct pn_judge_past *past);
void pn_judge_pair(struct pn_judge_row *row, const struct pn_judge_past *past);
/* `session` is that of pn_session_shift. */
void pn_judge_latest(struct pn_judge_row *row, const struct pn_judge_past *past,
		     double session, const struct pn_judge_options *options);

/* Whether a check says for sure that the history of this past has this change:
 * a report that lists it has no other rule. `before`: without the newest
 * commit. */
bool pn_judge_is_sure(const struct pn_judge_past *past,
		      const struct pn_change_point *change,
		      const struct pn_change_points *before, double min_effect);

/* Rows without a verdict, in the order of series; what is the least effect that
 * counts in each is known. */
void pn_judge_begin(struct pn_judge *out, const struct pn_courses *courses);

/* A confirmed change of wall that neither processor time nor the fastest runs
 * share is none that is sure. Rows in the order of series. */
void pn_judge_fastest(struct pn_judge *judge);
/* The same of a change of the past, which one of the commits `from` to `to`
 * made: whether it is not sure. */
bool pn_judge_is_doubtful(const struct pn_judge *judge,
			  const struct pn_judge_row *row,
			  const struct pn_judge_stands *change);

#endif
