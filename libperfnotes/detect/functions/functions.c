/* The comparison of functions: from costs to verdicts. */
#include "detect/functions/inside.h"

#include "base/alloc.h"
#include "base/numbers/quantile.h"
#include "detect/rounding.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POWER 0.8 /* with which the least effect is found */
#define CONFIDENCE 0.95
#define ROUNDING 1e-20 /* a variance of logarithms that is none */

struct comparison {
	struct pn_functions *out;
	const struct pn_function_costs *functions;
	const size_t *runs;
	const struct pn_functions_rule *rule;
	double (*costs)[SIDES]; /* means of each function */
	struct pn_function_tests tests;
	double *values; /* of all logarithms of the tests */
	double pooled;	/* variance of one value of all functions */
	double step;	/* what costs are rounded to; 0: not known */
};

void pn_functions_rule_init(struct pn_functions_rule *rule)
{
	*rule = (struct pn_functions_rule){
		.q = PN_FUNCTIONS_Q,
		.min_effect = PN_FUNCTIONS_MIN_EFFECT,
		.min_exact = PN_FUNCTIONS_MIN_EXACT,
	};
}

void pn_functions_release(struct pn_functions *functions)
{
	if (!functions)
		return;
	free(functions->items);
	memset(functions, 0, sizeof(*functions));
}

/* Of the values that are known; NaN without one. */
static double mean_of(const double *values, size_t n)
{
	double sum = 0;
	size_t i, known = 0;

	for (i = 0; values && i < n; i++)
		if (!isnan(values[i])) {
			sum += values[i];
			known++;
		}
	return known ? sum / (double)known : (double)NAN;
}

static const double *values_of(const struct comparison *c, size_t function,
			       int side)
{
	return side == BASELINE ? c->functions[function].baseline
				: c->functions[function].target;
}

static void sum_up(struct comparison *c)
{
	double *sums[] = {&c->out->baseline, &c->out->target};
	size_t f;
	int side;

	for (f = 0; f < c->out->count; f++)
		for (side = 0; side < SIDES; side++) {
			double mean =
				mean_of(values_of(c, f, side), c->runs[side]);

			c->costs[f][side] = isnan(mean) ? 0 : mean;
			*sums[side] += c->costs[f][side];
		}
}

/*
 * Logarithms, or where a value is 0 or less what they are near the mean: a
 * function that a sampler missed in one run has no logarithm there. False
 * without a mean above 0.
 */
static bool set_logs(double *out, const double *values, size_t n, double mean)
{
	bool positive = true;
	size_t i;

	if (!(mean > 0) || !isfinite(mean))
		return false;
	for (i = 0; i < n; i++)
		positive = positive && !(values[i] <= 0);
	for (i = 0; i < n; i++)
		out[i] = positive ? log(values[i])
				  : log(mean) + values[i] / mean - 1;
	return true;
}

static bool is_constant(const double *values, size_t n)
{
	double first = (double)NAN;
	size_t i;

	for (i = 0; i < n; i++) {
		if (isnan(first))
			first = values[i];
		if (!isnan(values[i]) && values[i] != first)
			return false;
	}
	return true;
}

/* The index of what has the target's values: another one when renamed. */
static size_t target_of(const struct comparison *c, size_t f)
{
	return c->out->items[f].is_old_name ? c->out->items[f].partner : f;
}

/* The variance of the logarithm of a value that is rounded up or down, as the
 * little noise that it has will have it. */
static double rounding_of(const struct comparison *c, double cost)
{
	return c->step * c->step / (4 * cost * cost);
}

