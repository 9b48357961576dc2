/* Where in a line of commits the step is, and what to run next. */
#include "detect/bisect/bisect.h"

#include "base/alloc.h"
#include "detect/bisect/levels.h"
#include "detect/pair.h"
#include "detect/stats.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CLIP 1.5	 /* standard deviations beyond both ends */
#define WINSORIZE 3.0	 /* of the values of an end, for its test */
#define UNSURE 0.47	 /* a commit that is bad by .5 +- this is run again */
#define NEGLIGIBLE 0.005 /* chance of what was not run, not worth a run */
#define ROUNDING 1e-12	 /* squares that are none, of logarithms */
#define ENDS 1		 /* as many runs as the end has */
#define NEIGHBOURS_T 3.5 /* of the two that a step is between */
#define LEFT 0.95
#define SPLIT_MAX 3000 /* points of which each two are looked at */

struct look {
	struct pn_bisect *out;
	const struct pn_bisect_commit *commits;
	const struct pn_bisect_options *o;
	double unit; /* 0: logarithms; else values are shares of it */
	struct pn_level_point *points;
	size_t point_count;
	double low, high; /* where values are clipped */
	double clip;	  /* so far beyond the ends */
	double *buffer;	  /* room for the values of two commits */
};

static double at_scale(const struct look *l, double value)
{
	return l->unit > 0 ? value / l->unit : log(value);
}

/* Logarithms, unless a value has none. */
static void choose_scale(struct look *l, size_t count)
{
	double sum = 0;
	size_t i, k, n = 0;
	bool positive = true;

	for (i = 0; i < count; i++)
		for (k = 0; k < l->commits[i].count; k++) {
			positive = positive && l->commits[i].values[k] > 0;
			sum += fabs(l->commits[i].values[k]);
			n++;
		}
	l->unit = positive ? 0 : n && sum > 0 ? sum / (double)n : 1;
}

static void copy_values(double *out, const struct look *l, size_t commit)
{
	const struct pn_bisect_commit *c = &l->commits[commit];
	size_t k;

	for (k = 0; k < c->count; k++)
		out[k] = at_scale(l, c->values[k]);
}

/* Two values of an end or more that differ: what the noise is known by. */
static double spread_of(double *values, size_t n)
{
	pn_stats_winsorize(values, n, WINSORIZE);
	return n > 1 ? pn_stats_variance(values, n) * (double)(n - 1) : 0;
}

static struct pn_level_options level_options(const struct look *l)
{
	return (struct pn_level_options){l->o->end_t, l->o->sd,
					 l->o->min_effect};
}

/* Compare the ends of the part that is looked at; sets the limits of what is
 * clipped. */
static double compare_ends(struct look *l)
{
	const struct pn_bisect *out = l->out;
	size_t n = l->commits[out->good].count, m = l->commits[out->bad].count;
	double *a = l->buffer, *b = l->buffer + n, t, df, squares, sd, x, y;
	struct pn_level_options known = level_options(l);

	l->low = -INFINITY;
	l->high = INFINITY;
	l->clip = 0;
	if (!n || !m)
		return 0;
	copy_values(a, l, out->good);
	copy_values(b, l, out->bad);
	if (l->o->sd > 0)
		return pn_level_known_t(
			&known, pn_stats_median(b, m) - pn_stats_median(a, n),
			(double)n, (double)m);
	if (n < 2 || m < 2)
		return 0;
	squares = spread_of(a, n);
	squares += spread_of(b, m);
	sd = sqrt(squares / (double)(n + m - 2));
	x = pn_stats_median(a, n);
	y = pn_stats_median(b, m);
	l->clip = CLIP * sd;
	l->low = fmin(x, y) - l->clip;
	l->high = fmax(x, y) + l->clip;
	if (squares <= ROUNDING)
		return fabs(y - x) >= log1p(l->o->min_effect) ? INFINITY : 0;
	pn_pair_welch(&t, &df, a, n, b, m);
	return fabs(t);
}

/* Whether all runs are farther from both ends than noise is: that is a level
 * of the commit's own, where a run or two may be outliers. */
static bool is_beyond(const struct look *l, size_t commit)
{
	const struct pn_bisect_commit *c = &l->commits[commit];
	double least = INFINITY, most = -INFINITY;
	size_t k;

	for (k = 0; k < c->count; k++) {
		least = fmin(least, at_scale(l, c->values[k]));
		most = fmax(most, at_scale(l, c->values[k]));
	}
	return c->count >= PN_LEVEL_RUNS &&
	       (least > l->high + l->clip || most < l->low - l->clip);
}

static void add_values(struct pn_level_point *p, const struct look *l,
		       size_t commit, double centre, bool beyond)
{
	const struct pn_bisect_commit *c = &l->commits[commit];
	bool clip = !beyond || !is_beyond(l, commit);
	size_t k;

	for (k = 0; k < c->count; k++) {
		double value = at_scale(l, c->values[k]);

		if (clip)
			value = fmin(l->high, fmax(l->low, value));
		value -= centre;
		p->sum += value;
		p->squares += value * value;
	}
	p->n += (double)c->count;
}

