/* Series of two commits, paired. */
#include "analysis/diff/series_rows.h"

#include "analysis/measured/ratio.h"
#include "base/alloc.h"
#include "detect/pair.h"
#include "detect/rounding.h"
#include "model/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNPAIRED_MAX 1000 /* series that are held against each other */

/* The figures of one series at one commit. */
struct group {
	const struct pn_figure **figures; /* in the order of the commit */
	size_t count;
	struct group *pair; /* at the other commit */
};

struct side {
	const struct pn_figure **ordered; /* all figures, by series */
	struct group *groups;
	size_t count;
};

static int by_job(const void *a, const void *b)
{
	const struct pn_figure *x = *(const struct pn_figure *const *)a;
	const struct pn_figure *y = *(const struct pn_figure *const *)b;
	int order = pn_figure_job_cmp(x, y);

	return order ? order : x < y ? -1 : x > y;
}

static enum pn_series_fit best_fit(const struct pn_log_row *row,
				   const char *name)
{
	enum pn_series_fit best = PN_SERIES_OTHER, fit;
	size_t i;

	for (i = 0; row && name && i < row->figure_count; i++) {
		fit = pn_series_fits(&row->figures[i].series, name);
		if (fit > best)
			best = fit;
	}
	return best;
}

/* Those that fit best, or all. */
static void read_side(struct side *out, const struct pn_log_row *row,
		      const char *name, bool dirty)
{
	enum pn_series_fit best = best_fit(row, name);
	size_t i, n = 0, count = row ? row->figure_count : 0;

	out->ordered = pn_calloc(count + 1, sizeof(const struct pn_figure *));
	out->groups = pn_calloc(count + 1, sizeof(*out->groups));
	for (i = 0; i < count; i++) {
		const struct pn_figure *f = &row->figures[i];

		if ((dirty || !f->dirty) &&
		    (!name ||
		     (best && pn_series_fits(&f->series, name) == best)))
			out->ordered[n++] = f;
	}
	if (n > 1)
		qsort(out->ordered, n, sizeof(const struct pn_figure *),
		      by_job);
	for (i = 0; i < n; i++) {
		if (!i || pn_figure_job_cmp(out->ordered[i - 1],
					    out->ordered[i]) != 0)
			out->groups[out->count++].figures = &out->ordered[i];
		out->groups[out->count - 1].count++;
	}
}

static void release_side(struct side *side)
{
	free(side->ordered);
	free(side->groups);
}

static int by_first(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return pn_figure_job_cmp(x->figures[0], y->figures[0]);
}

static void join(struct group *a, struct group *b)
{
	a->pair = b;
	b->pair = a;
}

/* Both are in order. */
static void pair_equal(struct side *before, struct side *after)
{
	struct group *found;
	size_t i;

	for (i = 0; i < after->count; i++) {
		found = bsearch(&after->groups[i], before->groups,
				before->count, sizeof(*before->groups),
				by_first);
		if (found)
			join(found, &after->groups[i]);
	}
}

/* The only one of `in` that is `like` it; NULL when it has a pair. */
static struct group *only_one(const struct group *of, struct side *in,
			      bool (*like)(const struct pn_series *,
					   const struct pn_series *))
{
	const struct pn_series *series = &of->figures[0]->series;
	struct group *found = NULL;
	size_t i;

	for (i = 0; i < in->count; i++) {
		struct group *g = &in->groups[i];

		if (!like(series, &g->figures[0]->series))
			continue;
		if (found)
			return NULL;
		found = g;
	}
	return found && !found->pair ? found : NULL;
}

static size_t unpaired(const struct side *side)
{
	size_t i, n = 0;

	for (i = 0; i < side->count; i++)
		n += !side->groups[i].pair;
	return n;
}

static void pair_like(struct side *before, struct side *after,
		      bool (*like)(const struct pn_series *,
				   const struct pn_series *))
{
	struct group *found;
	size_t i;

	if (unpaired(before) > UNPAIRED_MAX || unpaired(after) > UNPAIRED_MAX)
		return;
	for (i = 0; i < after->count; i++) {
		struct group *g = &after->groups[i];

		if (g->pair)
			continue;
		found = only_one(g, before, like);
		if (found && only_one(found, after, like) == g)
			join(found, g);
	}
}

