/* Rows of series of one commit. */
#include "analysis/history/log_series.h"

#include "base/alloc.h"
#include "base/file.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OTHERS_MAX 1000	     /* names that are kept */
#define FAILED_MAX 100	     /* rows of a commit: nobody reads more */
#define COMPARED_MAX 1000000 /* pairs of figures: a note may be hostile */

bool pn_log_filter_is_open(const struct pn_log_filter *f)
{
	return !f->metric && !f->job && !f->collector && !f->machine;
}

/* A name that is not the one that is asked for. */
static bool is_other(const struct pn_log_filter *f, const char *name)
{
	if (f->others && *name && f->others->count <= OTHERS_MAX)
		pn_strtab_add_text(f->others, name);
	return false;
}

bool pn_log_filter_fits(const struct pn_log_filter *f,
			const struct pn_series *series)
{
	const char *job =
		*series->job ? series->job : pn_file_basename(series->cmd);

	if (f->job && !pn_series_fits(series, f->job))
		return is_other(f, job);
	if (f->collector && strcmp(f->collector, series->collector) != 0)
		return is_other(f, series->collector);
	if (f->machine &&
	    strncmp(f->machine, series->machine, strlen(f->machine)) != 0)
		return is_other(f, series->machine);
	return true;
}

bool pn_log_filter_fits_metric(const struct pn_log_filter *f,
			       const char *metric)
{
	return !f->metric ||
	       pn_regex_match(f->metric, metric, strlen(metric)) ||
	       is_other(f, metric);
}

