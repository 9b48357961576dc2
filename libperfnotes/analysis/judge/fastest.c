/*
 * A change of the time on the clock that may be of other programs. What they do
 * only ever adds to a run, so that the fastest runs of a commit have least of
 * it: a program that computes and takes longer does so in those, too, or in
 * processor time.
 */
#include "analysis/judge/rule.h"
#include "detect/stats.h"

#include <math.h>
#include <string.h>

#define COMMITS 5	/* of a side, at most */
#define LEAST_SHARE 0.5 /* of the change, that the fastest runs have */
#define COMPUTES 0.5	/* of the fastest run, in processor time */

/* The row of this metric beside `row`, in the unit of that; rows are in the
 * order of series. NULL: there is none. */
static const struct pn_judge_row *beside(const struct pn_judge *judge,
					 const struct pn_judge_row *row,
					 const char *metric)
{
	const struct pn_judge_row *at = row, *end = judge->rows + judge->count;
	const struct pn_figure *key = &row->course->key;

	while (at > judge->rows &&
	       !pn_series_cmp(&at[-1].course->key.series, &key->series))
		at--;
	for (;
	     at < end && !pn_series_cmp(&at->course->key.series, &key->series);
	     at++)
		if (!strcmp(at->course->key.metric, metric) &&
		    !strcmp(at->course->key.unit, key->unit) &&
		    pn_course_target(at->course))
			return at;
	return NULL;
}

static double fastest_run(const struct pn_course_point *point)
{
	double least = point->runs[0];
	size_t i;

	for (i = 1; i < point->count; i++)
		least = fmin(least, point->runs[i]);
	return least;
}

/* The typical fastest run of up to `most` commits from this place of the course
 * on, towards the past or away from it; *count is how many there were. */
static double fastest(size_t *count, const struct pn_course *course,
		      size_t place, size_t most, bool back)
{
	double values[COMMITS];
	size_t n = 0;

	while (n < most && place < course->count) {
		values[n++] = fastest_run(&course->points[place]);
		place = back ? place + 1 : place - 1;
	}
	*count = n;
	return n ? pn_stats_median(values, n) : (double)NAN;
}

/* Whether the fastest runs of a course changed, too: from before the commits
 * `from` to `to` to behind them. */
static bool is_shared(const struct pn_course *c, size_t from, size_t to,
		      double ratio)
{
	size_t first = 0, old = 0, n;
	double before, after;

	while (first < c->count && c->points[first].commit <= from)
		first++;
	while (old < c->count && c->points[old].commit <= to)
		old++;
	if (!first || old == c->count)
		return true;
	after = fastest(&n, c, first - 1, COMMITS, false);
	before = fastest(&n, c, old, n, true);
	return !(log(after / before) / log(ratio) < LEAST_SHARE);
}

static bool computes(const struct pn_judge_row *wall,
		     const struct pn_judge_row *user,
		     const struct pn_judge_row *sys)
{
	double cpu = pn_course_target(user->course)->median;

	if (sys)
		cpu += pn_course_target(sys->course)->median;
	return cpu >= COMPUTES * fastest_run(pn_course_target(wall->course));
}

/* Up, down or neither, however sure it is. */
static int leans(const struct pn_judge_row *row)
{
	int direction = pn_judge_direction(row->verdict);

	if (row->verdict == PN_VERDICT_MAYBE_DEGRADATION)
		return 1;
	return row->verdict == PN_VERDICT_MAYBE_OPTIMIZATION ? -1 : direction;
}

bool pn_judge_is_doubtful(const struct pn_judge *judge,
			  const struct pn_judge_row *row,
			  const struct pn_judge_stands *change)
{
	const struct pn_judge_row *user;

	if (strcmp(row->course->key.metric, "wall") || !(change->ratio > 0) ||
	    !pn_course_target(row->course))
		return false;
	user = beside(judge, row, "user");
	return user && computes(row, user, beside(judge, row, "sys")) &&
	       !is_shared(row->course, change->from, change->to,
			  change->ratio) &&
	       !is_shared(user->course, change->from, change->to,
			  change->ratio);
}

void pn_judge_fastest(struct pn_judge *judge)
{
	size_t i;

	for (i = 0; i < judge->count; i++) {
		struct pn_judge_row *row = &judge->rows[i];
		const struct pn_judge_row *user, *sys;
		int direction = pn_judge_direction(row->verdict);

		if (!isnan(row->stands.ratio) &&
		    pn_judge_is_doubtful(judge, row, &row->stands))
			row->stands.ratio = NAN;
		if (!direction || strcmp(row->course->key.metric, "wall") ||
		    row->method < PN_JUDGE_PAST ||
		    row->method > PN_JUDGE_HISTORY || row->from == SIZE_MAX ||
		    !(row->ratio > 0))
			continue;
		user = beside(judge, row, "user");
		sys = beside(judge, row, "sys");
		if (!user || leans(user) == direction ||
		    !computes(row, user, sys) ||
		    is_shared(row->course, row->from, row->to, row->ratio))
			continue;
		row->verdict = direction > 0 ? PN_VERDICT_MAYBE_DEGRADATION
					     : PN_VERDICT_MAYBE_OPTIMIZATION;
		row->doubt = PN_JUDGE_NEIGHBOURS;
	}
}
