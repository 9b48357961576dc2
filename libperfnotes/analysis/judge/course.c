/* Figures of a line of commits as courses. */
#include "analysis/judge/course.h"

#include "base/alloc.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *keep(struct pn_courses *all, const char *text)
{
	return pn_arena_copy(&all->arena, text, strlen(text));
}

static struct pn_figure key_of(struct pn_courses *all,
			       const struct pn_figure *f)
{
	struct pn_series s = f->series;

	s.job = keep(all, s.job);
	s.cmd = keep(all, s.cmd);
	s.args = keep(all, s.args);
	s.workload = keep(all, s.workload);
	s.collector = keep(all, s.collector);
	s.machine = keep(all, s.machine);
	return (struct pn_figure){.metric = keep(all, f->metric),
				  .unit = keep(all, f->unit),
				  .better = f->better,
				  .secondary = f->secondary,
				  .series = s};
}

/* Where it is, or would be. */
static size_t place_of(const struct pn_courses *all, const struct pn_figure *f)
{
	size_t low = 0, high = all->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (pn_figure_cmp(&all->items[middle].key, f) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_one_metric(const struct pn_figure *a, const struct pn_figure *b)
{
	return !strcmp(a->metric, b->metric) &&
	       pn_unit_comparable(a->unit, b->unit);
}

static bool is_elsewhere(const struct pn_series *a, const struct pn_series *b)
{
	struct pn_series here = *a;

	here.machine = b->machine;
	return strcmp(a->machine, b->machine) != 0 && pn_series_alike(&here, b);
}

/* The course of a figure. A job may have got its name in between: such a one
 * stands beside its place, as does one of another machine (*elsewhere). */
static struct pn_course *find(struct pn_course **elsewhere,
			      const struct pn_courses *all,
			      const struct pn_figure *f)
{
	struct pn_course *near;
	size_t at, i;

	*elsewhere = NULL;
	if (!all->items)
		return NULL;
	at = place_of(all, f);
	if (at < all->count && !pn_figure_cmp(&all->items[at].key, f))
		return &all->items[at];
	for (i = at ? at - 1 : 0; i < at + 1 && i < all->count; i++) {
		near = &all->items[i];
		if (!is_one_metric(&near->key, f))
			continue;
		if (pn_series_alike(&near->key.series, &f->series))
			return near;
		if (is_elsewhere(&near->key.series, &f->series))
			*elsewhere = near;
	}
	return NULL;
}

static const double *runs_of(size_t *count, struct pn_courses *all,
			     const struct pn_course *course,
			     const struct pn_figure *f)
{
	const char *unit;
	bool same = !strcmp(course->key.unit, f->unit);
	bool has = f->values && f->value_count;
	size_t i, n = has ? f->value_count : 1;
	double *runs = pn_arena_array(&all->arena, n, sizeof(*runs));

	memcpy(runs, has ? f->values : &f->median, n * sizeof(*runs));
	for (i = 0; i < n && !same; i++)
		runs[i] = pn_unit_scale(&unit, runs[i], f->unit,
					course->key.unit);
	*count = n;
	return runs;
}

static void add_point(struct pn_courses *all, struct pn_course *course,
		      const struct pn_figure *f, size_t commit)
{
	struct pn_course_point *point;
	const char *unit;
	double median = f->median;

	/* two of one course at one commit: as it was run by hand, too */
	if (course->count && course->points[course->count - 1].commit == commit)
		return;
	if (strcmp(course->key.unit, f->unit) != 0)
		median =
			pn_unit_scale(&unit, median, f->unit, course->key.unit);
	course->points = pn_grow(course->points, &course->cap,
				 course->count + 1, sizeof(*course->points));
	point = &course->points[course->count++];
	*point = (struct pn_course_point){.commit = commit,
					  .n = f->n,
					  .median = median,
					  .noisy = f->noisy};
	point->runs = runs_of(&point->count, all, course, f);
}

static void add_figure(struct pn_courses *all, const struct pn_figure *f,
		       size_t commit)
{
	struct pn_course *elsewhere, *course = find(&elsewhere, all, f);

	if (course) {
		add_point(all, course, f, commit);
	} else if (elsewhere) {
		elsewhere->foreign++;
		elsewhere->foreign_machine = keep(all, f->series.machine);
	}
}

void pn_courses_add(struct pn_courses *all, const struct pn_figure *figures,
		    size_t count, size_t commit)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (figures[i].dirty)
			all->dirty++;
		else
			add_figure(all, &figures[i], commit);
	}
}

static int by_key(const void *a, const void *b)
{
	const struct pn_course *x = a, *y = b;

	return pn_figure_cmp(&x->key, &y->key);
}

/* Those behind the first `had`, which are in order, to their places: a history
 * may have others at each commit. */
static void put_in_order(struct pn_courses *all, size_t had)
{
	struct pn_courses before = *all;
	size_t at, n = all->count - had;
	struct pn_course *fresh;

	if (!n)
		return;
	qsort(all->items + had, n, sizeof(*all->items), by_key);
	fresh = pn_calloc(n, sizeof(*fresh));
	memcpy(fresh, all->items + had, n * sizeof(*fresh));
	for (before.count = had; n > 0; n--, before.count = at) {
		at = place_of(&before, &fresh[n - 1].key);
		memmove(all->items + at + n, all->items + at,
			(before.count - at) * sizeof(*fresh));
		all->items[at + n - 1] = fresh[n - 1];
	}
	free(fresh);
}

void pn_courses_begin(struct pn_courses *all, const struct pn_figure *figures,
		      size_t count, size_t commit)
{
	struct pn_course *elsewhere;
	struct pn_courses had = *all; /* only looked at: those are in order */
	size_t i;

	for (i = 0; i < count; i++) {
		const struct pn_figure *f = &figures[i];

		had.items = all->items;
		if (f->dirty || find(&elsewhere, &had, f) || elsewhere)
			continue;
		if (all->count == PN_COURSES_MAX) {
			all->unknown++;
			continue;
		}
		all->items = pn_grow(all->items, &all->cap, all->count + 1,
				     sizeof(*all->items));
		all->items[all->count] =
			(struct pn_course){.key = key_of(all, f),
					   .place = all->count,
					   .rule = PN_COURSE_RULE_NONE};
		all->count++;
	}
	put_in_order(all, had.count);
	pn_courses_add(all, figures, count, commit);
}

void pn_courses_accept(struct pn_courses *all,
		       const struct pn_accepted *accepted, size_t commit)
{
	size_t i;

	for (i = 0; i < all->count; i++) {
		struct pn_course *course = &all->items[i];

		if (course->accepted ||
		    !pn_accepted_fits(accepted, &course->key.series,
				      course->key.metric))
			continue;
		course->accepted = accepted;
		course->accepted_from = commit;
	}
}

void pn_courses_release(struct pn_courses *all)
{
	size_t i;

	for (i = 0; i < all->count; i++)
		free(all->items[i].points);
	free(all->items);
	pn_arena_release(&all->arena);
	memset(all, 0, sizeof(*all));
}

const struct pn_course_point *pn_course_target(const struct pn_course *course)
{
	return course->count && !course->points[0].commit ? &course->points[0]
							  : NULL;
}
