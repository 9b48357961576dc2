/* Commits and their figures as a report shows them: lines, charts and marks. */
#include "analysis/reported/reported.h"

#include "base/alloc.h"
#include "model/summary.h"

#include <stdlib.h>
#include <string.h>

/* Series' first metrics before the others, long lines before short ones: of
 * too many these stay. */
static int by_weight(const void *a, const void *b)
{
	const struct pn_reported_line *x = a, *y = b;

	if (x->headline != y->headline)
		return x->headline ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return pn_figure_cmp(&x->course->key, &y->course->key);
}

static struct pn_series anywhere(const struct pn_reported_line *line)
{
	struct pn_series series = line->course->key.series;

	series.machine = "";
	return series;
}

/* 0: they are one metric, on several machines. */
static int chart_cmp(const struct pn_reported_line *a,
		     const struct pn_reported_line *b)
{
	struct pn_series x = anywhere(a), y = anywhere(b);
	int order = (int)b->headline - (int)a->headline;

	if (!order)
		order = pn_series_name_cmp(&x, &y);
	if (!order)
		order = strcmp(a->course->key.metric, b->course->key.metric);
	return order;
}

static int by_chart(const void *a, const void *b)
{
	const struct pn_reported_line *x = a, *y = b;
	int order = chart_cmp(x, y);

	return order ? order
		     : strcmp(x->course->key.series.machine,
			      y->course->key.series.machine);
}

/* By series, the first metric of each first. */
static int by_series(const void *a, const void *b)
{
	const struct pn_course *x =
		(*(struct pn_reported_line *const *)a)->course;
	const struct pn_course *y =
		(*(struct pn_reported_line *const *)b)->course;
	int order = pn_series_cmp(&x->key.series, &y->key.series);

	return order ? order : (x->place > y->place) - (x->place < y->place);
}

static void find_headlines(struct pn_reported_line *lines, size_t count)
{
	struct pn_reported_line **order = pn_calloc(count + 1, sizeof(*order));
	size_t i;

	for (i = 0; i < count; i++)
		order[i] = &lines[i];
	if (count)
		qsort(order, count, sizeof(*order), by_series);
	for (i = 0; i < count; i++)
		order[i]->headline =
			!i || pn_series_cmp(&order[i - 1]->course->key.series,
					    &order[i]->course->key.series) != 0;
	free(order);
}

static void collect(struct pn_reported *r)
{
	size_t i, k, n = 0;

	for (i = 0; i < r->machine_count; i++)
		n += r->machines[i].count;
	r->lines = pn_calloc(n + 1, sizeof(*r->lines));
	for (i = 0; i < r->machine_count; i++) {
		struct pn_reported_line *own = &r->lines[r->line_count];

		for (k = 0; k < r->machines[i].count; k++)
			r->lines[r->line_count++] = (struct pn_reported_line){
				.course = &r->machines[i].items[k],
				.count = r->machines[i].items[k].count};
		find_headlines(own, k);
	}
	r->line_total = r->line_count + r->beyond;
	if (r->others.count) /* the first string is "" */
		r->line_total += r->others.count - 1;
}

static void choose(struct pn_reported *r)
{
	size_t i, points = 0;

	if (r->line_count)
		qsort(r->lines, r->line_count, sizeof(*r->lines), by_weight);
	for (i = 0; i < r->line_count && i < PN_REPORTED_LINES; i++) {
		points += r->lines[i].count;
		if (points > PN_REPORTED_POINTS)
			break;
	}
	r->line_count = i;
	if (i)
		qsort(r->lines, i, sizeof(*r->lines), by_chart);
	for (i = 0; i < r->line_count; i++) {
		if (i && chart_cmp(&r->lines[i - 1], &r->lines[i]) != 0)
			r->chart_count++;
		r->lines[i].chart = r->chart_count;
	}
	r->chart_count += r->line_count > 0;
}

static void name(struct pn_reported *r)
{
	struct pn_series *all = pn_calloc(r->line_count + 1, sizeof(*all));
	size_t i;

	for (i = 0; i < r->line_count; i++)
		all[i] = r->lines[i].course->key.series;
	for (i = 0; i < r->line_count; i++)
		r->lines[i].parts = pn_series_tell(&all[i], all, r->line_count);
	free(all);
}

static struct pn_reported_point point_of(const struct pn_course_point *from)
{
	struct pn_reported_point point = {from->commit, from->median,
					  from->median, from->median,
					  from->n,	from->noisy};
	struct pn_interval interval;
	double *sorted = pn_calloc(from->count, sizeof(*sorted));

	memcpy(sorted, from->runs, from->count * sizeof(*sorted));
	pn_summary_sort(sorted, from->count);
	point.low = sorted[0];
	point.high = sorted[from->count - 1];
	if (!pn_summary_median_interval(&interval, sorted, from->count, 0.95,
					NULL)) {
		point.low = interval.low;
		point.high = interval.high;
	}
	free(sorted);
	return point;
}

static void fill(struct pn_reported *r, struct pn_reported_line *line)
{
	size_t i, n = line->course->count;

	line->points = pn_arena_array(&r->arena, n + 1, sizeof(*line->points));
	line->count = n;
	for (i = 0; i < n; i++)
		line->points[i] = point_of(&line->course->points[n - 1 - i]);
}

