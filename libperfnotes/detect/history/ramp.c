/* Changes that are the steps into which a ramp was cut. */
#include "detect/history/ramp.h"

#include "base/alloc.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CHANGES 8 /* of a ramp */
#define FAR 60	       /* commits between two of them at most */
#define BESIDE 24      /* commits of the levels beside that count at least */
#define KNOTS 24       /* places that are tried, of either end of the ramp */
#define LEAST_WIDTH 8  /* of a ramp: a shorter one may be called a step */
/* Variances by which a ramp has to be better than two steps, how much less so
 * for each one more, which has a level and a place to choose, and by which a
 * step on the ramp has to be better than the ramp alone to save it. */
#define RAMP_BETTER 2.0
#define A_STEP_MORE 8.0
#define STEP_BETTER 12.0

/* Neighbouring changes, and the values that they are judged by. */
struct group {
	const struct pn_found_change *changes;
	size_t count;
	size_t from, n; /* of the values */
	double *sum;	/* of the first ones, n + 1 each */
	double *moment; /* the same of value times place */
	double squares; /* of all, about their mean */
	double mean;
};

/* What is left of the squares. */
struct fits {
	double steps, ramp, both;
	size_t saved; /* the change of `both` */
};

/* Deviations of a ramp from its mean: their squares, times the values, and what
 * the ramp itself sums up to. */
struct shape {
	size_t from, to;
	double sum, squares, product;
};

static double part(const double *sums, size_t from, size_t to)
{
	return sums[to] - sums[from];
}

static void group_init(struct group *g, const double *values)
{
	double sum = 0;
	size_t i;

	g->sum = pn_realloc_array(NULL, 2 * (g->n + 1), sizeof(*g->sum));
	g->moment = g->sum + g->n + 1;
	g->sum[0] = g->moment[0] = g->squares = 0;
	for (i = 0; i < g->n; i++)
		sum += values[g->from + i];
	g->mean = sum / (double)g->n;
	for (i = 0; i < g->n; i++) {
		double value = values[g->from + i] - g->mean;

		g->sum[i + 1] = g->sum[i] + value;
		g->moment[i + 1] = g->moment[i] + value * (double)i;
		g->squares += value * value;
	}
}

/* Of levels that end at the changes. */
static double left_by_steps(const struct group *g)
{
	double left = g->squares, sum;
	size_t i, begin = 0, end;

	for (i = 0; i <= g->count; i++, begin = end) {
		end = i < g->count ? g->changes[i].at - g->from : g->n;
		sum = part(g->sum, begin, end);
		left -= sum * sum / (double)(end - begin);
	}
	return left;
}

/* 0 up to `from`, 1 from `to` on. */
static void shape_init(struct shape *out, const struct group *g, size_t from,
		       size_t to)
{
	double w = (double)(to - from), n = (double)g->n;
	double behind = (double)(g->n - to);

	*out = (struct shape){.from = from, .to = to};
	out->sum = (w - 1) / 2 + behind;
	out->squares = (w - 1) * (2 * w - 1) / (6 * w) + behind -
		       out->sum * out->sum / n;
	out->product = (part(g->moment, from, to) -
			(double)from * part(g->sum, from, to)) /
			       w +
		       part(g->sum, to, g->n);
}

/* What the ramp sums up to from `at` on. */
static double shape_behind(const struct shape *s, const struct group *g,
			   size_t at)
{
	double w = (double)(s->to - s->from), k;

	if (at <= s->from)
		return s->sum;
	if (at >= s->to)
		return (double)(g->n - at);
	k = (double)(at - s->from);
	return (w - k) * (k + w - 1) / 2 / w + (double)(g->n - s->to);
}

/* By a ramp and a step at a change. */
static double left_by_both(const struct shape *s, const struct group *g,
			   size_t at)
{
	double behind = (double)(g->n - at), n = (double)g->n;
	double squares = behind - behind * behind / n;
	double product = part(g->sum, at, g->n);
	double cross = shape_behind(s, g, at) - s->sum * behind / n;
	double area = s->squares * squares - cross * cross;

	if (!(area > 1e-9 * s->squares * squares))
		return g->squares;
	return g->squares - (s->product * s->product * squares -
			     2 * s->product * product * cross +
			     product * product * s->squares) /
				    area;
}