static void add_test(struct comparison *c, size_t f)
{
	struct pn_function_test *t = &c->tests.items[c->tests.count];
	double *at = c->values + c->tests.count * (c->runs[0] + c->runs[1]);
	size_t of[] = {f, target_of(c, f)};
	int side;

	t->function = f;
	t->logs[BASELINE] = at;
	t->logs[TARGET] = at + c->runs[BASELINE];
	t->constant = true;
	for (side = 0; side < SIDES; side++) {
		const double *values = values_of(c, of[side], side);

		if (!set_logs(t->logs[side], values, c->runs[side],
			      c->costs[of[side]][side]))
			return;
		t->constant = t->constant && is_constant(values, c->runs[side]);
	}
	t->least = (rounding_of(c, c->costs[of[BASELINE]][BASELINE]) +
		    rounding_of(c, c->costs[of[TARGET]][TARGET])) /
		   2;
	c->tests.count++;
}

/* Is on both sides, under one name or two: once of the two. */
static bool is_tested(const struct comparison *c, size_t f)
{
	const struct pn_function_verdict *v = &c->out->items[f];

	return (v->partner == SIZE_MAX || v->is_old_name) &&
	       values_of(c, f, BASELINE) &&
	       values_of(c, target_of(c, f), TARGET);
}

/* Room is for what has values: others may be many, and runs, too. */
static void make_tests(struct comparison *c)
{
	size_t f, count = 0;

	for (f = 0; f < c->out->count; f++)
		count += is_tested(c, f);
	if (!count)
		return;
	c->tests.items = pn_calloc(count, sizeof(*c->tests.items));
	c->tests.runs[BASELINE] = c->runs[BASELINE];
	c->tests.runs[TARGET] = c->runs[TARGET];
	c->values = pn_realloc_array(NULL, count,
				     (c->runs[0] + c->runs[1] + 1) *
					     sizeof(*c->values));
	for (f = 0; f < c->out->count; f++)
		if (is_tested(c, f))
			add_test(c, f);
}

/* Of a run a side nothing can be said to be constant. */
static bool mostly_constant(const struct pn_function_tests *tests)
{
	size_t f, constant = 0;

	for (f = 0; f < tests->count; f++) {
		const struct pn_function_test *t = &tests->items[f];

		constant +=
			t->constant && t->n[BASELINE] > 1 && t->n[TARGET] > 1;
	}
	return 2 * constant > tests->count;
}

static double shift_of(const struct pn_function_test *t)
{
	return t->mean[TARGET] - t->mean[BASELINE];
}

/* What all changed by: the middle of the shifts. */
static double common_shift(const struct pn_function_tests *tests)
{
	double *shifts = pn_calloc(tests->count, sizeof(*shifts)), middle;
	size_t f;

	for (f = 0; f < tests->count; f++)
		shifts[f] = shift_of(&tests->items[f]);
	pn_quantile_sort(shifts, tests->count);
	middle = pn_quantile_of(shifts, tests->count, 0.5);
	free(shifts);
	return middle;
}

/* Students' quantiles of one number of degrees of freedom: most functions have
 * the same. */
struct quantiles {
	double df, confidence, alpha, power;
};

static void set_quantiles(struct quantiles *q, double df, double alpha)
{
	if (q->df == df)
		return;
	q->df = df;
	q->confidence = pn_stats_t_critical(1 - CONFIDENCE, df);
	q->alpha = pn_stats_t_critical(alpha, df);
	q->power = pn_stats_normal_quantile(POWER);
}

static void set_interval(struct pn_function_verdict *v, double shift, double se,
			 const struct quantiles *q)
{
	v->ratio = exp(shift);
	v->low = exp(shift - q->confidence * se);
	v->high = exp(shift + q->confidence * se);
	v->least_effect = expm1((q->alpha + q->power) * se);
}

/* Counts that do not vary; false where they may be rounded, and differ by
 * noise. */
static bool compare_exactly(struct pn_function_verdict *v,
			    const struct comparison *c,
			    const struct pn_function_test *t)
{
	double before = c->costs[t->function][BASELINE];
	double after = c->costs[target_of(c, t->function)][TARGET];
	double chance = pn_rounding_chance(fabs(after - before) / c->step,
					   t->n[BASELINE], t->n[TARGET]);
	bool same;

	v->ratio = after / before;
	same = !pn_verdict_counts(v->ratio - 1, c->rule->min_exact);
	if (!same && !c->rule->exact &&
	    chance * (double)c->tests.count >= c->rule->q)
		return false;
	v->exact = true;
	v->low = v->high = v->ratio;
	v->least_effect = 0;
	v->p = v->q = same;
	return true;
}

