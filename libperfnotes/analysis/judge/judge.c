/* The verdict on a commit. */
#include "analysis/judge/judge.h"

#include "analysis/judge/rule.h"
#include "base/alloc.h"
#include "detect/stats.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SESSION_COMMITS 60
#define SESSION_JOBS 3

static void init_row(struct pn_judge_row *row, const struct pn_course *course)
{
	const struct pn_course_point *target = pn_course_target(course);

	*row = (struct pn_judge_row){
		.course = course,
		.verdict = PN_VERDICT_UNKNOWN,
		.before = NAN,
		.after = target ? target->median : (double)NAN,
		.ratio = NAN,
		.low = NAN,
		.high = NAN,
		.p = NAN,
		.q = NAN,
		.n = {0, target ? target->count : 0},
		.past = course->count - (target != NULL),
		.noise = NAN,
		.least_effect = NAN,
		.min_effect = isnan(course->rule.min_effect)
				      ? PN_JUDGE_MIN_EFFECT
				      : course->rule.min_effect,
		.from = SIZE_MAX,
		.to = SIZE_MAX,
		.delta = NAN,
		.start = NAN,
		.run_variance = NAN,
		.stands = {.ratio = NAN}};
}

static bool is_within(const struct pn_latest_commit *commit, double level,
		      double most)
{
	size_t i;

	for (i = 0; i < commit->count; i++)
		if (!(fabs(commit->runs[i] - level) <= most))
			return false;
	return true;
}

/* Where there is no ratio: runs that are equal, but for what counts for
 * nothing, are no change. Of times of 0 the clock has seen nothing.
 */
static void judge_without_ratio(struct pn_judge_row *row,
				const struct pn_judge_past *past)
{
	double target = pn_stats_median(past->target.runs, past->target.count);
	size_t i;

	row->before = past->medians[past->count - 1];
	row->n[0] = past->commits[past->count - 1].count;
	for (i = 0; i < past->count; i++)
		if (!is_within(&past->commits[i], target, row->min_delta))
			break;
	if (i < past->count ||
	    !is_within(&past->target, target, row->min_delta))
		row->doubt = PN_JUDGE_ZERO;
	else if (past->clocked && !(row->min_delta > 0))
		row->doubt = PN_JUDGE_CLOCK;
	else
		row->verdict = PN_VERDICT_NO_CHANGE;
}

static void judge_past(struct pn_judge_row *row,
		       const struct pn_judge_past *past, double session,
		       const struct pn_judge_options *options)
{
	row->left_out = past->left_out;
	row->past = past->count;
	if (past->noisy) {
		row->doubt = PN_JUDGE_NOISY;
	} else if (pn_judge_is_exact(past, row->course)) {
		pn_judge_exactly(row, past);
		pn_judge_round(row, past, false);
		if (!options->pair && !options->range)
			pn_judge_standing_count(row, past);
	} else if (!past->positive) {
		judge_without_ratio(row, past);
	} else if (options->pair) {
		pn_judge_pair(row, past);
	} else {
		pn_judge_latest(row, past, session, options);
	}
}

/* What the direction of the metric makes of it. */
static void direct(struct pn_judge_row *row)
{
	if (row->course->key.better != PN_BETTER_UNKNOWN ||
	    row->verdict == PN_VERDICT_NO_CHANGE ||
	    row->method == PN_JUDGE_NOTHING)
		return;
	row->verdict = PN_VERDICT_UNKNOWN;
	row->doubt = PN_JUDGE_DIRECTION;
}

/* What was accepted is of the target, or of commits up to it that have nothing
 * of the course. */
static void accept(struct pn_judge_row *row, const struct pn_judge_past *past)
{
	const struct pn_course *course = row->course;
	size_t last = past->numbers[past->count - 1];

	if (course->accepted && last > course->accepted_from &&
	    row->method != PN_JUDGE_HISTORY)
		row->accepted = course->accepted;
}

static bool has_base(const struct pn_judge_past *past,
		     const struct pn_judge_options *options)
{
	return past->count &&
	       (!options->pair || past->numbers[past->count - 1] == 1);
}

static void judge_row(struct pn_judge_row *row, double session,
		      const struct pn_judge_options *options)
{
	const struct pn_course *course = row->course;
	struct pn_judge_past past;

	if (!pn_course_target(course)) {
		row->verdict = PN_VERDICT_NOT_IN_TARGET;
		row->doubt = PN_JUDGE_GONE;
		return;
	}
	pn_judge_past_init(&past, course);
	if (has_base(&past, options)) {
		judge_past(row, &past, session, options);
		accept(row, &past);
		direct(row);
	} else if (past.left_out) {
		row->doubt = PN_JUDGE_NOISY;
	} else {
		row->verdict = PN_VERDICT_NOT_IN_BASELINE;
		row->doubt = course->foreign ? PN_JUDGE_FOREIGN : PN_JUDGE_NEW;
	}
	pn_judge_past_release(&past);
}

