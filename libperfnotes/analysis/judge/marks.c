/* Where a history changed. */
#include "analysis/judge/marks.h"

#include "analysis/judge/judge.h"
#include "analysis/judge/rule.h"
#include "base/alloc.h"
#include "detect/history/history.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DRIFT_LEAST 0.02

/* A course with the target as its last commit. */
struct line {
	struct pn_judge_past past;
	double *values;
	size_t *numbers;
	size_t count;
};

struct marking {
	struct pn_marks *out;
	struct pn_judge judge; /* of the courses: what counts in each */
	size_t cap;
	const struct pn_mark_accepted *accepted;
	size_t accepted_count;
};

static void open_line(struct line *out, const struct pn_course *course)
{
	struct pn_judge_past *past = &out->past;

	pn_judge_past_init(past, course);
	out->count = past->count;
	out->values = pn_calloc(past->count + 1, sizeof(*out->values));
	out->numbers = pn_calloc(past->count + 1, sizeof(*out->numbers));
	if (past->count) {
		memcpy(out->values, past->medians,
		       past->count * sizeof(*out->values));
		memcpy(out->numbers, past->numbers,
		       past->count * sizeof(*out->numbers));
	}
	if (past->target.count && !past->noisy)
		out->values[out->count++] =
			pn_stats_median(past->target.runs, past->target.count);
}

static void close_line(struct line *line)
{
	free(line->values);
	free(line->numbers);
	pn_judge_past_release(&line->past);
}

static const struct pn_accepted *find_accepted(const struct marking *m,
					       const struct pn_mark *mark)
{
	size_t i;

	for (i = 0; i < m->accepted_count; i++) {
		const struct pn_mark_accepted *a = &m->accepted[i];

		if (a->number <= mark->to && a->since >= mark->from &&
		    pn_accepted_fits(a->accepted, &mark->course->key.series,
				     mark->course->key.metric))
			return a->accepted;
	}
	return NULL;
}

static void add(struct marking *m, const struct pn_course *course,
		struct pn_mark mark, const struct pn_judge_past *past)
{
	double low = mark.low;

	mark.course = course;
	if (course->key.better != PN_BETTER_UNKNOWN)
		mark.direction =
			(mark.drift ? mark.ratio > 1
				    : mark.after > mark.before) != past->falls
				? 1
				: -1;
	if (past->turned) {
		mark.before = 1 / mark.before;
		mark.after = 1 / mark.after;
		mark.ratio = 1 / mark.ratio;
		mark.low = 1 / mark.high;
		mark.high = 1 / low;
	}
	mark.accepted = find_accepted(m, &mark);
	m->out->items = pn_grow(m->out->items, &m->cap, m->out->count + 1,
				sizeof(mark));
	m->out->items[m->out->count++] = mark;
}

/* Whether the value at i differs from the one before by what counts, as they
 * were measured. The newest has nothing behind it that confirms it. */
static bool counts(const struct pn_judge_row *row, const struct line *line,
		   size_t i)
{
	double before = line->values[i - 1], after = line->values[i];

	if (line->past.turned) {
		before = 1 / before;
		after = 1 / after;
	}
	if (i + 1 == line->count &&
	    pn_judge_may_be_rounding(&line->past, row->course, before, after))
		return false;
	return pn_verdict_counts(after - before, pn_judge_least(row, before));
}

static void mark_exactly(struct marking *m, const struct pn_judge_row *row,
			 const struct line *line)
{
	size_t i;

	for (i = 1; i < line->count; i++) {
		double before = line->values[i - 1], after = line->values[i];
		bool positive = before > 0 && after > 0;
		struct pn_mark mark = {.ratio = positive ? after / before
							 : (double)NAN,
				       .before = before,
				       .after = after,
				       .confidence = 1,
				       .commit = line->numbers[i],
				       .from = line->numbers[i],
				       .to = line->numbers[i - 1] - 1};

		if (before == after || !counts(row, line, i))
			continue;
		mark.low = mark.high = mark.ratio;
		add(m, row->course, mark, &line->past);
	}
}

/* The changes without the newest commit, where they can make another one sure;
 * released by the caller. */