/* The p of "it changed by no more than `margin`" (McCarthy & Smyth,
 * Bioinformatics 25 (2009)). */
static double p_beyond(double shift, double margin, double se, double df)
{
	return fmin(1, pn_stats_t_upper((shift - margin) / se, df) +
			       pn_stats_t_upper((shift + margin) / se, df));
}

/*
 * Of one value. That a few values are equal does not tell that all will be:
 * where its own variance is none and no prior is there, that of all functions.
 */
static double noise_of(const struct comparison *c,
		       const struct pn_function_test *t)
{
	double variance = pn_function_variance(t, c->tests.prior_df);

	if (!(variance > ROUNDING))
		variance = c->pooled;
	return variance > ROUNDING ? fmax(variance, t->least) : 0;
}

/* The moderated t test of one function; false when its noise is not known. */
static bool test_one(struct comparison *c, const struct pn_function_test *t,
		     double common, struct quantiles *quantiles)
{
	struct pn_function_verdict *v = &c->out->items[t->function];
	double df = t->df + c->tests.prior_df;
	double shift = shift_of(t) - common, variance, se;

	if (c->rule->exact || (t->constant && c->out->exact))
		return compare_exactly(v, c, t);
	v->ratio = exp(shift);
	if (!(df > 0) || !t->n[BASELINE] || !t->n[TARGET])
		return false;
	variance = noise_of(c, t);
	if (!(variance > ROUNDING))
		return false;
	se = sqrt(variance *
		  (1 / (double)t->n[BASELINE] + 1 / (double)t->n[TARGET]));
	set_quantiles(quantiles, df, c->rule->q);
	set_interval(v, shift, se, quantiles);
	v->p = p_beyond(fabs(shift), log1p(c->rule->min_effect / 2), se, df);
	return true;
}

static void test_all(struct comparison *c)
{
	struct quantiles quantiles = {0};
	double *p = pn_calloc(c->tests.count + 1, sizeof(*p));
	double common = log(c->out->common);
	size_t f, n = 0;

	for (f = 0; f < c->tests.count; f++) {
		struct pn_function_verdict *v =
			&c->out->items[c->tests.items[f].function];

		v->verdict = PN_VERDICT_UNKNOWN;
		if (!test_one(c, &c->tests.items[f], common, &quantiles))
			continue;
		v->verdict = PN_VERDICT_NO_CHANGE;
		if (isnan(v->q))
			p[n++] = v->p;
	}
	pn_stats_adjust(p, p, n);
	for (f = 0, n = 0; f < c->tests.count; f++) {
		struct pn_function_verdict *v =
			&c->out->items[c->tests.items[f].function];

		if (v->verdict == PN_VERDICT_NO_CHANGE && isnan(v->q))
			v->q = p[n++];
	}
	free(p);
}

static void judge(struct comparison *c, struct pn_function_verdict *v)
{
	double effect = fabs(v->ratio - 1);
	bool severe =
		pn_verdict_counts(effect, PN_FUNCTIONS_SEVERE) ||
		fabs(v->delta) >= PN_FUNCTIONS_SEVERE_TOTAL * c->out->baseline;

	if (v->verdict != PN_VERDICT_NO_CHANGE || v->q >= c->rule->q ||
	    (!v->exact && !pn_verdict_counts(effect, c->rule->min_effect)) ||
	    v->share < c->rule->min_share)
		return;
	if (v->ratio > 1)
		v->verdict = severe ? PN_VERDICT_SEVERE_DEGRADATION
				    : PN_VERDICT_DEGRADATION;
	else
		v->verdict = severe ? PN_VERDICT_SEVERE_OPTIMIZATION
				    : PN_VERDICT_OPTIMIZATION;
}

