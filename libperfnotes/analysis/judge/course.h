/*
 * Figures of a line of commits as courses: one for each metric of each series,
 * with the runs of each commit that has them. Pure.
 */
#ifndef PN_JUDGE_COURSE_H
#define PN_JUDGE_COURSE_H

#include "analysis/history/figures.h"
#include "analysis/judge/accepted.h"
#include "base/arena.h"
#include "base/oid.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_COURSES_MAX 5000 /* of a target: a note may be hostile */

/* What one commit has of a course. */
struct pn_course_point {
	size_t commit;	    /* its number: 0 is the target, 1 the one before */
	const double *runs; /* in the unit of the course; finite */
	size_t count;	    /* at least 1 */
	uint64_t n;	    /* values that were measured; of a summary more */
	double median;
	bool noisy; /* the machine was not quiet */
};

/* The commit behind a number. */
struct pn_course_commit {
	struct pn_oid id;
	size_t distance; /* commits walked from the target */
};

/* What a project wants of a metric. NaN: it does not say. */
struct pn_course_rule {
	double min_effect; /* relative: a smaller one is no change */
	/* The same in a unit of pn_unit_base, which outlives this; NULL: in the
	 * metric's own. */
	double min_delta;
	const char *min_delta_unit;
	/* A smaller degradation does not fail a check; infinite: none does. */
	double gate;
	bool required; /* without a verdict on it there is none at all */
};
#define PN_COURSE_RULE_NONE                                                    \
	(struct pn_course_rule)                                                \
	{                                                                      \
		NAN, NAN, NULL, NAN, false                                     \
	}

/* One metric of one series. */
struct pn_course {
	struct pn_figure key;		/* texts, unit and direction */
	size_t place;			/* among the figures of the target */
	struct pn_course_point *points; /* towards the past */
	size_t count, cap;
	size_t foreign;		     /* commits that have it of ... */
	const char *foreign_machine; /* ... other machines; the last one met */
	struct pn_course_rule rule;
	bool asked; /* it is judged because somebody asked for it */
	/* The newest acceptance that it has; NULL: none. Commits up to this
	 * number are of the level that was accepted. */
	const struct pn_accepted *accepted;
	size_t accepted_from;
};

/* Zeroed before. */
struct pn_courses {
	struct pn_arena arena;
	struct pn_course *items; /* in the order of pn_figure_cmp */
	size_t count, cap;
	size_t dirty;	/* figures of dirty trees: left out */
	size_t unknown; /* beyond PN_COURSES_MAX: left out */
};

/* Begin courses with the figures of these commits: those of the target, whose
 * number is 0, then those that may be missed there. */
void pn_courses_begin(struct pn_courses *courses,
		      const struct pn_figure *figures, size_t count,
		      size_t commit);
/* Add what the next commit towards the past has of the courses that have begun.
 * Values are copied. Time O(count log courses). */
void pn_courses_add(struct pn_courses *courses, const struct pn_figure *figures,
		    size_t count, size_t commit);
/* What is accepted at the commit of this number, or behind the one with the
 * next: borrowed. Of two the one that was told first counts. */
void pn_courses_accept(struct pn_courses *courses,
		       const struct pn_accepted *accepted, size_t commit);
void pn_courses_release(struct pn_courses *courses);

/* What the target has of it; NULL: nothing. */
const struct pn_course_point *pn_course_target(const struct pn_course *course);

#endif
