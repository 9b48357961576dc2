/* The rule of the duel: what is said at each look. */
#include "detect/duel/duel.h"

#include "base/alloc.h"
#include "base/numbers/quantile.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where a verdict may fall, and at the end of the budget. */
static const size_t looks[] = {6,  8,	10,  12,  14,  16,  18,	 20, 24,
			       28, 32,	36,  42,  48,  56,  64,	 72, 82,
			       92, 100, 112, 126, 142, 160, 180, 200};
#define LOOKS (sizeof(looks) / sizeof(*looks))

const char *const pn_duel_decision_names[PN_DUEL_DECISIONS] = {
	"undecided", "slower",	  "faster",
	"no change", "undecided", "no slowdown",
};

void pn_duel_rule_init(struct pn_duel_rule *rule)
{
	*rule = (struct pn_duel_rule){
		.tolerance = PN_DUEL_TOLERANCE,
		.max_pairs = PN_DUEL_DEFAULT_PAIRS,
	};
}

int pn_duel_init(struct pn_duel *out, const struct pn_duel_rule *rule,
		 struct pn_error *err)
{
	if (!(rule->tolerance > 0 && isfinite(rule->tolerance)))
		return pn_error_set(err, PN_ERANGE,
				    "a tolerance has to be above 0");
	if (!(rule->margin >= 0 && rule->margin < rule->tolerance))
		return pn_error_set(err, PN_ERANGE,
				    "a margin has to be at least 0 and below "
				    "the tolerance");
	if (rule->max_pairs < PN_DUEL_MIN_PAIRS ||
	    rule->max_pairs > PN_DUEL_MAX_PAIRS)
		return pn_error_set(err, PN_ERANGE,
				    "a duel has %d to %d pairs at most",
				    PN_DUEL_MIN_PAIRS, PN_DUEL_MAX_PAIRS);
	memset(out, 0, sizeof(*out));
	out->rule = *rule;
	out->p_least = out->least_evidence = 1;
	out->a = pn_calloc(rule->max_pairs, sizeof(*out->a));
	out->b = pn_calloc(rule->max_pairs, sizeof(*out->b));
	out->differences =
		pn_calloc(rule->max_pairs, sizeof(*out->differences));
	return 0;
}

void pn_duel_release(struct pn_duel *duel)
{
	if (!duel)
		return;
	free(duel->a);
	free(duel->b);
	free(duel->differences);
	pn_capped_rank_release(&duel->rank);
	memset(duel, 0, sizeof(*duel));
}

bool pn_duel_is_look(size_t pairs)
{
	size_t i;

	for (i = 0; i < LOOKS; i++)
		if (looks[i] == pairs)
			return true;
	return false;
}

bool pn_duel_is_over(const struct pn_duel *duel)
{
	return duel->last.decision != PN_DUEL_UNDECIDED;
}

double pn_duel_ratio(const struct pn_duel_look *look, double shift)
{
	return look->of_differences ? 1 + shift : exp(shift);
}

/* All values of both sides, ascending; the caller frees. */
static double *sorted_values(const struct pn_duel *duel, bool sizes)
{
	double *values = pn_calloc(2 * duel->count, sizeof(*values));
	size_t i;

	for (i = 0; i < duel->count; i++) {
		values[2 * i] = sizes ? fabs(duel->a[i]) : duel->a[i];
		values[2 * i + 1] = sizes ? fabs(duel->b[i]) : duel->b[i];
	}
	pn_quantile_sort(values, 2 * duel->count);
	return values;
}

/* What differences are shares of: the median size; the mean where most are 0,
 * and 1 where all are. */
static double level(const struct pn_duel *duel)
{
	double *sizes = sorted_values(duel, true);
	size_t n = 2 * duel->count, i;
	double median = sizes[n / 2 - 1] / 2 + sizes[n / 2] / 2, mean = 0;

	for (i = 0; i < n; i++)
		mean += sizes[i] / (double)n;
	free(sizes);
	return median > 0 ? median : mean > 0 ? mean : 1;
}

/* To 12 digits behind the point, so that equal ratios tie wherever it is
 * computed. */
static double rounded(double value)
{
	return floor(value * 1e12 + 0.5) / 1e12;
}

static double log_ratio(double a, double b)
{
	double ratio = b / a;

	return ratio > 0 && isfinite(ratio) ? log(ratio) : log(b) - log(a);
}

static void set_differences(struct pn_duel *duel)
{
	double unit = duel->of_differences ? level(duel) : 0;
	size_t i;

	for (i = 0; i < duel->count; i++) {
		double a = duel->a[i], b = duel->b[i];

		duel->differences[i] = rounded(unit > 0 ? b / unit - a / unit
							: log_ratio(a, b));
	}
}

/* What is within a share: of logarithms, or of differences. */
static double shift_of(const struct pn_duel *duel, double share)
{
	return duel->of_differences ? share : log1p(share);
}