static void look_before(struct pn_change_points *out,
			const struct pn_change_points *now,
			const struct line *line)
{
	bool asked = false;
	size_t i;

	*out = (struct pn_change_points){0};
	for (i = 0; i < now->count; i++)
		asked |= !pn_change_point_is_confirmed(&now->changes[i], NULL);
	if (asked)
		pn_change_points_of(out, line->values, line->count - 1);
}

static void mark_change(struct marking *m, const struct pn_judge_row *row,
			const struct line *line,
			const struct pn_change_point *c)
{
	struct pn_mark mark = {.ratio = 1 + c->effect,
			       .low = 1 + c->low,
			       .high = 1 + c->high,
			       .before = c->before,
			       .after = c->after,
			       .confidence = c->confidence,
			       .commit = line->numbers[c->at],
			       .from = line->numbers[c->to],
			       .to = line->numbers[c->from]};
	struct pn_judge_stands change = {mark.ratio, mark.commit, mark.from,
					 mark.to};

	if (c->from)
		mark.to = change.to = line->numbers[c->from - 1] - 1;
	if (!line->past.positive)
		mark.ratio = mark.low = mark.high = NAN;
	if (!pn_judge_is_doubtful(&m->judge, row, &change))
		add(m, row->course, mark, &line->past);
}

static void mark_history(struct marking *m, const struct pn_judge_row *row,
			 const struct line *line)
{
	struct pn_change_points history, before;
	size_t i;

	pn_change_points_of(&history, line->values, line->count);
	look_before(&before, &history, line);
	for (i = 0; i < history.count; i++)
		if (pn_judge_is_sure(&line->past, &history.changes[i], &before,
				     row->min_effect))
			mark_change(m, row, line, &history.changes[i]);
	if (line->past.positive && fabs(history.drift) >= DRIFT_LEAST) {
		i = history.count ? history.changes[history.count - 1].at : 0;
		add(m, row->course,
		    (struct pn_mark){.drift = true,
				     .ratio = 1 + history.drift,
				     .low = NAN,
				     .high = NAN,
				     .confidence = NAN,
				     .from = 0,
				     .to = line->numbers[i]},
		    &line->past);
	}
	pn_change_points_release(&before);
	pn_change_points_release(&history);
}

static void mark_row(struct marking *m, const struct pn_judge_row *row)
{
	struct line line;

	open_line(&line, row->course);
	if (line.count > 1 && pn_judge_is_exact(&line.past, row->course))
		mark_exactly(m, row, &line);
	else
		mark_history(m, row, &line);
	close_line(&line);
}

static int by_commit(const void *a, const void *b)
{
	const struct pn_mark *x = a, *y = b;

	if (x->commit != y->commit)
		return x->commit < y->commit ? -1 : 1;
	return pn_series_name_cmp(&x->course->key.series,
				  &y->course->key.series);
}

static void tell(struct pn_marks *marks, const struct pn_courses *courses)
{
	struct pn_series *all = pn_calloc(courses->count + 1, sizeof(*all));
	size_t i;

	for (i = 0; i < courses->count; i++)
		all[i] = courses->items[i].key.series;
	for (i = 0; i < marks->count; i++)
		marks->items[i].parts =
			pn_series_tell(&marks->items[i].course->key.series, all,
				       courses->count);
	free(all);
}

void pn_marks_of(struct pn_marks *out, const struct pn_courses *courses,
		 const struct pn_mark_accepted *accepted, size_t accepted_count,
		 bool every)
{
	struct marking m = {.out = out,
			    .accepted = accepted,
			    .accepted_count = accepted_count};
	size_t i;

	*out = (struct pn_marks){0};
	pn_judge_begin(&m.judge, courses);
	for (i = 0; i < m.judge.count; i++)
		if (every || m.judge.rows[i].first)
			mark_row(&m, &m.judge.rows[i]);
	pn_judge_release(&m.judge);
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), by_commit);
	tell(out, courses);
}

void pn_marks_release(struct pn_marks *marks)
{
	free(marks->items);
	*marks = (struct pn_marks){0};
}

bool pn_mark_is_worse(const struct pn_mark *mark)
{
	return !mark->drift && mark->direction > 0 && !mark->accepted;
}