/* Metrics that vary, and of how many jobs. */
static size_t list_varying(const struct pn_judge_row **out,
			   const struct pn_judge *judge)
{
	const struct pn_series *seen[SESSION_JOBS];
	size_t i, k, n = 0, jobs = 0;

	for (i = 0; i < judge->count; i++) {
		const struct pn_judge_row *row = &judge->rows[i];
		const struct pn_series *s = &row->course->key.series;

		if (isnan(row->run_variance) || !(row->noise > 0) ||
		    row->course->asked)
			continue;
		out[n++] = row;
		for (k = 0; k < jobs; k++)
			if (!pn_series_cmp(seen[k], s))
				break;
		if (k == jobs && jobs < SESSION_JOBS)
			seen[jobs++] = s;
	}
	return jobs == SESSION_JOBS ? n : 0;
}

static void fill_deviations(double *out, size_t metrics, size_t column,
			    const struct pn_judge_row *row)
{
	const struct pn_course *course = row->course;
	double level = log(row->before);
	size_t i, n;

	for (i = 0; i < course->count; i++) {
		n = course->points[i].commit;
		if (n >= SESSION_COMMITS || !(course->points[i].median > 0))
			continue;
		out[(SESSION_COMMITS - 1 - n) * metrics + column] =
			log(course->points[i].median) - level;
	}
}

/*
 * How unusual the target's session is. Deviations are from the level that is
 * expected now: what is farther back may be of another level, which makes the
 * past look more restless, never less.
 */
static double find_session(const struct pn_judge *judge)
{
	const struct pn_judge_row **rows =
		pn_calloc(judge->count + 1, sizeof(*rows));
	size_t i, n = list_varying(rows, judge);
	double *deviations =
		pn_realloc_array(NULL, n * SESSION_COMMITS + 1, sizeof(double));
	double *sds = pn_calloc(n + 1, sizeof(*sds)), shift = 0;

	for (i = 0; i < n * SESSION_COMMITS; i++)
		deviations[i] = NAN;
	for (i = 0; i < n; i++) {
		sds[i] = rows[i]->noise;
		fill_deviations(deviations, n, i, rows[i]);
	}
	if (n)
		shift = pn_session_shift(deviations, SESSION_COMMITS, sds, n);
	free(sds);
	free(deviations);
	free(rows);
	return shift;
}

/* Values of q among all that are judged; or, without those that somebody asked
 * for, among the others, which so do not change by it. */
static void set_q(struct pn_judge *judge, bool asked)
{
	double *p = pn_calloc(judge->count + 1, sizeof(*p));
	size_t *of = pn_calloc(judge->count + 1, sizeof(*of)), i, n = 0;

	for (i = 0; i < judge->count; i++) {
		if (isnan(judge->rows[i].p) ||
		    (!asked && judge->rows[i].course->asked))
			continue;
		of[n] = i;
		p[n++] = judge->rows[i].p;
	}
	pn_stats_adjust(p, p, n);
	for (i = 0; i < n; i++)
		judge->rows[of[i]].q = p[i];
	free(of);
	free(p);
}

/* Of many metrics some are unlucky. */
static void adjust(struct pn_judge *judge)
{
	size_t i;

	set_q(judge, true);
	set_q(judge, false);
	for (i = 0; i < judge->count; i++) {
		struct pn_judge_row *row = &judge->rows[i];

		if (isnan(row->p))
			continue;
		if (row->method != PN_JUDGE_PAST || judge->count < 2)
			continue;
		if (judge->count >= PN_JUDGE_FLAG_METRICS && !row->headline)
			row->flagged &= row->q <= PN_JUDGE_FLAG_Q;
		if (row->q <= PN_JUDGE_Q)
			continue;
		if (pn_judge_direction(row->verdict) > 0)
			row->verdict = PN_VERDICT_MAYBE_DEGRADATION;
		else if (pn_judge_direction(row->verdict) < 0)
			row->verdict = PN_VERDICT_MAYBE_OPTIMIZATION;
	}
}

/* By its noise an increase would have been seen: of what became less it is that
 * many times less. */
static void direct_least(struct pn_judge_row *row)
{
	if (row->ratio < 1 && row->noise > 0 &&
	    row->verdict != PN_VERDICT_NO_CHANGE)
		row->least_effect = row->least_effect / (1 + row->least_effect);
}

/* Perun's names tell more: what the whole run does is told by the first metric
 * of its series; of others, how much. */