/*
 * The least step between two values, as a shift: a timer of whole
 * milliseconds cannot show that 60 ms change by less than 1/60. 0 unless half
 * of the pairs are equal.
 */
static double resolution(const struct pn_duel *duel)
{
	size_t i, n = 0, equal = 0;
	double *values, least = INFINITY, median;

	for (i = 0; i < duel->count; i++)
		equal += duel->differences[i] == 0;
	if (2 * equal < duel->count)
		return 0;
	values = sorted_values(duel, false);
	for (i = 0; i < 2 * duel->count; i++)
		if (!i || values[i] != values[i - 1])
			values[n++] = values[i];
	for (i = 1; i < n; i++)
		least = fmin(least, values[i] - values[i - 1]);
	median = n % 2 ? values[n / 2]
		       : values[n / 2 - 1] / 2 + values[n / 2] / 2;
	free(values);
	if (n < 2)
		return 0;
	return duel->of_differences ? least / level(duel)
				    : log1p(least / median);
}

/* What a look found before it is judged. `evidence` is the p that may decide,
 * `side` where B is. */
struct finding {
	double evidence;
	int side;
};

/* 1 when all differences are above the margin, -1 when all are below it. */
static int common_side(const double *d, size_t n, double margin)
{
	size_t i, above = 0, below = 0;

	for (i = 0; i < n; i++) {
		above += d[i] > margin;
		below += d[i] < -margin;
	}
	return above == n ? 1 : below == n ? -1 : 0;
}

/* Few pairs: all differences on one side, and Student's t of their mean. */
static void judge_early(struct pn_duel_look *look, struct finding *found,
			const double *d, double margin)
{
	size_t n = look->pairs, i;
	double sum = 0, squares = 0, se, half, signs, n_real = (double)n;
	bool equal = true;

	look->method = PN_DUEL_T;
	for (i = 0; i < n; i++) {
		sum += d[i];
		equal = equal && d[i] == d[0];
	}
	look->effect = sum / n_real;
	if (n < 3) {
		look->low = -INFINITY;
		look->high = INFINITY;
		return;
	}
	for (i = 0; i < n; i++)
		squares += (d[i] - look->effect) * (d[i] - look->effect);
	se = sqrt(squares / (n_real - 1)) / sqrt(n_real);
	half = se * pn_stats_t_critical(PN_DUEL_EARLY_LEVEL, n_real - 1);
	look->low = look->effect - half;
	look->high = look->effect + half;
	found->side = common_side(d, n, margin);
	if (!found->side || n < PN_DUEL_MIN_PAIRS)
		return;
	signs = PN_DUEL_EARLY * ldexp(1, 1 - (int)n);
	look->p = se > 0 ? fmin(1, PN_DUEL_EARLY *
					   pn_stats_t_both((fabs(look->effect) -
							    margin) /
								   se,
							   n_real - 1))
			 : signs;
	/* of ratios that are all equal only their number speaks: what spread
	 * they have is of rounding */
	found->evidence = equal ? fmax(look->p, signs) : look->p;
}

static void judge_by_ranks(struct pn_duel_look *look, struct finding *found,
			   struct pn_duel *duel, double margin)
{
	look->method = PN_DUEL_RANKS;
	pn_capped_rank_set(&duel->rank, duel->differences, duel->count);
	look->effect = pn_capped_rank_estimate(&duel->rank);
	pn_capped_rank_interval(&look->low, &look->high, &duel->rank,
				PN_DUEL_RANK_LEVEL);
	look->p = margin > 0 ? pn_capped_rank_margin_p(&found->side,
						       &duel->rank, margin)
			     : pn_capped_rank_p(&found->side, &duel->rank, 0);
	found->evidence = look->p;
}

/* How many pairs there have to be for either decision, by the width of the
 * interval, which shrinks with their root. */
static double forecast(const struct pn_duel *duel,
		       const struct pn_duel_look *look)
{
	double half = (look->high - look->low) / 2, e = fabs(look->effect);
	double limit = shift_of(duel, duel->rule.tolerance);
	double margin = shift_of(duel, duel->rule.margin);
	double equal = INFINITY, changed = INFINITY, n = (double)look->pairs;
	size_t i;

	if (!isfinite(half) || half <= 0)
		return (double)NAN;
	if (e < limit)
		equal = n * pow(half / (limit - e), 2);
	if (e > margin)
		changed = n * pow(PN_DUEL_FORECAST * half / (e - margin), 2);
	n = fmax(n, duel->rule.no_equality ? changed : fmin(equal, changed));
	for (i = 0; i < LOOKS; i++)
		if ((double)looks[i] >= n)
			return (double)looks[i];
	return isfinite(n) ? ceil(n) : (double)NAN;
}