static void try_shape(struct fits *out, const struct group *g, size_t from,
		      size_t to)
{
	struct shape s;
	double left;
	size_t i;

	shape_init(&s, g, from, to);
	if (!(s.squares > 0))
		return;
	left = g->squares - s.product * s.product / s.squares;
	out->ramp = fmin(out->ramp, left);
	for (i = 0; i < g->count; i++) {
		left = left_by_both(&s, g, g->changes[i].at - g->from);
		if (left < out->both) {
			out->both = left;
			out->saved = i;
		}
	}
}

/* Ramps that begin before the first change and end behind the last one. */
static void fit(struct fits *out, const struct group *g)
{
	size_t first = g->changes[0].at - g->from;
	size_t last = g->changes[g->count - 1].at - g->from;
	size_t i, k, from, to, next = g->n;

	*out = (struct fits){left_by_steps(g), g->squares, g->squares, 0};
	for (i = 0; i < KNOTS; i++) {
		from = first * i / (KNOTS - 1);
		if (i && from == first * (i - 1) / (KNOTS - 1))
			continue;
		next = g->n;
		for (k = 0; k < KNOTS; k++) {
			to = last + (g->n - 1 - last) * k / (KNOTS - 1);
			if (to != next && to >= from + LEAST_WIDTH)
				try_shape(out, g, from, to);
			next = to;
		}
	}
}

/* Which change stays, `count` for none; false when all do. */
static bool is_ramp(size_t *stays, struct group *g, const double *values)
{
	double least = RAMP_BETTER - A_STEP_MORE * (double)(g->count - 2);
	struct fits fits;
	double variance;

	group_init(g, values);
	fit(&fits, g);
	free(g->sum);
	variance = fits.both / (double)(g->n - 5);
	*stays = g->count;
	if (fits.ramp - fits.both > STEP_BETTER * variance) {
		*stays = fits.saved;
		return fits.steps - fits.both > least * variance;
	}
	return fits.steps - fits.ramp > least * variance;
}

/* The values beside changes i to k - 1, up to the next ones. */
static bool group_of(struct group *out, const struct pn_found_change *changes,
		     size_t count, size_t i, size_t k, size_t n)
{
	size_t first = changes[i].at, last = changes[k - 1].at;
	size_t beside = last - first > BESIDE ? last - first : BESIDE;
	size_t from = i ? changes[i - 1].at : 0;
	size_t to = k < count ? changes[k].at : n;

	from = first - from > beside ? first - beside : from;
	to = to - last > beside ? last + beside : to;
	*out = (struct group){
		.changes = changes + i, .count = k - i, .from = from};
	out->n = to - from;
	return out->n >= LEAST_WIDTH;
}

static bool is_up(const double *values, const struct pn_found_change *changes,
		  size_t count, size_t i, size_t n)
{
	size_t at = changes[i].at, from = i ? changes[i - 1].at : 0;
	size_t to = i + 1 < count ? changes[i + 1].at : n;

	return pn_stats_mean(values + at, to - at) >
	       pn_stats_mean(values + from, at - from);
}

/* Behind the last of those from i on that go its way. */
static size_t end_of_run(const struct pn_found_change *changes, size_t count,
			 const double *values, size_t n, size_t i)
{
	bool up = is_up(values, changes, count, i, n);
	size_t k = i + 1;

	while (k < count && k - i < MOST_CHANGES &&
	       changes[k].at - changes[k - 1].at <= FAR &&
	       is_up(values, changes, count, k, n) == up)
		k++;
	return k;
}

/* Takes out changes i to k - 1 but for one. */
static void take_out(struct pn_found_change *changes, size_t *count, size_t i,
		     size_t k, size_t stays)
{
	if (stays < k - i) {
		changes[i] = changes[i + stays];
		i++;
	}
	memmove(changes + i, changes + k, (*count - k) * sizeof(*changes));
	*count -= k - i;
}

void pn_ramp_drop(struct pn_found_change *changes, size_t *count,
		  const double *values, size_t n)
{
	struct group group;
	size_t i, k, stays;

	for (i = 0; i < *count; i++) {
		k = end_of_run(changes, *count, values, n, i);
		for (; k > i + 1; k--) {
			if (!group_of(&group, changes, *count, i, k, n) ||
			    !is_ramp(&stays, &group, values))
				continue;
			take_out(changes, count, i, k, stays);
			i -= stays == group.count;
			break;
		}
	}
}