static int cmp_dirty(const char *a, const char *b)
{
	if (!a || !b)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int cmp_series(const struct pn_log_series *a,
		      const struct pn_log_series *b)
{
	int order = pn_series_cmp(&a->series, &b->series);

	return order ? order : cmp_dirty(a->dirty, b->dirty);
}

static int by_tag(const void *a, const void *b)
{
	const struct pn_log_series *x = a, *y = b;

	return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static int by_series(const void *a, const void *b)
{
	int order = cmp_series(a, b);

	return order ? order : by_tag(a, b);
}

/* The row of a series among rows[0..count), which are in its order; NULL: it
 * has none. */
static struct pn_log_series *find(struct pn_log_series *rows, size_t count,
				  const struct pn_series *series,
				  const char *dirty)
{
	const struct pn_log_series key = {.series = *series, .dirty = dirty};
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = cmp_series(&rows[middle], &key);

		if (!order)
			return &rows[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Profiles that are of the tree. */
static struct pn_entry *own_profiles(size_t *count, struct pn_arena *arena,
				     const struct pn_entry *lines,
				     size_t line_count,
				     const struct pn_oid *tree)
{
	struct pn_entry *own = pn_arena_array(arena, line_count, sizeof(*own));
	size_t i;

	*count = 0;
	for (i = 0; i < line_count; i++)
		if (lines[i].kind == PN_ENTRY_PROFILE &&
		    pn_oid_equal(&lines[i].tree, tree))
			own[(*count)++] = lines[i];
	return own;
}

/* A row for each record; those of another tree are in no series of ours, which
 * may have got its name from others. */
static size_t list_records(struct pn_log_series *rows,
			   const struct pn_entry *lines, size_t line_count,
			   const struct pn_oid *tree,
			   const struct pn_series *own)
{
	size_t i, n = 0;

	for (i = 0; i < line_count; i++) {
		const struct pn_entry *e = &lines[i];

		if (e->kind != PN_ENTRY_PROFILE)
			continue;
		rows[n] = (struct pn_log_series){.entry = e, .tag = n};
		rows[n].series =
			pn_oid_equal(&e->tree, tree) ? *own++ : pn_series_of(e);
		if (*pn_entry_field(e, "dirty"))
			rows[n].dirty = e->id;
		n++;
	}
	return n;
}

/* One row for each series, in the order of series. */
static size_t unite(struct pn_log_series *rows, size_t count,
		    struct pn_arena *arena)
{
	struct pn_log_record *records =
		pn_arena_array(arena, count, sizeof(*records));
	size_t i, n = 0;

	if (count > 1)
		qsort(rows, count, sizeof(*rows), by_series);
	for (i = 0; i < count; i++) {
		records[i] = (struct pn_log_record){rows[i].tag, rows[i].entry};
		if (!n || cmp_series(&rows[n - 1], &rows[i])) {
			rows[n] = rows[i];
			rows[n].records = &records[i];
			rows[n++].record_count = 0;
		}
		rows[n - 1].record_count++;
	}
	return n;
}

/* The row that a figure belongs to, if it passes. */
static struct pn_log_series *row_of(struct pn_log_series *rows, size_t count,
				    const struct pn_figure *f,
				    const struct pn_log_filter *filter)
{
	return pn_log_filter_fits_metric(filter, f->metric)
		       ? find(rows, count, &f->series, f->dirty)
		       : NULL;
}

static void give_figures(struct pn_log_series *rows, size_t count,
			 struct pn_arena *arena,
			 const struct pn_figure *figures, size_t figure_count,
			 const struct pn_log_filter *filter)
{
	struct pn_log_series *row;
	size_t i;

	for (i = 0; i < figure_count; i++)
		if ((row = row_of(rows, count, &figures[i], filter)))
			row->figure_count++;
	for (i = 0; i < count; i++) {
		rows[i].figures = pn_arena_array(arena, rows[i].figure_count,
						 sizeof(*rows[i].figures));
		rows[i].figure_count = 0;
	}
	for (i = 0; i < figure_count; i++)
		if ((row = row_of(rows, count, &figures[i], filter)))
			row->figures[row->figure_count++] =
				(struct pn_log_figure){&figures[i], NULL};
}

/* Whether a row says of the failure all that is to be said: one build that
 * failed is of all that it was for. */
static bool is_said(const struct pn_log_series *rows, size_t count,
		    const struct pn_log_series *failed)
{
	const char *state = pn_entry_field(failed->entry, "state");
	size_t i;

	for (i = 0; i < count; i++) {
		const struct pn_series *a = &rows[i].series;
		const struct pn_series *b = &failed->series;

		if (!pn_series_cmp(a, b) ||
		    (!strcmp(state, "build") && *a->job &&
		     !strcmp(a->job, b->job) &&
		     !strcmp(a->machine, b->machine) &&
		     !strcmp(pn_entry_field(rows[i].entry, "state"), state)))
			return true;
	}
	return false;
}

/* Append a row for each failure that rows[0..count), in the order of series,
 * do not make good. */
static size_t list_failures(struct pn_log_series *rows, size_t count,
			    const struct pn_entry *lines, size_t line_count,
			    const struct pn_oid *tree,
			    const struct pn_log_filter *filter)
{
	size_t i, n = count;

	for (i = 0; i < line_count && n - count < FAILED_MAX; i++) {
		struct pn_log_series row = {
			.entry = &lines[i], .failed = true, .tag = SIZE_MAX};

		if (strcmp(lines[i].kind_text, "skip") != 0 ||
		    !pn_oid_equal(&lines[i].tree, tree))
			continue;
		row.series = pn_series_of(&lines[i]);
		if (pn_log_filter_fits(filter, &row.series) &&
		    !find(rows, count, &row.series, NULL) &&
		    !is_said(rows + count, n - count, &row))
			rows[n++] = row;
	}
	return n;
}

static size_t keep_fitting(struct pn_log_series *rows, size_t count,
			   const struct pn_log_filter *filter)
{
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		if (pn_log_filter_fits(filter, &rows[i].series) &&
		    (!filter->metric || rows[i].figure_count))
			rows[n++] = rows[i];
	return n;
}

static void tell(struct pn_log_series *rows, size_t count,
		 struct pn_arena *arena)
{
	struct pn_series *all = pn_arena_array(arena, count, sizeof(*all));
	size_t i;

	for (i = 0; i < count; i++)
		all[i] = rows[i].series;
	for (i = 0; i < count; i++)
		rows[i].parts = pn_series_tell(&all[i], all, count);
}

void pn_noted_figures(struct pn_noted *noted, struct pn_arena *arena,
		      const struct pn_oid *tree)
{
	struct pn_entry *own;
	size_t n;

	own = own_profiles(&n, arena, noted->lines, noted->line_count, tree);
	pn_figures_of(&noted->figures, &noted->figure_count, arena, own, n);
}

void pn_log_series_list(struct pn_log_series **out, size_t *count,
			struct pn_arena *arena, const struct pn_noted *noted,
			const struct pn_oid *tree,
			const struct pn_log_filter *filter)
{
	struct pn_log_series *rows =
		pn_arena_array(arena, noted->line_count, sizeof(*rows));
	struct pn_series *series;
	struct pn_entry *own;
	size_t i, n, measured;

	own = own_profiles(&n, arena, noted->lines, noted->line_count, tree);
	series = pn_arena_array(arena, n, sizeof(*series));
	pn_series_of_all(series, own, n);
	n = list_records(rows, noted->lines, noted->line_count, tree, series);
	n = unite(rows, n, arena);
	give_figures(rows, n, arena, noted->figures, noted->figure_count,
		     filter);
	measured = n;
	n = list_failures(rows, n, noted->lines, noted->line_count, tree,
			  filter);
	/* failures stay behind: their tag is the greatest */
	if (measured > 1)
		qsort(rows, measured, sizeof(*rows), by_tag);
	n = keep_fitting(rows, n, filter);
	tell(rows, n, arena);
	for (i = 0; i < n; i++)
		rows[i].elsewhere = noted->elsewhere;
	*out = rows;
	*count = n;
}

static bool is_one_metric(const struct pn_figure *a, const struct pn_figure *b)
{
	return !b->dirty && !strcmp(a->metric, b->metric) &&
	       pn_unit_comparable(a->unit, b->unit);
}

/* That of the ancestor. A job may have got its name in between; where the
 * commit has one series of it (`alone`) and so has the ancestor, its command
 * was changed. */
static const struct pn_figure *find_figure(const struct pn_figure *of,
					   bool alone,
					   const struct pn_figure *figures,
					   size_t count, size_t *others)
{
	const struct pn_figure *other = NULL;
	size_t i;

	*others = 0;
	for (i = 0; i < count; i++) {
		if (!is_one_metric(of, &figures[i]))
			continue;
		if (pn_series_alike(&of->series, &figures[i].series))
			return &figures[i];
		if (!pn_series_same_job(&of->series, &figures[i].series))
			continue;
		other = &figures[i];
		++*others;
	}
	return alone && *others == 1 ? other : NULL;
}

/* Whether no other row is of its job. */
static bool is_alone(const struct pn_log_series *row,
		     const struct pn_log_series *rows, size_t count)
{
	size_t i;

	if (!*row->series.job || count > PN_SERIES_TELL_MAX)
		return false;
	for (i = 0; i < count; i++)
		if (&rows[i] != row && !rows[i].dirty && !rows[i].failed &&
		    pn_series_same_job(&row->series, &rows[i].series))
			return false;
	return true;
}

/* Whether the ancestor has the row. */
static bool take_base(struct pn_log_series *row, bool alone,
		      const struct pn_figure *figures, size_t figure_count)
{
	size_t k, others, ignored;

	if (!find_figure(row->figures[0].now, alone, figures, figure_count,
			 &others)) {
		row->divided |= others > 1;
		return false;
	}
	for (k = 0; k < row->figure_count; k++)
		row->figures[k].base =
			find_figure(row->figures[k].now, alone, figures,
				    figure_count, &ignored);
	return true;
}

size_t pn_log_series_base(struct pn_log_series *rows, size_t count,
			  const struct pn_figure *figures, size_t figure_count,
			  size_t distance)
{
	size_t i, left = 0;

	if (count && figure_count > COMPARED_MAX / count)
		return 0;
	for (i = 0; i < count; i++) {
		struct pn_log_series *row = &rows[i];

		if (!row->figure_count || row->distance || row->dirty)
			continue;
		if (take_base(row, !row->divided && is_alone(row, rows, count),
			      figures, figure_count))
			row->distance = distance;
		else
			left++;
	}
	return left;
}

/* What is counted, and not by a clock, is the same every time. */
static bool is_exact(const struct pn_figure *f)
{
	return strcmp(pn_unit_base(f->unit), "ns") != 0;
}

static double variance(const struct pn_figure *f)
{
	return isfinite(f->spread) && f->n > 1
		       ? f->spread * f->spread / (double)f->n
		       : NAN;
}

double pn_log_figure_old(const struct pn_log_figure *f)
{
	const char *unit;

	if (!f->base)
		return NAN;
	if (!strcmp(f->base->unit, f->now->unit))
		return f->base->median;
	return pn_unit_scale(&unit, f->base->median, f->base->unit,
			     f->now->unit);
}

int pn_log_figure_change(const struct pn_log_figure *f)
{
	double old = pn_log_figure_old(f), limit, delta, spread;

	if (!f->base || f->now->better == PN_BETTER_UNKNOWN)
		return 0;
	delta = f->now->median - old;
	if (delta == 0)
		return 0;
	spread = variance(f->base) + variance(f->now);
	/* the other's spread is in the other's unit */
	if (isfinite(spread) && !strcmp(f->base->unit, f->now->unit))
		limit = 2 * sqrt(spread);
	else
		limit = is_exact(f->now) ? 0 : fabs(old) * PN_CHANGE_UNKNOWN;
	if (!(fabs(delta) > limit))
		return 0;
	return (delta < 0) == (f->now->better == PN_BETTER_LESS) ? 1 : -1;
}