/* Around a value of theirs, so that their squares keep their digits. With
 * levels `beyond` those of the ends. */
static void gather_points(struct look *l, bool beyond)
{
	const double centre = at_scale(l, l->commits[l->out->good].values[0]);
	struct pn_level_point sum = {0};
	size_t i;

	l->point_count = 0;
	for (i = l->out->good; i <= l->out->bad; i++) {
		if (!l->commits[i].count)
			continue;
		add_values(&sum, l, i, centre, beyond);
		sum.at = i;
		l->points[l->point_count++] = sum;
	}
}

/* The logarithm of how likely a step before point k is, without the prior. */
static double log_likelihood(const struct look *l, size_t k)
{
	struct pn_level a, b;
	double squares, ends;

	pn_level_of(&a, l->points, 0, k);
	pn_level_of(&b, l->points, k, l->point_count);
	squares = a.squares + b.squares;
	ends = -log(a.n * b.n) / 2;
	if (l->o->sd > 0)
		return ends - squares / (2 * l->o->sd * l->o->sd);
	return ends - (a.n + b.n - 2) / 2 * log(squares + ROUNDING);
}

static double weight_between(const struct look *l, size_t after, size_t to)
{
	double sum = 0;
	size_t i;

	for (i = after + 1; i <= to; i++)
		sum += l->commits[i].weight;
	return sum;
}

/* Set the chances of all commits. */
static void set_chances(struct look *l)
{
	double *logs = pn_calloc(l->point_count + 1, sizeof(*logs));
	double most = -INFINITY, sum = 0, share;
	size_t k, i;

	memset(l->out->chance, 0, l->out->count * sizeof(*l->out->chance));
	for (k = 1; k < l->point_count; k++) {
		double weight =
			weight_between(l, l->points[k - 1].at, l->points[k].at);

		logs[k] = weight > 0 ? log_likelihood(l, k) + log(weight)
				     : (double)-INFINITY;
		most = fmax(most, logs[k]);
	}
	for (k = 1; k < l->point_count; k++)
		sum += exp(logs[k] - most);
	for (k = 1; k < l->point_count && isfinite(most); k++) {
		size_t after = l->points[k - 1].at, to = l->points[k].at;

		share = exp(logs[k] - most) / sum;
		if (!(share > 0))
			continue;
		share /= weight_between(l, after, to);
		for (i = after + 1; i <= to; i++)
			l->out->chance[i] = share * l->commits[i].weight;
	}
	free(logs);
}

/* Where the runs show several steps, look at the largest one alone: true when
 * the part that is looked at became smaller. */
static bool split(struct look *l)
{
	struct pn_level_options options = level_options(l);
	struct pn_bisect *out = l->out;
	struct pn_level *levels;
	size_t i, count, largest = 1;

	if (l->point_count < 3 ||
	    (!(l->o->sd > 0) && l->point_count > SPLIT_MAX))
		return false;
	count = pn_levels_find(&levels, l->points, l->point_count, &options);
	for (i = 2; i < count; i++)
		if (fabs(levels[i].mean - levels[i - 1].mean) >
		    fabs(levels[largest].mean - levels[largest - 1].mean))
			largest = i;
	if (count > 2) {
		out->good = l->points[levels[largest - 1].first].at;
		out->bad = l->points[levels[largest].end - 1].at;
		out->steps += count - 2;
	}
	free(levels);
	return count > 2;
}

static size_t other_end(const struct look *l)
{
	const struct pn_bisect *out = l->out;

	return l->commits[out->good].count <= l->commits[out->bad].count
		       ? out->good
		       : out->bad;
}

/* False: there is nothing to be looked for, or something to be run first. */
static bool ends_differ(struct look *l)
{
	struct pn_bisect *out = l->out;
	const struct pn_bisect_commit *good = &l->commits[out->good];
	const struct pn_bisect_commit *bad = &l->commits[out->bad];
	size_t least = good->count < bad->count ? good->count : bad->count;

	out->t = compare_ends(l);
	out->next = other_end(l);
	out->state = PN_BISECT_ENDS;
	if (least >= l->o->end_runs && out->t >= l->o->end_t)
		return true;
	if ((good->skipped && !good->count) || (bad->skipped && !bad->count))
		out->state = PN_BISECT_STUCK;
	else if (least >= l->o->end_most)
		out->state = PN_BISECT_SAME;
	return false;
}

/* The likeliest place between two neighbours that were measured, or of which
 * those between were skipped; as commits. */
static void find_best(struct look *l)
{
	struct pn_bisect *out = l->out;
	size_t i, from = out->good + 1;
	double sum = 0;

	out->confidence = 0;
	for (i = out->good + 1; i <= out->bad; i++) {
		sum += out->chance[i];
		/* what is skipped cannot be told from what follows */
		if (l->commits[i].skipped && !l->commits[i].count)
			continue;
		if (sum > out->confidence) {
			out->confidence = sum;
			out->from = from;
			out->to = i;
		}
		from = i + 1;
		sum = 0;
	}
}

