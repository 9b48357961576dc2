/* Changes of functions. */
#include "analysis/functions/changes.h"

#include "base/alloc.h"
#include "detect/history/history.h"
#include "detect/stats.h"
#include "detect/verdict.h"

#include <math.h>
#include <stdlib.h>

/* A mean below this share of the other one may be that of a few samples. */
#define NOTHING 0.02

/* Standard deviations by which a step differs from what costs vary by; that of
 * a difference of two values, and of two neighbouring differences. */
#define STEP 5
#define OF_STEP 2
#define OF_BEND 6
/* Of so many values in order by chance, up or down: 2 in 7! = 5,040. */
#define IN_ORDER 7

/* So many commits at an end may be too few for the detector; what is said of
 * them needs so many beside them, and is by chance in this part of cases. */
#define APART_MAX 4
#define APART_BESIDE 4
#define APART_P 0.001
#define ROUNDING 1e-20 /* a variance of logarithms that is none */

/* The values of a row, oldest first. */
struct line {
	const struct pn_function_history *history;
	double *values;
	size_t count;
	double min_effect;
	double drift; /* of the last segment, as the detector has it */
	struct pn_function_changes *out;
	size_t cap;
};

static size_t point_of(const struct line *l, size_t at)
{
	return l->count - 1 - at;
}

static size_t number_of(const struct line *l, size_t at)
{
	return l->history->points[point_of(l, at)].commit;
}

/* Whether a level, of the values from..end-1, is none beside another one: a
 * count is none where it is 0, a mean also where most of its values are. */
static bool is_nothing(const struct line *l, double level, double other,
		       size_t from, size_t end)
{
	size_t i, there = 0;

	if (!(level > 0))
		return true;
	if (l->history->exact || level > NOTHING * other)
		return false;
	for (i = from; i < end; i++)
		there += l->values[i] > 0;
	return 2 * there < end - from;
}

/* The levels are those of the values begin..at-1 and at..end-1. */
static void add(struct line *l, struct pn_function_change change, size_t begin,
		size_t end)
{
	struct pn_function_changes *out = l->out;
	size_t at = point_of(l, change.point);

	if (is_nothing(l, change.before, change.after, begin, at))
		change.kind = PN_FUNCTION_CAME;
	else if (is_nothing(l, change.after, change.before, at, end))
		change.kind = PN_FUNCTION_WENT;
	if (change.kind != PN_FUNCTION_CHANGED)
		change.ratio = change.low = change.high = NAN;
	else if (!pn_verdict_counts(change.ratio - 1, l->min_effect))
		return;
	out->items = pn_grow(out->items, &l->cap, out->count + 1,
			     sizeof(*out->items));
	out->items[out->count++] = change;
}

/* From value i - 1 to value i, for certain. */
static void add_step(struct line *l, size_t i, double low, double high)
{
	double before = l->values[i - 1], after = l->values[i];

	add(l,
	    (struct pn_function_change){.point = point_of(l, i),
					.from = number_of(l, i),
					.to = number_of(l, i - 1) - 1,
					.before = before,
					.after = after,
					.ratio = after / before,
					.low = low,
					.high = high,
					.confidence = 1},
	    i - 1, i + 1);
}

/* A count is what it is: each step is one. */
static void look_exactly(struct line *l)
{
	size_t i;

	for (i = 1; i < l->count; i++) {
		double ratio = l->values[i] / l->values[i - 1];

		if (l->values[i] != l->values[i - 1])
			add_step(l, i, ratio, ratio);
	}
}

/* The i-th of those found in the values from `first` on. */
static void add_found(struct line *l, const struct pn_change_points *found,
		      size_t i, size_t first, bool logs)
{
	const struct pn_change_point *c = &found->changes[i];
	size_t begin = i ? first + c[-1].at : first;
	size_t end = i + 1 < found->count ? first + c[1].at : l->count;
	struct pn_function_change change = {.point = point_of(l, first + c->at),
					    .from = number_of(l, first + c->to),
					    .to = number_of(l, first + c->from),
					    .before = fmax(0, c->before),
					    .after = fmax(0, c->after),
					    .ratio = c->after / c->before,
					    .low = NAN,
					    .high = NAN,
					    .confidence = c->confidence};

	if (first + c->from)
		change.to = number_of(l, first + c->from - 1) - 1;
	if (logs) {
		change.ratio = 1 + c->effect;
		change.low = 1 + c->low;
		change.high = 1 + c->high;
	}
	if (pn_change_point_is_confirmed(c, NULL))
		add(l, change, begin, end);
}

