/*
 * The verdict on a commit: each metric of each series beside its past, or
 * beside another commit. Rows are data; renderers print them. Pure.
 */
#ifndef PN_JUDGE_JUDGE_H
#define PN_JUDGE_JUDGE_H

#include "analysis/judge/course.h"
#include "detect/verdict.h"

#include <stdbool.h>
#include <stddef.h>

/* Relative: a smaller effect is no change. */
#define PN_JUDGE_MIN_EFFECT 0.005
#define PN_JUDGE_MIN_EXACT 0.001 /* of counts that do not vary */
/* Of the wall's time, that user and system time have to change by. */
#define PN_JUDGE_PART 0.02
/* Bytes that a peak of memory has to change by. All runs of a session have the
 * same one, and the next session has another: a fault maps the pages around it
 * that somebody else's work has left in memory (64 kB for each mapped file),
 * and Linux counts 64 pages at a time. */
#define PN_JUDGE_RSS (256 << 10)
/* A confirmed change from here on is a severe one. */
#define PN_JUDGE_SEVERE 0.25
/* False discovery rates: of what is confirmed without a comparison of builds,
 * and of what is worth one where there are so many metrics. */
#define PN_JUDGE_Q 0.001
#define PN_JUDGE_FLAG_Q 0.05
#define PN_JUDGE_FLAG_METRICS 5
/* Commits of the past that are looked at: a level is known after 20, how well
 * it foretells after 60, and whether a series jumps after some hundreds. */
#define PN_JUDGE_COMMITS 300

/* What decided. */
enum pn_judge_method {
	PN_JUDGE_NOTHING,
	PN_JUDGE_EXACT,	  /* it never varies by itself: compared as it is */
	PN_JUDGE_PAST,	  /* how well the past foretells each of its commits */
	PN_JUDGE_TWICE,	  /* the same, of two commits in a row */
	PN_JUDGE_HISTORY, /* a change of the history, confirmed now */
	PN_JUDGE_PAIR	  /* the runs of two commits */
};
/* "exact", "past", "two commits", "history", "pair"; "" of nothing. */
const char *pn_judge_method_name(enum pn_judge_method method);

/* Why there is no verdict, or none that is sure. */
enum pn_judge_doubt {
	PN_JUDGE_SURE,
	PN_JUDGE_NEW,	    /* no commit before has it */
	PN_JUDGE_UNIT,	    /* those before have it in a unit of other kind */
	PN_JUDGE_FOREIGN,   /* on other machines only */
	PN_JUDGE_GONE,	    /* the target has it not */
	PN_JUDGE_FEW,	    /* too few commits before, or too few runs */
	PN_JUDGE_NOISY,	    /* measured while the machine was busy */
	PN_JUDGE_ZERO,	    /* values of 0 or less have no ratio */
	PN_JUDGE_CLOCK,	    /* a few ticks of the clock, or none */
	PN_JUDGE_DIRECTION, /* nobody says whether more is better */
	PN_JUDGE_SESSION,   /* everything changed at once: machine or program */
	PN_JUDGE_SESSIONS,  /* noise between sessions is not known */
	PN_JUDGE_NEIGHBOURS, /* of wall, user and fastest runs only the first */
	PN_JUDGE_ROUNDED     /* values are a few of their last digit apart */
};

/* What was done to one metric of one series. NaN: not known. */
struct pn_judge_row {
	const struct pn_course *course; /* borrowed */
	struct pn_series_parts parts;	/* of the name of its series */
	bool headline;			/* its series' first metric */
	bool first;			/* of its series' rows */
	enum pn_verdict verdict;
	enum pn_judge_method method;
	enum pn_judge_doubt doubt;
	double before, after;	 /* levels, in the unit of the course */
	double ratio, low, high; /* after by before; in 95 of 100 cases */
	double p, q;
	/* Values (PN_JUDGE_PAIR, EXACT) or commits that tell the level, and
	 * values of the target. */
	size_t n[2];
	size_t past;	     /* measured commits that were looked at */
	size_t left_out;     /* noisy ones that were not */
	double noise;	     /* standard deviation of a commit, or of a value */
	double least_effect; /* that would have been seen, relative */
	double min_effect;   /* smaller ones count for nothing */
	double min_delta;    /* the same in the unit; 0: it does not say */
	/* The commit that made the change is one of these, by numbers of the
	 * courses: `from` is the newest; SIZE_MAX: not known. */
	size_t from, to;
	/* The change is known and wanted; NULL: it is not. */
	const struct pn_accepted *accepted;
	/* The level that holds began with a change for the worse, before this
	 * commit, which nobody has accepted: NaN: it did not. */
	struct pn_judge_stands {
		double ratio;
		size_t commit;	 /* the first of the level, by its number */
		size_t from, to; /* one of these made it */
	} stands;
	const char *other_unit; /* PN_JUDGE_UNIT: that of before */
	bool flagged;		/* a comparison of builds is worth it */
	/* What that begins with, see detect/latest/latest.h. */
	double delta, start, run_variance;
};

