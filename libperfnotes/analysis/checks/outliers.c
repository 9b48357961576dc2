/* The check of functions that differ by more than others do. */
#include "analysis/checks/checks.h"

#include "base/alloc.h"
#include "base/numbers/quantile.h"

#include <math.h>
#include <stdlib.h>

#define Z_OF_MAD 0.6745 /* the quartile of the normal distribution */
#define MOST_Z 3.5	/* Iglewicz & Hoaglin, How to Detect Outliers (1993) */
#define FENCE 1.5	/* Tukey, Exploratory Data Analysis (1977) */
#define MOST_SD 2

/* What the differences of all functions are like. */
struct spread {
	double median, mad, q1, q3;
};

static bool is_compared(const double *baseline, const double *target, size_t i)
{
	return !isnan(baseline[i]) && !isnan(target[i]);
}

static double median_of(double *values, size_t n)
{
	pn_quantile_sort(values, n);
	return pn_quantile_of(values, n, 0.5);
}

static void set_spread(struct spread *out, double *deltas, size_t n)
{
	size_t i;

	out->median = median_of(deltas, n);
	out->q1 = pn_quantile_of(deltas, n, 0.25);
	out->q3 = pn_quantile_of(deltas, n, 0.75);
	for (i = 0; i < n; i++)
		deltas[i] = fabs(deltas[i] - out->median);
	out->mad = median_of(deltas, n);
}

static enum pn_verdict towards(double delta, enum pn_verdict slower,
			       enum pn_verdict faster)
{
	return delta > 0 ? slower : faster;
}

/* By how many ranges of the quartiles a difference is beyond them: where most
 * do not differ at all, as counts do, by any number. */
static double beyond(const struct spread *s, double delta)
{
	double range = s->q3 - s->q1;

	if (!(range > 0))
		return delta > s->q3 || delta < s->q1 ? (double)INFINITY : 0;
	return fmax(delta - s->q3, s->q1 - delta) / range;
}

/* The two methods that look at all functions. */
static void judge(struct pn_outlier *o, const struct spread *s)
{
	double z =
		s->mad > 0 ? Z_OF_MAD * fabs(o->delta - s->median) / s->mad : 0;

	if (z > MOST_Z) {
		o->method = PN_OUTLIER_MODIFIED_Z;
		o->value = z;
		o->verdict = towards(o->delta, PN_VERDICT_SEVERE_DEGRADATION,
				     PN_VERDICT_SEVERE_OPTIMIZATION);
	} else if (beyond(s, o->delta) > FENCE) {
		o->method = PN_OUTLIER_IQR;
		o->value = beyond(s, o->delta);
		o->verdict = towards(o->delta, PN_VERDICT_DEGRADATION,
				     PN_VERDICT_OPTIMIZATION);
	}
}

/* The standard deviation of those that are no outliers by now. */
static double rest_sd(const struct pn_outlier *all, const bool *compared,
		      size_t count)
{
	double sum = 0, squares = 0, mean;
	size_t i, n = 0;

	for (i = 0; i < count; i++)
		if (compared[i] && all[i].method == PN_OUTLIER_NONE) {
			sum += all[i].delta;
			n++;
		}
	if (n < 2)
		return 0;
	mean = sum / (double)n;
	for (i = 0; i < count; i++)
		if (compared[i] && all[i].method == PN_OUTLIER_NONE)
			squares += pow(all[i].delta - mean, 2);
	return sqrt(squares / (double)(n - 1));
}

static void judge_rest(struct pn_outlier *all, const bool *compared,
		       size_t count)
{
	double sd = rest_sd(all, compared, count);
	size_t i;

	for (i = 0; i < count && sd > 0; i++) {
		struct pn_outlier *o = &all[i];

		if (!compared[i] || o->method != PN_OUTLIER_NONE ||
		    fabs(o->delta) <= MOST_SD * sd)
			continue;
		o->method = PN_OUTLIER_SD;
		o->value = fabs(o->delta) / sd;
		o->verdict = towards(o->delta, PN_VERDICT_MAYBE_DEGRADATION,
				     PN_VERDICT_MAYBE_OPTIMIZATION);
	}
}

/* One side only, or both; the difference. */
static void compare(struct pn_outlier *o, double before, double after)
{
	*o = (struct pn_outlier){.verdict = PN_VERDICT_NO_CHANGE,
				 .value = (double)NAN};
	if (isnan(before) && isnan(after))
		o->verdict = PN_VERDICT_UNKNOWN;
	else if (isnan(before))
		o->verdict = PN_VERDICT_NOT_IN_BASELINE;
	else if (isnan(after))
		o->verdict = PN_VERDICT_NOT_IN_TARGET;
	o->delta = (isnan(after) ? 0 : after) - (isnan(before) ? 0 : before);
}

static enum pn_verdict judge_whole(double before, double after)
{
	double by = before != 0 ? (after - before) / fabs(before) : 0;

	if (!(fabs(by) > PN_CHECKS_CHANGED))
		return PN_VERDICT_NO_CHANGE;
	return towards(by, PN_VERDICT_TOTAL_DEGRADATION,
		       PN_VERDICT_TOTAL_OPTIMIZATION);
}

enum pn_verdict pn_check_outliers(struct pn_outlier *out,
				  const double *baseline, const double *target,
				  size_t count)
{
	double *deltas = pn_calloc(count + 1, sizeof(*deltas));
	bool *compared = pn_calloc(count + 1, sizeof(*compared));
	double before = 0, after = 0;
	struct spread spread;
	size_t i, n = 0;

	for (i = 0; i < count; i++) {
		compare(&out[i], baseline[i], target[i]);
		compared[i] = is_compared(baseline, target, i);
		before += isnan(baseline[i]) ? 0 : baseline[i];
		after += isnan(target[i]) ? 0 : target[i];
		if (compared[i])
			deltas[n++] = out[i].delta;
	}
	if (n)
		set_spread(&spread, deltas, n);
	for (i = 0; i < count; i++) {
		out[i].relative = after != 0 ? out[i].delta / after : 0;
		compared[i] = compared[i] &&
			      fabs(out[i].delta) >
				      PN_CHECKS_MAYBE * fabs(baseline[i]);
		if (compared[i])
			judge(&out[i], &spread);
	}
	judge_rest(out, compared, count);
	free(deltas);
	free(compared);
	return judge_whole(before, after);
}