static const struct pn_figure *find_metric(const struct group *in,
					   const struct pn_figure *f)
{
	size_t i;

	for (i = 0; in && i < in->count; i++)
		if (!strcmp(in->figures[i]->metric, f->metric) &&
		    !strcmp(pn_unit_base(in->figures[i]->unit),
			    pn_unit_base(f->unit)))
			return in->figures[i];
	return NULL;
}

static double in_unit(double value, const char *from, const char *to)
{
	const char *unit;

	return strcmp(from, to) ? pn_unit_scale(&unit, value, from, to) : value;
}

/* Values above 0 in ascending order and in that unit; NULL: they are not. */
static double *positive_values(const struct pn_figure *f, const char *unit)
{
	double *values = pn_calloc(f->value_count, sizeof(*values));
	size_t i;

	for (i = 0; i < f->value_count; i++)
		values[i] = in_unit(f->values[i], f->unit, unit);
	if (f->value_count)
		pn_summary_sort(values, f->value_count);
	if (f->value_count && values[0] > 0 &&
	    isfinite(values[f->value_count - 1]))
		return values;
	free(values);
	return NULL;
}

/* Less is better of what is compared. */
static void turn(double *values, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		values[i] = 1 / values[i];
}

/* Whether two values that do not vary may be rounded, and differ by noise. */
static bool hides_noise(const struct pn_series_row *row)
{
	const struct pn_figure *before = row->before, *after = row->after;
	const double values[] = {row->old, after->median};
	double digits =
		fabs(values[1] - values[0]) / pn_rounding_digit(values, 2);

	return !pn_series_counts(&after->series, after->metric) &&
	       pn_rounding_hides(digits, before->value_count,
				 after->value_count);
}

/* Turns the values where more is better. */
static void find_verdict(struct pn_series_row *row, double *a, double *b)
{
	const struct pn_figure *before = row->before, *after = row->after;
	struct pn_pair_options options = PN_PAIR_DEFAULTS;
	struct pn_pair_verdict pair;

	if (after->better == PN_BETTER_UNKNOWN)
		return;
	options.clock = pn_metric_is_clocked(after->metric, after->unit);
	if (after->better == PN_BETTER_MORE) {
		turn(a, before->value_count);
		turn(b, after->value_count);
	}
	pn_pair_of(&pair, a, before->value_count, b, after->value_count,
		   &options);
	row->verdict = pair.verdict;
	if (pair.method == PN_PAIR_EXACT && hides_noise(row))
		row->verdict = pn_verdict_less_sure(row->verdict);
	if (pair.method != PN_PAIR_CLOCK || after->better != PN_BETTER_LESS)
		return;
	row->ratio = (struct pn_interval){NAN, NAN};
	if (!isnan(pair.low))
		row->ratio = (struct pn_interval){pair.low, pair.high};
}

static void find_interval(struct pn_series_row *row)
{
	const struct pn_figure *before = row->before, *after = row->after;
	double *a = positive_values(before, after->unit);
	double *b = positive_values(after, after->unit);
	struct pn_ratio ratio;

	if (a && b) {
		pn_ratio_of(&ratio, a, before->value_count, b,
			    after->value_count);
		row->ratio = (struct pn_interval){ratio.low, ratio.high};
		find_verdict(row, a, b);
	}
	free(a);
	free(b);
}

static bool is_constant(const struct pn_figure *f)
{
	return f->value_count && f->min == f->max;
}

/* Counts that do not vary are compared as they are, as check does. */
static void judge_exactly(struct pn_series_row *row)
{
	const struct pn_figure *before = row->before, *after = row->after;
	double by = after->median - row->old,
	       least = PN_PAIR_DEFAULTS.min_effect_exact * fabs(row->old);

	if (after->better == PN_BETTER_UNKNOWN || !is_constant(before) ||
	    !is_constant(after) ||
	    !pn_series_counts(&after->series, after->metric))
		return;
	if (by == 0 || !pn_verdict_counts(by, least))
		row->verdict = PN_VERDICT_NO_CHANGE;
	else if ((by < 0) == (after->better == PN_BETTER_LESS))
		row->verdict = PN_VERDICT_OPTIMIZATION;
	else
		row->verdict = PN_VERDICT_DEGRADATION;
}

