/* Figures of a commit, pooled. */
#include "analysis/history/figures.h"

#include "analysis/history/threads.h"
#include "base/alloc.h"
#include "model/machine/quiet.h"
#include "model/stand_ins.h"
#include "model/twice.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values that stand for those of one record at most: a note may be hostile. */
#define STAND_INS_MAX 128

/* One metric of one record on its way into a figure. */
struct part {
	const struct pn_entry_metric *metric;
	struct pn_figure key;
	const char *thread; /* whose alone it is, or "" */
	size_t order;	    /* of occurrence, oldest record first */
};

int pn_figure_job_cmp(const struct pn_figure *a, const struct pn_figure *b)
{
	int order = pn_series_cmp(&a->series, &b->series);

	if (order)
		return order;
	if (!a->dirty || !b->dirty)
		return (a->dirty != NULL) - (b->dirty != NULL);
	return strcmp(a->dirty, b->dirty);
}

int pn_figure_cmp(const struct pn_figure *a, const struct pn_figure *b)
{
	int order = strcmp(a->metric, b->metric);

	/* most have one unit, and families are looked up slowly */
	if (!order && strcmp(a->unit, b->unit) != 0)
		order = strcmp(pn_unit_base(a->unit), pn_unit_base(b->unit));
	return order ? order : pn_figure_job_cmp(a, b);
}

static struct part part_of(const struct pn_entry *e,
			   const struct pn_series *series,
			   const struct pn_entry_metric *m, size_t order)
{
	struct part part = {.metric = m,
			    .thread = pn_entry_field(e, PN_THREAD_FIELD),
			    .order = order};
	struct pn_figure *f = &part.key;

	f->metric = m->name;
	f->unit = m->unit;
	f->better = m->better;
	f->series = *series;
	if (*pn_entry_field(e, "dirty"))
		f->dirty = e->id;
	return part;
}

static int by_series(const void *a, const void *b)
{
	const struct part *x = a, *y = b;
	int order = pn_figure_cmp(&x->key, &y->key);

	if (order)
		return order;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* A figure and where its metric occurred first. */
struct made {
	struct pn_figure figure;
	size_t order;
};

static int by_order(const void *a, const void *b)
{
	const struct made *x = a, *y = b;

	return x->order < y->order ? -1 : x->order > y->order;
}

/* Some sources know the mean only. */
static double typical(const struct pn_summary *s)
{
	return isfinite(s->median) ? s->median : s->mean;
}

static void fill(struct pn_figure *f, size_t records,
		 const struct pn_summary *s)
{
	f->records = records;
	f->n = s->n;
	f->median = typical(s);
	f->min = s->min;
	f->max = s->max;
	f->sd = s->n > 1 ? s->sd : NAN;
	f->spread = pn_summary_spread(s);
}

/* Append a metric's values in another unit of theirs. */
static size_t add_values(double *out, const struct pn_entry_metric *m,
			 const char *unit)
{
	const char *same = unit;
	bool scaled = strcmp(m->unit, unit) != 0;
	size_t i;

	for (i = 0; i < m->value_count; i++)
		out[i] = scaled ? pn_unit_scale(&same, m->values[i], m->unit,
						unit)
				: m->values[i];
	return m->value_count;
}

/* The quiet ones to the front, in their order; all stay where none is. */
static size_t drop_noisy(struct part *parts, size_t count)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		if (!parts[i].key.noisy)
			parts[n++] = parts[i];
	return n ? n : count;
}

/* The values of all parts, those of the threads of a run added up. */
static size_t unite(double *out, const struct part *parts, size_t count,
		    const char *unit)
{
	struct pn_thread_value *threads = pn_calloc(count, sizeof(*threads));
	size_t i, n = 0, of_threads = 0;

	for (i = 0; i < count; i++) {
		struct pn_thread_value *v = &threads[of_threads];

		if (!*parts[i].thread || parts[i].metric->value_count != 1) {
			n += add_values(out + n, parts[i].metric, unit);
			continue;
		}
		add_values(&v->value, parts[i].metric, unit);
		v->thread = parts[i].thread;
		v->order = i;
		of_threads++;
	}
	n += pn_thread_runs(out + n, threads, of_threads);
	free(threads);
	return n;
}

/* The metric's summary in another unit of its own. */
static struct pn_summary summary_in(const struct pn_entry_metric *m,
				    const char *unit)
{
	struct pn_summary s = m->summary;
	double *const all[] = {&s.min, &s.q1,	&s.median, &s.q3,
			       &s.max, &s.mean, &s.sd};
	const char *same = unit;
	size_t i;

	for (i = 0; i < sizeof(all) / sizeof(*all) && strcmp(m->unit, unit);
	     i++)
		*all[i] = pn_unit_scale(&same, *all[i], m->unit, unit);
	return s;
}

/* How many values a part has or can have; 0: it can be one of no pool. */
static size_t room_of(const struct part *part)
{
	const struct pn_entry_metric *m = part->metric;

	if (m->values)
		return m->value_count;
	if (!pn_summary_tells(&m->summary))
		return 0;
	return m->summary.n < STAND_INS_MAX ? (size_t)m->summary.n
					    : STAND_INS_MAX;
}

