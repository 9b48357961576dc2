/* Which parts of the points get models, and which of these stand. */
#include "analysis/post/regression.h"

#include "base/alloc.h"
#include "base/numbers/random.h"

#include <string.h>

/* Of one call. */
struct run {
	struct pn_fits *out;
	const struct pn_regression_plan *plan;
	struct pn_regression_points points;
};

struct part {
	size_t first, count;
};

static void emit(struct run *r, const struct pn_fit *fit)
{
	struct pn_fits *out = r->out;

	out->items = pn_grow(out->items, &out->cap, out->count + 1,
			     sizeof(*out->items));
	out->items[out->count++] = *fit;
}

/* Part k of n; the first ones have one more where it does not come out. */
static struct part part_of(struct part whole, size_t n, size_t k)
{
	size_t each = whole.count / n, more = whole.count % n;
	struct part part;

	part.first = whole.first + k * each + (k < more ? k : more);
	part.count = each + (k < more);
	return part;
}

/* All wanted models of a part; returns how many there are. */
static size_t fit_all(struct pn_fit fits[PN_REGRESSIONS], const struct run *r,
		      struct part part)
{
	size_t n = 0;
	int model;

	for (model = 0; model < PN_REGRESSIONS; model++)
		if (r->plan->wanted[model])
			n += pn_regression_fit(
				&fits[n], (enum pn_regression)model, &r->points,
				part.first, part.count);
	return n;
}

static bool fit_best(struct pn_fit *out, const struct run *r, struct part part)
{
	struct pn_fit fits[PN_REGRESSIONS];
	size_t best = pn_regression_best(fits, fit_all(fits, r, part));

	if (best == SIZE_MAX)
		return false;
	*out = fits[best];
	return true;
}

static void run_full(struct run *r, struct part whole)
{
	struct pn_fit fits[PN_REGRESSIONS];
	size_t i, n = fit_all(fits, r, whole);

	for (i = 0; i < n; i++)
		emit(r, &fits[i]);
}

static void run_interval(struct run *r, struct part whole)
{
	struct pn_fit fit;
	size_t k;

	for (k = 0; k < r->plan->steps; k++) {
		struct part part = part_of(whole, r->plan->steps, k);

		if (part.count < PN_REGRESSION_MIN_POINTS)
			r->out->too_small++;
		else if (fit_best(&fit, r, part))
			emit(r, &fit);
	}
}

/*
 * The best of what each model is on the parts that it has seen; it sees its
 * next one, until it has seen all (`guess`: all at once).
 */
static void run_growing(struct run *r, struct part whole, bool guess)
{
	struct part part = part_of(whole, r->plan->steps, 0);
	struct pn_fit fits[PN_REGRESSIONS];
	size_t seen[PN_REGRESSIONS], n, i, best;

	if (part.count < PN_REGRESSION_MIN_POINTS) {
		r->out->too_small++;
		return;
	}
	n = fit_all(fits, r, part);
	for (i = 0; i < n; i++)
		seen[i] = 1;
	while ((best = pn_regression_best(fits, n)) != SIZE_MAX) {
		if (seen[best] == r->plan->steps) {
			emit(r, &fits[best]);
			return;
		}
		seen[best] = guess ? r->plan->steps : seen[best] + 1;
		part = part_of(whole, r->plan->steps, seen[best] - 1);
		part.count += part.first - whole.first;
		if (!pn_regression_fit(&fits[best], fits[best].model,
				       &r->points, whole.first, part.count)) {
			n--; /* with these points it is no model any more */
			memmove(fits + best, fits + best + 1,
				(n - best) * sizeof(*fits));
			memmove(seen + best, seen + best + 1,
				(n - best) * sizeof(*seen));
		} else if (guess) {
			emit(r, &fits[best]);
			return;
		}
	}
}

static void bisect(struct run *r, struct part whole,
		   const struct pn_fit *parent)
{
	struct pn_fit halves[2];
	size_t k;

	for (k = 0; k < 2; k++) {
		struct part half = part_of(whole, 2, k);

		if (half.count < PN_REGRESSION_MIN_POINTS ||
		    !fit_best(&halves[k], r, half)) {
			emit(r, parent);
			return;
		}
	}
	if (halves[0].model == parent->model &&
	    halves[1].model == parent->model) {
		emit(r, parent);
		return;
	}
	for (k = 0; k < 2; k++) {
		if (halves[k].model == parent->model)
			emit(r, &halves[k]);
		else
			bisect(r, part_of(whole, 2, k), &halves[k]);
	}
}

/* Fisher and Yates: Knuth, TAOCP 2, 3.4.2, algorithm P. The bias of the
 * remainder is below 2^-40 for as many points as fit here. */
static void shuffle(struct pn_points *points, uint64_t seed)
{
	size_t i;

	for (i = points->count; i > 1; i--) {
		size_t k = (size_t)(pn_random_next(&seed) % i);
		double x = points->x[k], y = points->y[k];

		points->x[k] = points->x[i - 1];
		points->y[k] = points->y[i - 1];
		points->x[i - 1] = x;
		points->y[i - 1] = y;
	}
}

void pn_regression_run(struct pn_fits *out, struct pn_points *points,
		       const struct pn_regression_plan *plan)
{
	enum pn_regression_method method = plan->method;
	struct run r = {.out = out, .plan = plan};
	struct part whole = {0, points->count};
	struct pn_fit fit;

	if (points->count < PN_REGRESSION_MIN_POINTS) {
		out->too_small++;
		return;
	}
	if (method == PN_REGRESSION_INTERVAL ||
	    method == PN_REGRESSION_BISECTION)
		pn_points_sort(points);
	else if (method != PN_REGRESSION_FULL)
		shuffle(points, plan->seed);
	pn_regression_points_init(&r.points, points);
	if (method == PN_REGRESSION_FULL)
		run_full(&r, whole);
	else if (method == PN_REGRESSION_INTERVAL)
		run_interval(&r, whole);
	else if (method != PN_REGRESSION_BISECTION)
		run_growing(&r, whole, method == PN_REGRESSION_INITIAL_GUESS);
	else if (fit_best(&fit, &r, whole))
		bisect(&r, whole, &fit);
	pn_regression_points_release(&r.points);
}