static void grade(struct pn_judge_row *row)
{
	bool severe = pn_verdict_counts(row->ratio - 1, PN_JUDGE_SEVERE);

	if (row->verdict == PN_VERDICT_DEGRADATION && row->headline)
		row->verdict = PN_VERDICT_TOTAL_DEGRADATION;
	else if (row->verdict == PN_VERDICT_DEGRADATION && severe)
		row->verdict = PN_VERDICT_SEVERE_DEGRADATION;
	else if (row->verdict == PN_VERDICT_OPTIMIZATION && row->headline)
		row->verdict = PN_VERDICT_TOTAL_OPTIMIZATION;
	else if (row->verdict == PN_VERDICT_OPTIMIZATION && severe)
		row->verdict = PN_VERDICT_SEVERE_OPTIMIZATION;
}

/* What a person wants to see first. */
static int rank(enum pn_verdict verdict)
{
	static const int ranks[] = {
		[PN_VERDICT_TOTAL_DEGRADATION] = 0,
		[PN_VERDICT_SEVERE_DEGRADATION] = 1,
		[PN_VERDICT_DEGRADATION] = 2,
		[PN_VERDICT_MAYBE_DEGRADATION] = 3,
		[PN_VERDICT_NOT_IN_TARGET] = 4,
		[PN_VERDICT_UNKNOWN] = 5,
		[PN_VERDICT_NOT_IN_BASELINE] = 6,
		[PN_VERDICT_TOTAL_OPTIMIZATION] = 7,
		[PN_VERDICT_SEVERE_OPTIMIZATION] = 8,
		[PN_VERDICT_OPTIMIZATION] = 9,
		[PN_VERDICT_MAYBE_OPTIMIZATION] = 10,
		[PN_VERDICT_NO_CHANGE] = 11,
	};

	return ranks[verdict];
}

static int by_severity(const void *a, const void *b)
{
	const struct pn_judge_row *x = a, *y = b;
	double dx = isfinite(x->ratio) ? fabs(log(x->ratio)) : 0;
	double dy = isfinite(y->ratio) ? fabs(log(y->ratio)) : 0;
	int order = rank(x->verdict) - rank(y->verdict);

	if (!order && x->headline != y->headline)
		order = x->headline ? -1 : 1;
	if (!order && dx != dy)
		order = dx > dy ? -1 : 1;
	if (!order)
		order = pn_series_name_cmp(&x->course->key.series,
					   &y->course->key.series);
	return order ? order
		     : (x->course->place > y->course->place) -
			       (x->course->place < y->course->place);
}

static int by_place(const void *a, const void *b)
{
	const struct pn_judge_row *x = a, *y = b;
	int order =
		pn_series_cmp(&x->course->key.series, &y->course->key.series);

	return order ? order
		     : (x->course->place > y->course->place) -
			       (x->course->place < y->course->place);
}

/* Rows in the order of series, which is the first of each, and their names. */
static void name_rows(struct pn_judge *out)
{
	struct pn_series *all = pn_calloc(out->count + 1, sizeof(*all));
	size_t i, n = 0;

	if (out->count)
		qsort(out->rows, out->count, sizeof(*out->rows), by_place);
	for (i = 0; i < out->count; i++) {
		struct pn_judge_row *row = &out->rows[i];
		const struct pn_series *s = &row->course->key.series;

		row->first = !i || pn_series_cmp(&all[n - 1], s) != 0;
		if (row->first)
			all[n++] = *s;
	}
	for (i = 0; i < out->count; i++)
		out->rows[i].parts = pn_series_tell(
			&out->rows[i].course->key.series, all, n);
	free(all);
}

/* What the project wants it to be, or NAN: also where it says that in the unit
 * of something else. */
static double asked_delta(const struct pn_course *course)
{
	const struct pn_course_rule *rule = &course->rule;
	const char *from = rule->min_delta_unit, *unit;

	if (!from)
		return rule->min_delta;
	if (!pn_unit_comparable(from, course->key.unit))
		return NAN;
	return pn_unit_scale(&unit, rule->min_delta, from, course->key.unit);
}

/* What a change has to be in the unit, 0 where that is not known. Processor
 * time is a part of the wall's: what it does counts by how much of the whole
 * that is, or a tick more would be a change of half a microsecond. */
static double least_delta(const struct pn_judge_row *row,
			  const struct pn_course_point *wall)
{
	const char *metric = row->course->key.metric;

	if (!strcmp(metric, "max-rss"))
		return PN_JUDGE_RSS;
	if (!row->first && wall &&
	    (!strcmp(metric, "user") || !strcmp(metric, "sys")))
		return PN_JUDGE_PART * wall->median;
	return 0;
}

