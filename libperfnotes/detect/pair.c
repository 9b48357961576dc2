/* Two samples of one metric. */
#include "detect/pair.h"

#include "base/numbers/quantile.h"
#include "detect/clock.h"
#include "detect/rank_test.h"
#include "detect/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define TAIL 0.025	   /* of the interval, a side */
#define POWER_SIDE 0.4	   /* 2 (1 - .8): of five such effects one is missed */
#define WINSOR_SDS 5	   /* farther away is an outlier */
#define SEPARATED_TIMES 10 /* how much surer the means have to be then */

/* Both samples, ascending; logarithms where all values are positive. */
struct samples {
	double *a, *b;
	size_t n, m;
	bool logs;
	double unit; /* what 1 stands for where they are no logarithms */
};

double pn_pair_welch(double *t, double *df, const double *a, size_t n,
		     const double *b, size_t m)
{
	double va = pn_stats_variance(a, n) / (double)n;
	double vb = pn_stats_variance(b, m) / (double)m, v = va + vb;
	double apart = pn_stats_mean(a, n) - pn_stats_mean(b, m);

	if (!(v > 0)) {
		*t = apart != 0 ? copysign(INFINITY, apart) : NAN;
		*df = NAN;
		return apart == 0;
	}
	*t = apart / sqrt(v);
	/* shares of v: squares of tiny variances would vanish */
	*df = 1 / (va / v * (va / v) / (double)(n - 1) +
		   vb / v * (vb / v) / (double)(m - 1));
	return pn_stats_t_both(*t, *df);
}

static void to_logs(double *values, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		values[i] = log(values[i]);
}

static void scale(double *values, size_t n, double by)
{
	size_t i;

	for (i = 0; i < n; i++)
		values[i] *= by;
}

static void prepare(struct samples *s, const double *a, size_t n,
		    const double *b, size_t m)
{
	double most;

	*s = (struct samples){pn_quantile_sorted(a, n),
			      pn_quantile_sorted(b, m), n, m};
	s->logs = s->a[0] > 0 && s->b[0] > 0;
	if (s->logs) {
		to_logs(s->a, n);
		to_logs(s->b, m);
		return;
	}
	/* differences of the largest doubles have to be finite */
	most = fmax(fmax(fabs(s->a[0]), fabs(s->a[n - 1])),
		    fmax(fabs(s->b[0]), fabs(s->b[m - 1])));
	if (most > 0) {
		scale(s->a, n, 0.25 / most);
		scale(s->b, m, 0.25 / most);
	}
	s->unit = fabs(pn_quantile_of(s->a, n, 0.5));
}

/* A shift of the samples as a ratio of target to baseline. */
static double ratio_of(const struct samples *s, double shift)
{
	if (s->logs)
		return exp(shift);
	return s->unit > 0 ? 1 + shift / s->unit : NAN;
}

/* Whether a shift is as large as what counts. */
static bool counts(const struct samples *s, double shift, double min_effect)
{
	double ratio = ratio_of(s, shift);

	return isnan(ratio) ? shift != 0
			    : pn_verdict_counts(ratio - 1, min_effect);
}

static enum pn_verdict direction(double shift, bool sure)
{
	if (shift > 0)
		return sure ? PN_VERDICT_DEGRADATION
			    : PN_VERDICT_MAYBE_DEGRADATION;
	return sure ? PN_VERDICT_OPTIMIZATION : PN_VERDICT_MAYBE_OPTIMIZATION;
}

/* `a` and `b` are what each side is. */
static void compare_ticks(struct pn_pair_verdict *out, double a, double b)
{
	struct pn_clock clock;

	pn_clock_judge(&clock, out->verdict, a, b, out->n, out->m);
	out->method = PN_PAIR_CLOCK;
	out->verdict = clock.verdict;
	out->least_effect = fmax(out->least_effect, clock.tick);
	out->low = clock.tick < 1 ? out->ratio * (1 - clock.tick) : (double)NAN;
	out->high = out->ratio * (1 + clock.tick);
	out->p = NAN;
}

static void compare_constants(struct pn_pair_verdict *out,
			      const struct samples *s,
			      const struct pn_pair_options *o)
{
	double shift = s->b[0] - s->a[0];

	out->method = PN_PAIR_EXACT;
	out->ratio = out->low = out->high = ratio_of(s, shift);
	out->p = shift == 0;
	out->noise = 0;
	out->least_effect = o->min_effect_exact;
	out->verdict = counts(s, shift, o->min_effect_exact)
			       ? direction(shift, true)
			       : PN_VERDICT_NO_CHANGE;
}

