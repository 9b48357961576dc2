/* Where a history changed: jumps that a check is sure of, and drifts, told by
 * detect/history, of counters by their values. Pure. */
#ifndef PN_JUDGE_MARKS_H
#define PN_JUDGE_MARKS_H

#include "analysis/judge/course.h"

#include <stdbool.h>
#include <stddef.h>

/* Commits are numbered as in courses. NaN: not known. */
struct pn_mark {
	const struct pn_course *course; /* borrowed */
	struct pn_series_parts parts;	/* of the name of its series */
	bool drift;    /* of the last level up to commit 0; else a jump */
	int direction; /* 1: for the worse, -1: for the better, 0: unknown */
	/* After by before; NaN where they are not above 0. */
	double ratio, low, high;
	double before, after; /* levels, in the unit of the course; of a jump */
	double confidence;
	size_t commit;	 /* the first of the new level */
	size_t from, to; /* one of these made it; `from` is the newest */
	const struct pn_accepted *accepted; /* it is known and wanted */
};

/* What was accepted at the commit of a number, or at the last measured one
 * before; `since`: changes up to that number are meant. */
struct pn_mark_accepted {
	const struct pn_accepted *accepted;
	size_t number, since;
};

struct pn_marks {
	struct pn_mark *items; /* by commit, the newest first */
	size_t count;
};

/* Marks and the commits that they number; borrowed. */
struct pn_marked {
	const struct pn_marks *marks;
	const struct pn_course_commit *commits;
	size_t commit_count;
};

/* Jumps that a check is sure of, by the same rule, and drifts of 2 % or more,
 * which are told where all values are above 0: of each series' first metric, or
 * of `every` one. */
void pn_marks_of(struct pn_marks *out, const struct pn_courses *courses,
		 const struct pn_mark_accepted *accepted, size_t accepted_count,
		 bool every);
void pn_marks_release(struct pn_marks *marks);
/* Whether it is a jump for the worse that nobody has accepted. */
bool pn_mark_is_worse(const struct pn_mark *mark);

#endif