struct pn_judge_options {
	/* Compare with the commit of number 1 alone. */
	bool pair;
	/* Commits from number 1 on are the base and its past: a change among
	 * them is not one of the target. */
	bool range;
};

struct pn_judge {
	struct pn_judge_row *rows; /* worst first */
	size_t count;
	double session; /* how unusual the target's is; 0: usual, or unknown */
	size_t worse;	/* confirmed for the worse */
	size_t better, maybe, unknown, same;
};

/* What fails: bits (1 << verdict). */
#define PN_JUDGE_FAIL                                                          \
	(1u << PN_VERDICT_TOTAL_DEGRADATION |                                  \
	 1u << PN_VERDICT_SEVERE_DEGRADATION | 1u << PN_VERDICT_DEGRADATION)
#define PN_JUDGE_FAIL_STRICT                                                   \
	(PN_JUDGE_FAIL | 1u << PN_VERDICT_MAYBE_DEGRADATION)

enum pn_judge_result {
	PN_JUDGE_PASSED,
	PN_JUDGE_FAILED,
	PN_JUDGE_NO_VERDICT /* on the first row of any series */
};

/* Borrows the courses. Time O(points) of the history detector for each. */
void pn_judge_of(struct pn_judge *out, const struct pn_courses *courses,
		 const struct pn_judge_options *options);
/* Leave those rows out that are not wanted, by their places. What the others
 * say stands: which ones somebody wants to see changes no verdict. */
void pn_judge_select(struct pn_judge *judge, const bool *wanted);
void pn_judge_release(struct pn_judge *judge);

enum pn_judge_result pn_judge_result(const struct pn_judge *judge,
				     unsigned int fail_on);

/* Whether it is a confirmed change for the worse (1), for the better (-1). */
int pn_judge_direction(enum pn_verdict verdict);
/* Not what is exact, or only a few ticks of a clock. */
bool pn_judge_has_interval(const struct pn_judge_row *row);
/* Unknown, or on one side only. */
bool pn_judge_is_unknown(enum pn_verdict verdict);

struct pn_why;
struct pn_judge_functions;

/* The functions that explain a confirmed change of a row, by what a collector
 * recorded, which may be another one than that of the row's series. */
struct pn_judge_reason {
	const struct pn_judge_row *row;
	const struct pn_why *why;
	const char *collector;
};

/* What a check was asked for, what it had, and what it says: all that a
 * renderer needs. Borrowed. */
struct pn_judge_report {
	const struct pn_judge *judge;
	const char *target_rev, *base_rev; /* base_rev: NULL: its own past */
	struct pn_oid target;
	bool pair;
	const struct pn_course_commit *commits; /* by numbers of the courses */
	size_t commit_count;
	size_t dirty, unreadable; /* figures, notes that were left out */
	/* Commits with what was measured of those that they were rewritten
	 * from, and the first of these. */
	size_t rewritten;
	struct pn_oid rewritten_from;
	bool shallow;	      /* the clone ends where the walk did */
	bool backwards;	      /* the base has all commits that the target has */
	unsigned int fail_on; /* bits, see PN_JUDGE_FAIL */
	enum pn_judge_result result;
	const struct pn_judge_reason *reasons;
	size_t reason_count;
	/* Of each series that has them; `by_function`: that was asked for, and
	 * bits of verdicts on them that fail, too. */
	bool by_function;
	unsigned int functions_fail_on;
	const struct pn_judge_functions *functions;
	size_t function_count;
};

/* The reason of a row, NULL without. */
const struct pn_judge_reason *
pn_judge_reason_of(const struct pn_judge_report *report,
		   const struct pn_judge_row *row);

/* Whether a row is one of those that fail the check. */
bool pn_judge_fails(const struct pn_judge_report *report,
		    const struct pn_judge_row *row);

/* How many commits may have made the change of a row; 0: not known, or none,
 * as the base came after the target. */
size_t pn_judge_span(const struct pn_judge_report *report,
		     const struct pn_judge_row *row);

#endif