enum pn_function_cause pn_function_cause_of(double of_calls)
{
	double lesser = 1 - PN_FUNCTIONS_MOSTLY;

	if (of_calls >= PN_FUNCTIONS_MOSTLY && of_calls <= 1 + lesser)
		return PN_FUNCTION_CALLS;
	if (of_calls <= lesser && of_calls >= -lesser)
		return PN_FUNCTION_COST;
	return PN_FUNCTION_CALLS_AND_COST;
}

/* How much of the change is of the number of calls. */
static void explain_by_calls(struct comparison *c, size_t f)
{
	struct pn_function_verdict *v = &c->out->items[f];
	double before = mean_of(c->functions[f].baseline_calls, c->runs[0]);
	double after =
		mean_of(c->functions[target_of(c, f)].target_calls, c->runs[1]);

	if (!(before > 0 && after > 0 && v->ratio > 0))
		return;
	v->calls_ratio = after / before;
	v->each_ratio = v->ratio / v->calls_ratio;
	if (v->verdict == PN_VERDICT_NO_CHANGE ||
	    v->verdict == PN_VERDICT_UNKNOWN)
		return;
	v->cause = pn_function_cause_of(log(v->calls_ratio) / log(v->ratio));
}

static double share_of(double cost, double total)
{
	return total > 0 ? cost / total : 0;
}

static void set_costs(struct comparison *c, size_t f)
{
	struct pn_function_verdict *v = &c->out->items[f];
	double before = c->costs[f][BASELINE];
	double after = c->costs[target_of(c, f)][TARGET];

	v->delta = after - before;
	v->share = fmax(share_of(before, c->out->baseline),
			share_of(after, c->out->target));
}

enum presence { ABSENT, PRESENT, UNCLEAR };

/* What costs nothing is not there; of what has no value nothing is known. */
static enum presence presence_of(const struct comparison *c, size_t f, int side)
{
	const double *values = values_of(c, f, side);
	double mean = mean_of(values, c->runs[side]);

	if (!values || mean == 0)
		return ABSENT;
	return mean > 0 && isfinite(mean) ? PRESENT : UNCLEAR;
}

/* What is on one side only, and what costs nothing. */
static enum pn_verdict without_test(const struct comparison *c, size_t f)
{
	enum presence before = presence_of(c, f, BASELINE);
	enum presence after = presence_of(c, f, TARGET);

	if (before == UNCLEAR || after == UNCLEAR)
		return PN_VERDICT_UNKNOWN;
	if (before == after || c->out->items[f].share < c->rule->min_new_share)
		return PN_VERDICT_NO_CHANGE;
	return before == ABSENT ? PN_VERDICT_NOT_IN_BASELINE
				: PN_VERDICT_NOT_IN_TARGET;
}

static void judge_all(struct comparison *c)
{
	size_t f, count = c->out->count, i;

	for (f = 0; f < count; f++)
		if (c->out->items[f].partner == SIZE_MAX ||
		    c->out->items[f].is_old_name)
			set_costs(c, f);
	test_all(c);
	for (i = 0; i < c->tests.count; i++) {
		f = c->tests.items[i].function;
		judge(c, &c->out->items[f]);
		explain_by_calls(c, f);
	}
	for (f = 0; f < count; f++) {
		struct pn_function_verdict *v = &c->out->items[f];

		if (v->partner == SIZE_MAX && isnan(v->ratio))
			v->verdict = without_test(c, f);
	}
	/* the pair's verdict under both names */
	for (f = 0; f < count; f++) {
		struct pn_function_verdict *v = &c->out->items[f];

		if (!v->is_old_name)
			continue;
		c->out->items[v->partner] = *v;
		c->out->items[v->partner].partner = f;
		c->out->items[v->partner].is_old_name = false;
	}
}