/* Of records with many values the line has a summary. What is pooled then has
 * the size, mean, extremes and deviation of all values together, and quartiles
 * with others in the place of those that are not at hand. */
static size_t add_summaries(struct pn_summary *s, double *values, size_t n,
			    const struct part *parts, size_t count,
			    const char *unit)
{
	struct pn_summary all = *s, one;
	bool any = n > 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (parts[i].metric->values)
			continue;
		one = summary_in(parts[i].metric, unit);
		n += pn_summary_stand_ins(values + n, room_of(&parts[i]), &one);
		if (any)
			pn_summary_add(&all, &one);
		else
			all = one;
		any = true;
	}
	if (count > 1 && !pn_summary_of(s, values, n, NULL)) {
		all.q1 = s->q1;
		all.median = s->median;
		all.q3 = s->q3;
	}
	*s = all;
	return n;
}

/* parts[0..all) are of one series, oldest first; their order is lost. */
static struct pn_figure pool(struct pn_arena *arena, struct part *parts,
			     size_t all)
{
	size_t i, n = 0, count = drop_noisy(parts, all);
	const struct pn_entry_metric *newest = parts[count - 1].metric;
	struct pn_figure f = parts[0].key;
	struct pn_summary s = {0};
	double *values;

	f.left_out = all - count;
	fill(&f, 1, &newest->summary);
	f.unit = newest->unit;
	f.values = newest->values;
	f.value_count = newest->values ? newest->value_count : 0;
	for (i = 0; i < count && room_of(&parts[i]); i++)
		n += room_of(&parts[i]);
	if (i < count || (count == 1 && newest->values))
		return f;
	values = pn_arena_alloc(arena, n * sizeof(*values));
	n = unite(values, parts, count, f.unit);
	if (n && pn_summary_of(&s, values, n, NULL))
		return f;
	n = add_summaries(&s, values, n, parts, count, f.unit);
	fill(&f, count, &s);
	f.values = values;
	f.value_count = n;
	return f;
}

/* Whether the record is made of another one that has the metric, too: or of
 * what this is a copy of, where both followed a commit that was rewritten. */
static bool is_repeated(const struct pn_entry *e,
			const struct pn_entry_metric *m,
			const struct pn_entry *entries, size_t entry_count)
{
	const char *of = pn_entry_field(e, "of");
	size_t i, k;

	for (i = 0; *of && i < entry_count; i++) {
		const struct pn_entry *source = &entries[i];

		if (source == e || source->kind != PN_ENTRY_PROFILE ||
		    (strcmp(source->id, of) != 0 &&
		     strcmp(pn_entry_field(source, "from"), of) != 0))
			continue;
		for (k = 0; k < source->metric_count; k++)
			if (!strcmp(source->metrics[k].name, m->name) &&
			    !strcmp(source->metrics[k].unit, m->unit))
				return true;
	}
	return false;
}

static struct part *collect(size_t *count, const struct pn_entry *entries,
			    size_t entry_count)
{
	struct pn_series *series = pn_calloc(entry_count, sizeof(*series));
	bool *twice = pn_entries_twice(entries, entry_count);
	struct part *parts = NULL;
	size_t i, k, n = 0, cap = 0;

	pn_series_of_all(series, entries, entry_count);
	for (i = entry_count; i-- > 0;) {
		const struct pn_entry *e = &entries[i];
		bool noisy = pn_quiet_text_is_noisy(
			pn_entry_field(e, PN_QUIET_FIELD));

		if (e->kind != PN_ENTRY_PROFILE || (twice && twice[i]))
			continue;
		for (k = 0; k < e->metric_count; k++) {
			if (!isfinite(typical(&e->metrics[k].summary)) ||
			    is_repeated(e, &e->metrics[k], entries,
					entry_count))
				continue;
			parts = pn_grow(parts, &cap, n + 1, sizeof(*parts));
			parts[n] = part_of(e, &series[i], &e->metrics[k], n);
			parts[n].key.noisy = noisy;
			n++;
		}
	}
	free(series);
	free(twice);
	*count = n;
	return parts;
}

void pn_figures_of(const struct pn_figure **out, size_t *count,
		   struct pn_arena *arena, const struct pn_entry *entries,
		   size_t entry_count)
{
	struct pn_figure *figures;
	struct made *made;
	struct part *parts;
	size_t i, k, n, have = 0;

	parts = collect(&n, entries, entry_count);
	if (n > 1)
		qsort(parts, n, sizeof(*parts), by_series);
	made = pn_calloc(n, sizeof(*made));
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n; k++)
			if (pn_figure_cmp(&parts[i].key, &parts[k].key))
				break;
		made[have].order = parts[i].order;
		made[have++].figure = pool(arena, &parts[i], k - i);
	}
	if (have > 1)
		qsort(made, have, sizeof(*made), by_order);
	figures = pn_arena_alloc(arena, have * sizeof(*figures));
	for (i = 0; i < have; i++)
		figures[i] = made[i].figure;
	free(made);
	free(parts);
	*out = figures;
	*count = have;
}
