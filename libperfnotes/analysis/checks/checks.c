/* The checks of averages, orders, integrals and windows. */
#include "analysis/checks/checks.h"

#include "base/numbers/quantile.h"

#include <math.h>
#include <string.h>

#define MUCH 2.0	     /* of averages */
#define WINDOW 50	     /* points: PN_CHECKS_POINTS / PN_CHECKS_WINDOWS */
#define STATISTICS 8	     /* of a window */
#define MAYBE_STATISTICS 0.2 /* of them: above it a window may have changed */
#define SURE_STATISTICS 0.5

static enum pn_verdict classify(double value, double maybe, double sure)
{
	double size = fabs(value);

	if (isnan(value))
		return PN_VERDICT_UNKNOWN;
	if (size <= maybe)
		return PN_VERDICT_NO_CHANGE;
	if (size <= sure)
		return value < 0 ? PN_VERDICT_MAYBE_OPTIMIZATION
				 : PN_VERDICT_MAYBE_DEGRADATION;
	return value < 0 ? PN_VERDICT_OPTIMIZATION : PN_VERDICT_DEGRADATION;
}

enum pn_verdict pn_check_classify(double relative)
{
	return classify(relative, PN_CHECKS_MAYBE, PN_CHECKS_CHANGED);
}

static void clear(struct pn_check_result *out)
{
	*out = (struct pn_check_result){.verdict = PN_VERDICT_UNKNOWN,
					.rate = (double)NAN,
					.confidence = (double)NAN,
					.change = ""};
}

static double mean_of(const double *values, size_t n)
{
	double mean = 0;
	size_t i;

	for (i = 0; i < n; i++)
		mean += values[i] / (double)n;
	return mean;
}

void pn_check_average(struct pn_check_result *out, const double *baseline,
		      size_t n, const double *target, size_t m)
{
	double before = mean_of(baseline, n), after = mean_of(target, m);

	clear(out);
	out->rate = before == 0 && after == 0 ? 1 : after / before;
	if (isnan(out->rate) || out->rate < 0)
		return;
	out->verdict = out->rate >= MUCH       ? PN_VERDICT_DEGRADATION
		       : out->rate <= 1 / MUCH ? PN_VERDICT_OPTIMIZATION
					       : PN_VERDICT_NO_CHANGE;
}

/* Whether two curves may be compared, and where. */
static bool begin(struct pn_check_result *out, double *from, double *to,
		  const struct pn_cost_curve *baseline,
		  const struct pn_cost_curve *target)
{
	clear(out);
	out->confidence = fmin(baseline->r_square, target->r_square);
	return out->confidence >= PN_CHECKS_R_SQUARE &&
	       pn_cost_curve_common(from, to, baseline, target);
}

/* NaN of something through nothing. */
static double relative(double before, double after)
{
	if (before == after)
		return 0;
	return before == 0 ? (double)NAN : (after - before) / fabs(before);
}

void pn_check_integral(struct pn_check_result *out,
		       const struct pn_cost_curve *baseline,
		       const struct pn_cost_curve *target)
{
	double from, to;

	if (!begin(out, &from, &to, baseline, target))
		return;
	out->rate = relative(pn_cost_curve_integral(baseline, from, to),
			     pn_cost_curve_integral(target, from, to));
	out->verdict = pn_check_classify(out->rate);
}

/* What is compared of one window of one curve. */
static void describe(double out[STATISTICS], const struct pn_cost_curve *curve,
		     double from, double to, size_t window)
{
	double values[WINDOW], step = (to - from) / (PN_CHECKS_POINTS - 1);
	double first = from + (double)(window * WINDOW) * step;
	size_t i;

	for (i = 0; i < WINDOW; i++)
		values[i] = pn_cost_curve_at(curve, first + (double)i * step);
	out[0] = 0;
	for (i = 1; i < WINDOW; i++)
		out[0] += step * (values[i - 1] + values[i]) / 2;
	out[1] = mean_of(values, WINDOW);
	out[2] = out[1] * WINDOW;
	if (isnan(out[1]))
		return; /* there is no order either */
	pn_quantile_sort(values, WINDOW);
	out[3] = values[0];
	out[4] = pn_quantile_of(values, WINDOW, 0.25);
	out[5] = pn_quantile_of(values, WINDOW, 0.5);
	out[6] = pn_quantile_of(values, WINDOW, 0.75);
	out[7] = values[WINDOW - 1];
}

/* How many statistics speak for a change of this window, with its sign; their
 * relative differences are added to the sum. Those without one do not count. */
static double compare_window(double *sum, const double *before,
			     const double *after)
{
	double score = 0;
	int i;

	*sum = 0;
	for (i = 0; i < STATISTICS; i++) {
		double by = relative(before[i], after[i]), size = fabs(by);

		if (isnan(by))
			continue;
		*sum += by / STATISTICS;
		if (size > PN_CHECKS_MAYBE)
			score += (by < 0 ? -1 : 1) *
				 (size > PN_CHECKS_CHANGED ? 1 : 0.5);
	}
	return score;
}

void pn_check_statistics(struct pn_check_result *out,
			 enum pn_verdict windows[PN_CHECKS_WINDOWS],
			 const struct pn_cost_curve *baseline,
			 const struct pn_cost_curve *target)
{
	double before[STATISTICS], after[STATISTICS], from, to, by, sum = 0;
	size_t w, n = 0;

	for (w = 0; w < PN_CHECKS_WINDOWS; w++)
		windows[w] = PN_VERDICT_UNKNOWN;
	if (!begin(out, &from, &to, baseline, target))
		return;
	for (w = 0; w < PN_CHECKS_WINDOWS; w++) {
		double score;

		describe(before, baseline, from, to, w);
		describe(after, target, from, to, w);
		if (isnan(before[1]) || isnan(after[1]))
			continue;
		score = compare_window(&by, before, after);
		windows[w] = classify(score, MAYBE_STATISTICS * STATISTICS,
				      SURE_STATISTICS * STATISTICS);
		sum += by;
		n++;
	}
	if (n)
		out->rate = sum / (double)n;
	out->verdict = pn_check_classify(out->rate);
}