static int check_rule(const struct pn_functions_rule *rule,
		      struct pn_error *err)
{
	if (!(rule->q > 0 && rule->q < 1))
		return pn_error_set(err, PN_ERANGE,
				    "the share of false discoveries has to be "
				    "between 0 and 1");
	if (!(rule->min_effect >= 0 && rule->min_exact >= 0 &&
	      rule->min_share >= 0 && rule->min_new_share >= 0))
		return pn_error_set(err, PN_ERANGE,
				    "a least effect or share has to be 0 or "
				    "more");
	return 0;
}

static void clear_verdicts(struct pn_functions *out)
{
	const double unknown = (double)NAN;
	size_t f;

	for (f = 0; f < out->count; f++)
		out->items[f] = (struct pn_function_verdict){
			.verdict = PN_VERDICT_UNKNOWN,
			.partner = SIZE_MAX,
			.ratio = unknown,
			.low = unknown,
			.high = unknown,
			.p = unknown,
			.q = unknown,
			.least_effect = unknown,
			.calls_ratio = unknown,
			.each_ratio = unknown,
		};
}

/* Take out what all functions have in common: factors of runs, and of sides. */
static void level(struct comparison *c)
{
	pn_function_runs_level(&c->tests);
	pn_function_spread(&c->tests);
	pn_function_moderate(&c->tests);
	pn_function_clip(&c->tests);
	pn_function_spread(&c->tests);
	c->out->common = exp(common_shift(&c->tests));
}

static void compare(struct comparison *c)
{

	c->step = pn_function_step(c->functions, c->out->count, c->runs);
	sum_up(c);
	pn_function_match_renamed(c->out->items, c->functions, c->out->count,
				  (const double(*)[SIDES])c->costs);
	make_tests(c);
	pn_function_spread(&c->tests);
	c->out->exact = c->rule->exact || mostly_constant(&c->tests);
	if (c->tests.count >= PN_FUNCTIONS_MIN_LEVELLED && !c->out->exact)
		level(c);
	pn_function_moderate(&c->tests);
	c->out->prior_df = c->tests.prior_df;
	c->pooled = pn_function_pooled(&c->tests);
	judge_all(c);
}

int pn_functions_compare(struct pn_functions *out,
			 const struct pn_function_costs *functions,
			 size_t count, const size_t runs[2],
			 const struct pn_functions_rule *rule,
			 struct pn_error *err)
{
	struct comparison c = {
		.out = out, .functions = functions, .runs = runs, .rule = rule};
	int code = check_rule(rule, err);

	if (code)
		return code;
	*out = (struct pn_functions){.count = count, .common = 1};
	out->items = pn_calloc(count + 1, sizeof(*out->items));
	c.costs = pn_calloc(count + 1, sizeof(*c.costs));
	clear_verdicts(out);
	if (count)
		compare(&c);
	free(c.costs);
	free(c.tests.items);
	free(c.values);
	return 0;
}

struct contribution {
	double delta;
	size_t function;
};

static int by_delta(const void *left, const void *right)
{
	const struct contribution *a = left, *b = right;

	if (a->delta != b->delta)
		return a->delta < b->delta ? 1 : -1;
	return (a->function > b->function) - (a->function < b->function);
}

size_t pn_functions_explain(size_t *order, const struct pn_functions *all)
{
	double total = all->target - all->baseline, sum = 0;
	double sign = total < 0 ? -1 : 1;
	struct contribution *list = pn_calloc(all->count + 1, sizeof(*list));
	size_t f, n = 0, used = 0;

	for (f = 0; f < all->count; f++)
		if (!all->items[f].is_old_name)
			list[n++] = (struct contribution){
				sign * all->items[f].delta, f};
	if (n)
		qsort(list, n, sizeof(*list), by_delta);
	while (used < n && list[used].delta > 0 &&
	       sum < PN_FUNCTIONS_EXPLAINED * fabs(total)) {
		sum += list[used].delta;
		order[used] = list[used].function;
		used++;
	}
	free(list);
	return used;
}