static int descending(const void *left, const void *right)
{
	const double *a = left, *b = right;

	return (*a < *b) - (*a > *b);
}

static size_t count_left(const struct pn_bisect *out)
{
	double *sorted = pn_calloc(out->count, sizeof(*sorted)), sum = 0;
	size_t i = 0;

	memcpy(sorted, out->chance, out->count * sizeof(*sorted));
	qsort(sorted, out->count, sizeof(*sorted), descending);
	while (i < out->count && sum < LEFT)
		sum += sorted[i++];
	free(sorted);
	return i;
}

/* Of `from`, the commit before it: the next that was not skipped. */
static size_t before(const struct look *l)
{
	return l->out->from - 1;
}

/*
 * Whether the two that the step is between differ by their own runs alone, or
 * have as many as ends may have: what other programs do lasts for some runs,
 * and what was run while they did looks like another level.
 */
static bool neighbours_differ(const struct look *l, size_t a, size_t b)
{
	size_t n = l->commits[a].count, m = l->commits[b].count;
	double *x = l->buffer, *y = l->buffer + n, t, df;

	if (l->o->sd > 0 || (n >= l->o->end_most && m >= l->o->end_most))
		return true;
	copy_values(x, l, a);
	copy_values(y, l, b);
	pn_stats_winsorize(x, n, WINSORIZE);
	pn_stats_winsorize(y, m, WINSORIZE);
	pn_pair_welch(&t, &df, x, n, y, m);
	return fabs(t) >= NEIGHBOURS_T;
}

/* Sets `next` to what has too few runs at the place that was found. */
static bool is_found(struct look *l)
{
	struct pn_bisect *out = l->out;
	size_t a = before(l), b = out->to;

	if (out->confidence < l->o->confidence)
		return false;
	if (l->commits[a].count >= l->o->least_runs &&
	    l->commits[b].count >= l->o->least_runs &&
	    neighbours_differ(l, a, b)) {
		out->state = PN_BISECT_FOUND;
		return true;
	}
	out->next = l->commits[a].count < l->commits[b].count ? a : b;
	return true;
}

/* The commit whose being bad is least sure: of those that were measured, or
 * of those that were not. SIZE_MAX: none. */
static size_t least_sure(const struct look *l, bool measured, double within)
{
	const struct pn_bisect *out = l->out;
	double bad = 0, best = within;
	size_t i, at = SIZE_MAX;

	for (i = out->good + 1; i < out->bad; i++) {
		bad += out->chance[i];
		if (l->commits[i].skipped ||
		    (l->commits[i].count > 0) != measured)
			continue;
		if (fabs(bad - 0.5) <= best) {
			best = fabs(bad - 0.5);
			at = i;
		}
	}
	return at;
}

/* What tells the levels apart are the ends: of one that has far fewer runs than
 * the commit that is to be placed, a run tells more. */
static size_t or_end(const struct look *l, size_t commit)
{
	size_t end = other_end(l);

	return l->commits[commit].count > ENDS * l->commits[end].count ? end
								       : commit;
}

static void choose_next(struct look *l)
{
	struct pn_bisect *out = l->out;

	out->state = PN_BISECT_GOING;
	out->left = count_left(out);
	find_best(l);
	out->next = least_sure(l, true, UNSURE);
	if (out->next != SIZE_MAX) {
		out->next = or_end(l, out->next);
		return;
	}
	if (is_found(l))
		return;
	out->next = least_sure(l, false, 0.5 - NEGLIGIBLE);
	if (out->next == SIZE_MAX)
		out->next = least_sure(l, true, 0.5);
	if (out->next == SIZE_MAX)
		out->next = other_end(l);
}

static size_t most_values(const struct pn_bisect_commit *commits, size_t count)
{
	size_t i, most = 0;

	for (i = 0; i < count; i++)
		if (commits[i].count > most)
			most = commits[i].count;
	return most;
}

void pn_bisect_look(struct pn_bisect *out,
		    const struct pn_bisect_commit *commits, size_t count,
		    const struct pn_bisect_options *options)
{
	struct look l = {.out = out, .commits = commits, .o = options};

	*out = (struct pn_bisect){.count = count,
				  .bad = count - 1,
				  .from = 1,
				  .to = count - 1,
				  .steps = 1};
	out->chance = pn_calloc(count, sizeof(*out->chance));
	l.points = pn_calloc(count, sizeof(*l.points));
	l.buffer = pn_calloc(2 * most_values(commits, count) + 1,
			     sizeof(*l.buffer));
	choose_scale(&l, count);
	while (ends_differ(&l)) {
		gather_points(&l, true);
		if (split(&l))
			continue;
		gather_points(&l, false);
		set_chances(&l);
		choose_next(&l);
		break;
	}
	free(l.points);
	free(l.buffer);
}

void pn_bisect_release(struct pn_bisect *bisect)
{
	free(bisect->chance);
	*bisect = (struct pn_bisect){0};
}