static enum pn_duel_decision decide(const struct pn_duel *duel,
				    const struct pn_duel_look *look,
				    const struct finding *found, bool last)
{
	double limit = shift_of(duel, duel->rule.tolerance);
	bool enough = look->pairs >= PN_DUEL_MIN_PAIRS;

	if (enough && !duel->rule.no_equality && look->low > -limit &&
	    look->high < limit)
		return PN_DUEL_NO_CHANGE;
	if (enough && found->side && !duel->rule.jointly &&
	    PN_DUEL_ANY * found->evidence <= PN_DUEL_ALPHA)
		return found->side > 0 ? PN_DUEL_SLOWER : PN_DUEL_FASTER;
	if (last)
		return PN_DUEL_CANNOT_TELL;
	if (duel->rule.give_up && look->pairs >= PN_DUEL_GIVE_UP_PAIRS &&
	    look->need > PN_DUEL_GIVE_UP * (double)duel->rule.max_pairs)
		return PN_DUEL_CANNOT_TELL;
	return PN_DUEL_UNDECIDED;
}

/* The size of the largest change that is not excluded. */
static double bound_of(const struct pn_duel_look *look)
{
	double shift = fmax(fabs(look->low), fabs(look->high));

	if (!isfinite(shift))
		return (double)NAN;
	return look->of_differences ? shift : expm1(shift);
}

static void look_now(struct pn_duel *duel, bool last)
{
	struct pn_duel_look look = {
		.pairs = duel->count,
		.p = 1,
		.of_differences = duel->of_differences,
	};
	struct finding found = {.evidence = 1};
	double margin = shift_of(duel, duel->rule.margin), step;

	set_differences(duel);
	if (duel->count >= PN_DUEL_RANK_PAIRS)
		judge_by_ranks(&look, &found, duel, margin);
	else
		judge_early(&look, &found, duel->differences, margin);
	step = resolution(duel);
	look.low -= step;
	look.high += step;
	duel->p_least = fmin(duel->p_least, look.p);
	duel->least_evidence = fmin(duel->least_evidence, found.evidence);
	duel->side = found.side;
	look.p_any = fmin(1, PN_DUEL_ANY * duel->p_least);
	look.need = forecast(duel, &look);
	look.bound = bound_of(&look);
	look.decision = decide(duel, &look, &found, last);
	duel->last = look;
}

/* Two pairs of a counter that do not vary. */
static bool is_exact(const struct pn_duel *duel)
{
	return duel->rule.counter && duel->count == 2 &&
	       duel->a[0] == duel->a[1] && duel->b[0] == duel->b[1];
}

static void look_exactly(struct pn_duel *duel)
{
	double shift, share;

	set_differences(duel);
	shift = duel->differences[0];
	share = duel->of_differences ? fabs(shift) : fabs(expm1(shift));
	duel->last = (struct pn_duel_look){
		.pairs = duel->count,
		.method = PN_DUEL_EXACT,
		.effect = shift,
		.low = shift,
		.high = shift,
		.p = (double)NAN,
		.need = (double)NAN,
		.bound = share,
		.of_differences = duel->of_differences,
		.decision = share < PN_DUEL_COUNTER_EFFECT ? PN_DUEL_NO_CHANGE
			    : shift > 0			   ? PN_DUEL_SLOWER
							   : PN_DUEL_FASTER,
	};
}

bool pn_duel_add(struct pn_duel *duel, double a, double b)
{
	bool last;

	if (pn_duel_is_over(duel) || duel->count >= duel->rule.max_pairs)
		return false;
	duel->a[duel->count] = a;
	duel->b[duel->count] = b;
	duel->count++;
	if (!(a > 0 && b > 0))
		duel->of_differences = true;
	if (is_exact(duel)) {
		look_exactly(duel);
		return true;
	}
	last = duel->count == duel->rule.max_pairs;
	if (!last && !pn_duel_is_look(duel->count))
		return false;
	look_now(duel, last);
	return true;
}

bool pn_duel_finish(struct pn_duel *duel)
{
	if (pn_duel_is_over(duel) || !duel->count)
		return false;
	look_now(duel, true);
	return true;
}

void pn_duel_stop(struct pn_duel *duel, double suspected)
{
	if (pn_duel_is_over(duel) || !duel->count)
		return;
	if (duel->last.pairs != duel->count)
		look_now(duel, false);
	duel->last.decision = PN_DUEL_NO_SLOWDOWN;
	duel->suspected = expm1(suspected);
}

size_t pn_duel_pairs_that_fit(double limit, double spent,
			      const double *pair_costs, size_t n)
{
	size_t first = n > PN_DUEL_COSTS ? n - PN_DUEL_COSTS : 0, i;
	double sum = 0, fit;

	for (i = first; i < n; i++)
		sum += pair_costs[i];
	if (!(sum > 0) || !(limit > spent))
		return 0;
	fit = floor((limit - spent) / (sum / (double)(n - first)));
	return fit < PN_DUEL_MAX_PAIRS ? (size_t)fit : PN_DUEL_MAX_PAIRS;
}