/* Changes of the values from `first` on, `end` is the number of the first that
 * is left to somebody else. */
static void look_from(struct line *l, size_t first, size_t end, bool logs)
{
	struct pn_change_points found;
	size_t i;

	pn_change_points_of(&found, l->values + first, l->count - first);
	l->drift = logs ? found.drift : NAN;
	for (i = 0; i < found.count; i++)
		if (first + found.changes[i].at < end)
			add_found(l, &found, i, first, logs);
	pn_change_points_release(&found);
}

/* Where the newest run of values above 0 begins. */
static size_t begin_of_run(const struct line *l)
{
	size_t i = l->count;

	while (i && l->values[i - 1] > 0)
		i--;
	return i;
}

/* Where values begin to go one way only, up to the newest one. */
static size_t begin_of_rise(const struct line *l)
{
	size_t i = l->count - 1;
	bool up = l->values[i] > l->values[i - 1];

	while (i && l->values[i] != l->values[i - 1] &&
	       (l->values[i] > l->values[i - 1]) == up)
		i--;
	return i;
}

/* By how much a step differs from the next, which no level and no slope is in:
 * of values from `begin` on, as the greater ones have it, and of all of them,
 * as the median has it; as the deviation of a value. */
static double noise_of_rise(const struct line *l, size_t begin)
{
	double *bends = pn_calloc(l->count, sizeof(*bends));
	double squares = 0, of_all;
	size_t i, n = 0, in_rise = 0;

	for (i = 2; i < l->count; i++) {
		bends[n] = fabs(l->values[i] - 2 * l->values[i - 1] +
				l->values[i - 2]);
		if (i >= begin + 2) {
			squares += bends[n] * bends[n];
			in_rise++;
		}
		n++;
	}
	of_all = PN_STATS_MAD_TO_SD * pn_stats_median(bends, n);
	free(bends);
	return sqrt(fmax(squares / (double)in_rise, of_all * of_all) / OF_BEND);
}

static double size_of_step(const struct line *l, size_t i)
{
	return fabs(l->values[i] - l->values[i - 1]);
}

/*
 * Costs that rise by much the same at each commit are a drift to the detector,
 * whose noise may be any, or one step. Where they do so by far more than they
 * vary, each of these commits changed them.
 */
static void look_at_rise(struct line *l)
{
	struct pn_function_changes *out = l->out;
	size_t begin = begin_of_rise(l), i, kept = 0;
	double least;

	if (l->count - begin < PN_FUNCTION_MIN_POINTS)
		return;
	least = STEP * sqrt(OF_STEP) * noise_of_rise(l, begin);
	if (!(size_of_step(l, l->count - 1) > least))
		return;
	for (i = 0; i < out->count; i++)
		if (point_of(l, out->items[i].point) <= begin)
			out->items[kept++] = out->items[i];
	out->count = kept;
	for (i = begin + 1; i < l->count; i++)
		if (size_of_step(l, i) > least)
			add_step(l, i, NAN, NAN);
}

/* No change, but not the same either. */
static void look_at_drift(struct line *l)
{
	double whole = l->values[l->count - 1] / l->values[0] - 1;

	if (isnan(l->drift) && begin_of_rise(l) == 0 && l->count >= IN_ORDER)
		l->drift = whole;
	if (fabs(l->drift) >= fmax(l->min_effect, PN_FUNCTION_MIN_DRIFT)) {
		l->out->doubt = PN_FUNCTION_STEADY;
		l->out->drift = l->drift;
	}
}

/* How likely it is by chance that the logarithms of the `k` values from `at`
 * on, at an end, lie as far from all others (Student's test of two means);
 * their ratio to those. */
static double p_apart(double *ratio, const double *logs, size_t n, size_t at,
		      size_t k)
{
	const double *others = at ? logs : logs + k;
	size_t m = n - k;
	double df = (double)(n - 2), apart, variance;

	apart = pn_stats_mean(logs + at, k) - pn_stats_mean(others, m);
	*ratio = exp(apart);
	variance = (double)(m - 1) * pn_stats_variance(others, m);
	if (k > 1)
		variance += (double)(k - 1) * pn_stats_variance(logs + at, k);
	variance = variance / df * (1 / (double)k + 1 / (double)m);
	if (!(variance > ROUNDING))
		return 0;
	return pn_stats_t_both(apart / sqrt(variance), df);
}