static void compare(struct pn_series_row *row)
{
	const char *unit = row->after ? row->after->unit : row->before->unit;

	row->ratio = (struct pn_interval){NAN, NAN};
	row->verdict = PN_VERDICT_UNKNOWN;
	row->old = NAN;
	if (row->before)
		row->old =
			in_unit(row->before->median, row->before->unit, unit);
	if (!row->before || !row->after)
		return;
	find_interval(row);
	if (row->verdict == PN_VERDICT_UNKNOWN)
		judge_exactly(row);
}

static void add_row(struct pn_series_rows *out, const struct pn_figure *before,
		    const struct pn_figure *after, bool first)
{
	struct pn_series_row *row = &out->rows[out->count++];

	*row = (struct pn_series_row){.series = after ? after->series
						      : before->series,
				      .first = first,
				      .before = before,
				      .after = after};
	out->series_count += first;
	compare(row);
}

/* The new one's metrics, then those that only the old one has. */
static void add_group(struct pn_series_rows *out, const struct group *before,
		      const struct group *after)
{
	size_t i, first = out->count;

	for (i = 0; after && i < after->count; i++)
		add_row(out, find_metric(before, after->figures[i]),
			after->figures[i], out->count == first);
	for (i = 0; before && i < before->count; i++)
		if (!after || !find_metric(after, before->figures[i]))
			add_row(out, before->figures[i], NULL,
				out->count == first);
}

static int by_name(const void *a, const void *b)
{
	const struct pn_series_row *x = a, *y = b;
	int order = pn_series_name_cmp(&x->series, &y->series);

	return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static void name_all(struct pn_series_rows *out)
{
	struct pn_series *all = pn_calloc(out->series_count + 1, sizeof(*all));
	struct pn_series_parts parts = {0};
	size_t i, n = 0;

	for (i = 0; i < out->count; i++)
		if (out->rows[i].first)
			all[n++] = out->rows[i].series;
	for (i = 0; i < out->count; i++) {
		if (out->rows[i].first)
			parts = pn_series_tell(&out->rows[i].series, all, n);
		out->rows[i].parts = parts;
	}
	free(all);
}

void pn_series_rows_init(struct pn_series_rows *out,
			 const struct pn_log_row *before,
			 const struct pn_log_row *after, const char *name)
{
	struct side old = {0}, now = {0};
	size_t i, room;

	memset(out, 0, sizeof(*out));
	read_side(&old, before, name, false);
	read_side(&now, after, name, !before);
	room = (before ? before->figure_count : 0) + after->figure_count;
	out->rows = pn_calloc(room + 1, sizeof(*out->rows));
	pair_equal(&old, &now);
	pair_like(&old, &now, pn_series_alike);
	pair_like(&old, &now, pn_series_same_job);
	for (i = 0; i < now.count; i++)
		add_group(out, now.groups[i].pair, &now.groups[i]);
	for (i = 0; i < old.count; i++)
		if (!old.groups[i].pair)
			add_group(out, &old.groups[i], NULL);
	for (i = 0; i < out->count; i++)
		out->rows[i].order = i;
	if (out->count > 1)
		qsort(out->rows, out->count, sizeof(*out->rows), by_name);
	name_all(out);
	release_side(&old);
	release_side(&now);
}

void pn_series_rows_release(struct pn_series_rows *rows)
{
	free(rows->rows);
	memset(rows, 0, sizeof(*rows));
}

int pn_series_row_change(const struct pn_series_row *row)
{
	struct pn_log_figure pair = {row->after, row->before};
	bool less;

	if (!row->before || !row->after ||
	    row->after->better == PN_BETTER_UNKNOWN)
		return 0;
	if (isnan(row->ratio.low))
		return pn_log_figure_change(&pair);
	less = row->ratio.high < 1;
	if (!less && !(row->ratio.low > 1))
		return 0;
	return less == (row->after->better == PN_BETTER_LESS) ? 1 : -1;
}

double pn_series_rows_worse(const struct pn_series_rows *rows, bool all)
{
	double worst = 0;
	size_t i;

	for (i = 0; i < rows->count; i++) {
		const struct pn_series_row *row = &rows->rows[i];

		if ((row->first || all) &&
		    row->verdict == PN_VERDICT_DEGRADATION)
			worst = fmax(worst,
				     fabs(row->after->median - row->old) /
					     fabs(row->old));
	}
	return worst;
}