/* Which effect two samples of these sizes would show with both errors below
 * `alpha` and POWER_SIDE: `a` and `b` are winsorized, so that outliers do not
 * count. Equal values, as of a clock with few digits, have a variance of 0; the
 * smallest effect that is asked for is the least one then. */
static void find_least_effect(struct pn_pair_verdict *out,
			      const struct samples *s, const double *a,
			      const double *b, const struct pn_pair_options *o)
{
	double n = (double)s->n, m = (double)s->m, df = n + m - 2;
	double sd = sqrt(((n - 1) * pn_stats_variance(a, s->n) +
			  (m - 1) * pn_stats_variance(b, s->m)) /
			 df);
	double shift = (pn_stats_t_critical(o->alpha, df) +
			pn_stats_t_critical(POWER_SIDE, df)) *
		       sd * sqrt(1 / n + 1 / m);

	out->noise = fabs(ratio_of(s, sd) - 1);
	out->least_effect = fmax(o->min_effect, fabs(ratio_of(s, shift) - 1));
}

static void find_interval(struct pn_pair_verdict *out, const struct samples *s)
{
	size_t k = pn_rank_test_order(s->n, s->m, TAIL);
	double pairs = (double)s->n * (double)s->m;

	if (!k)
		return;
	out->low = ratio_of(
		s, pn_rank_test_difference((double)k, s->a, s->n, s->b, s->m));
	out->high =
		ratio_of(s, pn_rank_test_difference(pairs + 1 - (double)k, s->a,
						    s->n, s->b, s->m));
}

static enum pn_verdict judge(const struct pn_pair_verdict *pair,
			     const struct samples *s, double shift,
			     const struct pn_pair_options *o)
{
	bool apart = s->a[s->n - 1] < s->b[0] || s->b[s->m - 1] < s->a[0];

	if (!counts(s, shift, o->min_effect))
		return PN_VERDICT_NO_CHANGE;
	if (pair->p < o->alpha ||
	    (apart && pair->p_mean < o->alpha / SEPARATED_TIMES))
		return direction(shift, true);
	if (fmin(pair->p_rank, pair->p_mean) < o->alpha)
		return direction(shift, false);
	return PN_VERDICT_NO_CHANGE;
}

static void compare_samples(struct pn_pair_verdict *out,
			    const struct samples *s,
			    const struct pn_pair_options *o)
{
	double *a = pn_quantile_sorted(s->a, s->n);
	double *b = pn_quantile_sorted(s->b, s->m);
	double shift = pn_rank_test_shift(s->a, s->n, s->b, s->m), t, df;
	struct pn_rank_test ranks;

	pn_rank_test_of(&ranks, s->a, s->n, s->b, s->m);
	pn_stats_winsorize(a, s->n, WINSOR_SDS);
	pn_stats_winsorize(b, s->m, WINSOR_SDS);
	out->method = PN_PAIR_TESTS;
	out->p_rank = ranks.p;
	out->p_mean = pn_pair_welch(&t, &df, a, s->n, b, s->m);
	out->p = fmax(out->p_rank, out->p_mean);
	out->ratio = ratio_of(s, shift);
	find_interval(out, s);
	find_least_effect(out, s, a, b, o);
	out->verdict = judge(out, s, shift, o);
	free(a);
	free(b);
}

void pn_pair_of(struct pn_pair_verdict *out, const double *baseline, size_t n,
		const double *target, size_t m,
		const struct pn_pair_options *options)
{
	struct samples s;
	size_t least = n < m ? n : m;

	*out = (struct pn_pair_verdict){PN_VERDICT_UNKNOWN,
					PN_PAIR_NONE,
					n,
					m,
					NAN,
					NAN,
					NAN,
					NAN,
					NAN,
					NAN,
					NAN,
					NAN};
	if (least < PN_PAIR_MIN_VALUES - 1)
		return;
	prepare(&s, baseline, n, target, m);
	if (s.a[0] == s.a[n - 1] && s.b[0] == s.b[m - 1]) {
		compare_constants(out, &s, options);
		if (options->clock)
			compare_ticks(out, baseline[0], target[0]);
	} else if (least >= PN_PAIR_MIN_VALUES) {
		compare_samples(out, &s, options);
	}
	free(s.a);
	free(s.b);
}