/* That the newest or the oldest commits are on another level than the rest is
 * no chance, but no change yet to the detector either. */
static void look_at_ends(struct line *l)
{
	struct pn_function_changes *out = l->out;
	double *logs = pn_calloc(l->count, sizeof(*logs)), best = APART_P;
	size_t i, k, newest;

	for (i = 0; i < l->count; i++)
		logs[i] = log(l->values[i]);
	for (newest = 2; newest-- > 0 && out->doubt == PN_FUNCTION_SURE;)
		for (k = 1; k <= APART_MAX && k + APART_BESIDE <= l->count;
		     k++) {
			size_t at = newest ? l->count - k : 0;
			double ratio, p;

			p = p_apart(&ratio, logs, l->count, at, k);
			if (!(p < best &&
			      pn_verdict_counts(ratio - 1, l->min_effect)))
				continue;
			best = p;
			out->doubt = newest ? PN_FUNCTION_NEWEST
					    : PN_FUNCTION_OLDEST;
			out->apart = k;
			out->apart_ratio = ratio;
		}
	free(logs);
}

/* What costs something at the newest or at the oldest `there` values alone: the
 * fewer commits are apart from the others. False where it comes and goes. */
static bool look_at_absence(struct line *l, size_t there)
{
	struct pn_function_changes *out = l->out;
	size_t i = 0, none = l->count - there;
	bool came = begin_of_run(l) == none;

	while (i < l->count && l->values[i] > 0)
		i++;
	if (!there || (!came && i != there))
		return false;
	out->apart = none < there ? none : there;
	out->apart_ratio = none < there ? 0 : INFINITY;
	out->doubt = came == (none < there) ? PN_FUNCTION_OLDEST
					    : PN_FUNCTION_NEWEST;
	return true;
}

/* Ratios tell more than differences: where it has been there for long enough
 * the logarithms decide of that, the values of what was before. */
static void look_at_noise(struct line *l)
{
	size_t i, begin = begin_of_run(l), there = 0, end = l->count;

	for (i = 0; i < l->count; i++)
		there += l->values[i] > 0;
	if (l->count < PN_FUNCTION_MIN_POINTS) {
		l->out->doubt = PN_FUNCTION_FEW;
		return;
	}
	if (begin && l->count - begin >= PN_FUNCTION_MIN_POINTS)
		end = begin + 1;
	if (begin)
		look_from(l, 0, end, false);
	if (!begin || end <= begin + 1)
		look_from(l, begin, l->count, true);
	look_at_rise(l);
	/* it comes and goes by chance */
	if (begin && !l->out->count && there < l->count) {
		if (!look_at_absence(l, there))
			l->out->doubt = PN_FUNCTION_RARELY;
	} else if (!begin && !l->out->count)
		look_at_drift(l);
	if (!begin && !l->out->count && l->out->doubt == PN_FUNCTION_SURE)
		look_at_ends(l);
}

static int newest_first(const void *left, const void *right)
{
	const struct pn_function_change *a = left, *b = right;

	return (a->point > b->point) - (a->point < b->point);
}

void pn_function_changes_of(struct pn_function_changes *out,
			    const struct pn_function_history *history,
			    const struct pn_function_row *row,
			    double min_effect)
{
	struct line l = {.history = history,
			 .count = history->point_count,
			 .drift = NAN,
			 .out = out};
	size_t i;

	*out = (struct pn_function_changes){.measured = l.count};
	l.min_effect = min_effect > 0	? min_effect
		       : history->exact ? PN_FUNCTION_MIN_EXACT
					: PN_FUNCTION_MIN_EFFECT;
	l.values = pn_calloc(l.count + 1, sizeof(*l.values));
	for (i = 0; i < l.count; i++)
		l.values[i] = pn_function_size(history,
					       &row->values[point_of(&l, i)]);
	if (history->exact && l.count < 2)
		out->doubt = PN_FUNCTION_FEW;
	else if (history->exact)
		look_exactly(&l);
	else
		look_at_noise(&l);
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items),
		      newest_first);
	free(l.values);
}

void pn_function_changes_release(struct pn_function_changes *changes)
{
	free(changes->items);
	*changes = (struct pn_function_changes){0};
}