/* A range of an acceptance begins behind this commit, see struct pn_accepted.
 */
static void settle_accepted(struct pn_reported *r)
{
	struct pn_oid oid;
	size_t i, k;

	for (i = 0; i < r->accepted_count; i++) {
		const char *since = r->accepted[i].accepted->since;

		if (strlen(since) != PN_OID_HEX || pn_oid_parse(&oid, since))
			continue;
		r->accepted[i].since = r->count;
		for (k = r->accepted[i].number; k < r->count; k++)
			if (pn_oid_equal(&r->commits[k].id, &oid)) {
				r->accepted[i].since = k ? k - 1 : 0;
				break;
			}
	}
}

/* The line of a course; `line_count`: it has none. */
static size_t line_of(const struct pn_reported *r,
		      const struct pn_course *course)
{
	size_t i;

	for (i = 0; i < r->line_count; i++)
		if (!pn_figure_cmp(&r->lines[i].course->key, &course->key))
			break;
	return i;
}

static void add_mark(struct pn_reported *r, size_t *cap,
		     const struct pn_mark *m, size_t line)
{
	if (line == r->line_count || r->mark_count == PN_REPORTED_MARKS)
		return;
	r->marks = pn_grow(r->marks, cap, r->mark_count + 1, sizeof(*r->marks));
	r->marks[r->mark_count++] = (struct pn_reported_mark){
		line,	      m->commit, m->to,	 m->from, m->drift,
		m->direction, m->ratio,	 m->low, m->high, m->accepted};
}

/* Where a commit of the past is here; `count`: it is not among these. */
static size_t place_of(const struct pn_reported *r, size_t number)
{
	const struct pn_oid *id = &r->marked.commits[number].id;
	size_t i;

	for (i = 0; i < r->count; i++)
		if (pn_oid_equal(&r->commits[i].id, id))
			break;
	return i;
}

/* The commits that may have made it begin behind the measured one before. */
static void take_mark(struct pn_reported *r, size_t *cap,
		      const struct pn_mark *mark, size_t line)
{
	struct pn_mark m = *mark;
	size_t behind = m.to + 1 < r->marked.commit_count
				? place_of(r, m.to + 1)
				: r->count;

	m.commit = place_of(r, m.commit);
	m.from = place_of(r, m.from);
	if (m.commit == r->count || m.from == r->count)
		return;
	m.to = behind - 1;
	add_mark(r, cap, &m, line);
}

/* The course of the same figure that has more of the past; else itself. */
static const struct pn_course *longer(const struct pn_reported *r,
				      const struct pn_course *course)
{
	size_t i;

	for (i = 0; r->past && i < r->past->count; i++) {
		const struct pn_course *c = &r->past->items[i];

		if (!pn_figure_cmp(&c->key, &course->key))
			return c->count >= course->count ? c : course;
	}
	return course;
}

static void mark(struct pn_reported *r)
{
	struct pn_marks marks;
	size_t i, k, cap = 0;

	for (k = 0; k < r->machine_count; k++) {
		pn_marks_of(&marks, &r->machines[k], r->accepted,
			    r->accepted_count, true);
		for (i = 0; i < marks.count; i++)
			if (longer(r, marks.items[i].course) ==
			    marks.items[i].course)
				add_mark(r, &cap, &marks.items[i],
					 line_of(r, marks.items[i].course));
		pn_marks_release(&marks);
	}
	for (i = 0; r->past && i < r->marked.marks->count; i++) {
		const struct pn_mark *m = &r->marked.marks->items[i];

		k = line_of(r, m->course);
		if (k < r->line_count &&
		    longer(r, r->lines[k].course) == m->course)
			take_mark(r, &cap, m, k);
	}
}

static int by_commit(const void *a, const void *b)
{
	const struct pn_reported_mark *x = a, *y = b;

	if (x->commit != y->commit)
		return x->commit < y->commit ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void pn_reported_finish(struct pn_reported *r)
{
	size_t i;

	collect(r);
	choose(r);
	name(r);
	settle_accepted(r);
	for (i = 0; i < r->line_count; i++)
		fill(r, &r->lines[i]);
	mark(r);
	if (r->mark_count)
		qsort(r->marks, r->mark_count, sizeof(*r->marks), by_commit);
}

const struct pn_reported_line *pn_reported_line_of(const struct pn_reported *r,
						   const struct pn_figure *f)
{
	size_t i;

	for (i = 0; i < r->line_count; i++)
		if (!pn_figure_cmp(&r->lines[i].course->key, f))
			return &r->lines[i];
	return NULL;
}

void pn_reported_chart_name(struct pn_buf *out, const struct pn_reported *r,
			    size_t chart)
{
	struct pn_series series;
	struct pn_series_parts parts;
	size_t i = 0;

	while (i < r->line_count && r->lines[i].chart != chart)
		i++;
	if (i == r->line_count)
		return;
	series = r->lines[i].course->key.series;
	parts = r->lines[i].parts;
	parts.machine = false;
	pn_series_text(out, &series, &parts);
	pn_buf_printf(out, " %s", r->lines[i].course->key.metric);
}
