/*
 * What a report of a repository shows: a line of commits with their figures as
 * lines of charts, where these changed, what is judged of the newest commit,
 * and profiles of some. Plain data that the program fills and a renderer
 * prints. Pure.
 */
#ifndef PN_REPORTED_REPORTED_H
#define PN_REPORTED_REPORTED_H

#include "analysis/flame/flame.h"
#include "analysis/history/log_row.h"
#include "analysis/judge/judge.h"
#include "analysis/judge/marks.h"
#include "analysis/reported/heat.h"
#include "analysis/source/routines.h"
#include "analysis/source/text.h"
#include "base/strtab.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A note may be hostile: what a report holds is bounded, what is left out is
 * counted. */
#define PN_REPORTED_MACHINES 32
#define PN_REPORTED_LINES 400
#define PN_REPORTED_POINTS 100000
#define PN_REPORTED_MARKS 2000
#define PN_REPORTED_TEXT 1000 /* bytes of a subject, a name, a reason */

struct pn_reported_commit {
	struct pn_oid id;
	int64_t author_time_s; /* since 1970 UTC */
	const char *author, *subject;
	bool measured;
	const char *skip;     /* why a job has no figure; NULL: it has */
	const char *accepted; /* "by: reason" of a change; NULL: none */
};

/* A median, and where that of all runs there could be lies in 95 of 100 cases;
 * of fewer than six runs from the least to the largest. */
struct pn_reported_point {
	size_t commit; /* of `commits` */
	double value, low, high;
	uint64_t n;
	bool noisy;
};

/* One metric of one series. */
struct pn_reported_line {
	const struct pn_course *course;
	struct pn_series_parts parts; /* so that no other line is called so */
	bool headline;		      /* its series' first metric */
	size_t chart;		      /* lines of several machines are in one */
	struct pn_reported_point *points; /* oldest first */
	size_t count;
};

/* One of the commits `oldest` to `newest` made it. */
struct pn_reported_mark {
	size_t line, commit; /* the first of the new level */
	size_t oldest, newest;
	bool drift;
	int direction; /* 1: for the worse, -1: for the better, 0: unknown */
	double ratio, low, high;
	const struct pn_accepted *accepted; /* NULL: nobody did */
};

/* A profile of one commit. */
struct pn_reported_profile {
	size_t commit;	   /* of `commits`; SIZE_MAX: of none of them */
	const char *title; /* "HEAD", a tag, "before abc1234 ..." */
	const struct pn_report *report;
	const struct pn_flame *flame;
	/* The source of its dearest functions; NULL: none is known. */
	struct pn_routine_texts source;
};

/* Zeroed before, released in any case. */
struct pn_reported {
	struct pn_arena arena;
	struct pn_reported_commit *commits; /* newest first */
	size_t count, cap;
	struct pn_courses machines[PN_REPORTED_MACHINES];
	const char *machine_names[PN_REPORTED_MACHINES];
	size_t machine_count;
	struct pn_mark_accepted *accepted;
	size_t accepted_count, accepted_cap;
	size_t beyond; /* figures of a commit that its lines had no room for,
			* the most of any */
	struct pn_strtab others; /* lines of machines beyond those */
	/* Commits whose profiles are of another tree, so that they have no
	 * figure, and where the newest of them was measured. */
	size_t alike;
	struct pn_oid alike_at;
	/* Once pn_reported_finish was called. */
	struct pn_reported_line *lines;
	size_t line_count, line_total, chart_count;
	struct pn_reported_mark *marks; /* newest first */
	size_t mark_count;
	/* Borrowed; set by who makes the report. */
	const char *name;		     /* of the repository */
	const char *url;		     /* of a commit, before its id */
	const struct pn_judge_report *check; /* NULL: nothing compares, */
	const char *no_check;		     /* ... as this says */
	/* Courses that know more of the past than the commits here tell, and
	 * their marks; NULL: there are none. */
	const struct pn_courses *past;
	struct pn_marked marked;
	const char *series; /* that profiles are of, or NULL */
	const struct pn_reported_profile *profiles; /* newest first */
	size_t profile_count;
	const struct pn_diff *diff; /* of the first two; NULL: none */
	const struct pn_heat *heat; /* NULL: none */
};

/* Add the next commit towards the past. Time O(figures log lines). */
void pn_reported_add(struct pn_reported *out, const struct pn_log_row *row);
/* Once all are there, the past too: lines and marks. */
void pn_reported_finish(struct pn_reported *out);
void pn_reported_release(struct pn_reported *reported);

/* The line of a figure; NULL: it is in none. */
const struct pn_reported_line *
pn_reported_line_of(const struct pn_reported *reported,
		    const struct pn_figure *figure);
/* "callgrind: Ir", without the machine where its chart has several. */
void pn_reported_chart_name(struct pn_buf *out,
			    const struct pn_reported *reported, size_t chart);

#endif