static void find_least(struct pn_judge *out)
{
	const struct pn_course_point *wall = NULL, *own;
	double before;
	size_t i;

	for (i = 0; i < out->count; i++) {
		struct pn_judge_row *row = &out->rows[i];

		own = pn_course_target(row->course);
		if (row->first)
			wall = strcmp(row->course->key.metric, "wall") ? NULL
								       : own;
		if (!own)
			continue;
		row->min_delta = asked_delta(row->course);
		if (isnan(row->min_delta))
			row->min_delta = isnan(row->course->rule.min_effect)
						 ? least_delta(row, wall)
						 : 0;
		/* effects are shares of what was before */
		before = row->course->count > 1 ? row->course->points[1].median
						: own->median;
		if (before > 0)
			row->min_effect =
				fmax(row->min_effect, row->min_delta / before);
	}
}

void pn_judge_begin(struct pn_judge *out, const struct pn_courses *courses)
{
	size_t i;

	*out = (struct pn_judge){.count = courses->count};
	out->rows = pn_calloc(courses->count + 1, sizeof(*out->rows));
	for (i = 0; i < courses->count; i++)
		init_row(&out->rows[i], &courses->items[i]);
	name_rows(out);
	for (i = 0; i < out->count; i++)
		out->rows[i].headline = out->rows[i].first &&
					!out->rows[i].course->key.secondary;
	find_least(out);
}

/* What had a unit of another kind before is neither new nor gone: one reason
 * stands for both. */
static void find_other_unit(struct pn_judge *judge, struct pn_judge_row *gone)
{
	const struct pn_figure *a = &gone->course->key, *b;
	size_t i;

	for (i = 0; i < judge->count; i++) {
		struct pn_judge_row *row = &judge->rows[i];

		b = &row->course->key;
		if ((row->doubt != PN_JUDGE_NEW &&
		     row->doubt != PN_JUDGE_UNIT) ||
		    strcmp(a->metric, b->metric) != 0 ||
		    pn_series_cmp(&a->series, &b->series) != 0)
			continue;
		row->doubt = PN_JUDGE_UNIT;
		row->other_unit = a->unit;
		gone->doubt = PN_JUDGE_SURE;
	}
}

static void judge_all(struct pn_judge *out,
		      const struct pn_judge_options *options)
{
	size_t i;

	for (i = 0; i < out->count; i++) {
		struct pn_judge_row *row = &out->rows[i];
		struct pn_series_parts parts = row->parts;
		bool headline = row->headline, first = row->first;
		double min_effect = row->min_effect;
		double min_delta = row->min_delta;

		init_row(row, row->course);
		row->parts = parts;
		row->min_effect = min_effect;
		row->min_delta = min_delta;
		row->headline = headline;
		row->first = first;
		judge_row(row, out->session, options);
	}
	for (i = 0; i < out->count; i++)
		if (out->rows[i].doubt == PN_JUDGE_GONE)
			find_other_unit(out, &out->rows[i]);
}

static void count_rows(struct pn_judge *out)
{
	size_t i;

	out->worse = out->better = out->same = out->maybe = out->unknown = 0;
	for (i = 0; i < out->count; i++) {
		enum pn_verdict verdict = out->rows[i].verdict;
		int direction = pn_judge_direction(verdict);

		if (direction)
			++*(direction > 0 ? &out->worse : &out->better);
		else if (verdict == PN_VERDICT_NO_CHANGE)
			out->same++;
		else if (verdict == PN_VERDICT_MAYBE_DEGRADATION ||
			 verdict == PN_VERDICT_MAYBE_OPTIMIZATION)
			out->maybe++;
		else
			out->unknown++;
	}
}

void pn_judge_of(struct pn_judge *out, const struct pn_courses *courses,
		 const struct pn_judge_options *options)
{
	size_t i;

	pn_judge_begin(out, courses);
	judge_all(out, options);
	if (!options->pair)
		out->session = find_session(out);
	if (fabs(out->session) > PN_JUDGE_SESSION_MOST)
		judge_all(out, options);
	for (i = 0;
	     i < out->count && fabs(out->session) > PN_JUDGE_SESSION_MOST; i++)
		if (out->rows[i].method == PN_JUDGE_PAST &&
		    out->rows[i].verdict != PN_VERDICT_NO_CHANGE)
			out->rows[i].doubt = PN_JUDGE_SESSION;
	pn_judge_fastest(out);
	adjust(out);
	for (i = 0; i < out->count; i++) {
		grade(&out->rows[i]);
		direct_least(&out->rows[i]);
	}
	if (out->count)
		qsort(out->rows, out->count, sizeof(*out->rows), by_severity);
	count_rows(out);
}

void pn_judge_select(struct pn_judge *judge, const bool *wanted)
{
	size_t i, n = 0;

	for (i = 0; i < judge->count; i++)
		if (wanted[i])
			judge->rows[n++] = judge->rows[i];
	judge->count = n;
	name_rows(judge);
	if (n)
		qsort(judge->rows, n, sizeof(*judge->rows), by_severity);
	count_rows(judge);
}

void pn_judge_release(struct pn_judge *judge)
{
	free(judge->rows);
	*judge = (struct pn_judge){0};
}
