/* The commit that was measured just now beside its past. */
#include "detect/latest/latest.h"

#include "base/alloc.h"
#include "base/numbers/quantile.h"
#include "detect/duel/futility.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HALF_LIFE 6.0	   /* commits */
#define ERRORS 60	   /* earlier commits that are looked at */
#define MOST_AWAY 2.5	   /* of a value from the level, in deviations */
#define MORE_RUN_NOISE 1.1 /* the median of variances is below their mean */
#define PRIOR_WEIGHT 4.0   /* degrees of freedom */
#define FEW 8		   /* commits of which none is an outlier */
#define ERROR_WEIGHT 0.7   /* of an error of the biweight variance */
#define FLAG_RANK 0.30
#define LEAST_RANKED 9
#define P_SURE 1e-4
#define P_MAYBE 0.01
#define FARTHER 1.5
#define LEAST_ERRORS 20
#define LEAST_BASE 5
#define MOST_SESSION 4.0
#define EXACT_EFFECT 0.001
#define FLAG_AND_POWER 3.97 /* normal deviates of .99 and .95 */
#define DELTA_SDS 2.5
#define ROUNDING 1e-12 /* of logarithms of values that are equal */
#define MOST_DELTA 1.05

/* The past without what was not measured, in logarithms. */
struct past {
	double *medians, *variances; /* of a commit's runs; NaN: of one run */
	size_t *segments;
	size_t n;
	double step; /* least of their differences, if rounded; else 0 */
};

/* A level and how sure it is: the sum of squares of weights that sum to 1. */
struct centre {
	double level, share;
	size_t count;
};

static double median_log(double *logs, const double *runs, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		logs[i] = log(runs[i]);
	return pn_stats_median(logs, n);
}

static void read_past(struct past *out, const struct pn_latest_commit *commits,
		      size_t count)
{
	double *logs = NULL;
	size_t cap = 0, i;

	out->n = 0;
	out->medians = pn_realloc_array(NULL, count + 1, sizeof(double));
	out->variances = pn_realloc_array(NULL, count + 1, sizeof(double));
	out->segments = pn_realloc_array(NULL, count + 1, sizeof(size_t));
	for (i = 0; i < count; i++) {
		size_t n = commits[i].count;

		if (!n)
			continue;
		logs = pn_grow(logs, &cap, n, sizeof(*logs));
		out->medians[out->n] = median_log(logs, commits[i].runs, n);
		out->variances[out->n] =
			n > 1 ? pn_stats_variance(logs, n) : (double)NAN;
		out->segments[out->n++] = commits[i].segment;
	}
	free(logs);
}

/* Values that are equal are rounded: what differs, differs by steps, of which
 * the least seen is one. Of the last commits and the one that is judged. */
static double find_step(const struct past *p, double head)
{
	size_t n = p->n < ERRORS ? p->n : ERRORS, i;
	double sorted[ERRORS + 1], step = INFINITY, off;
	bool equal = false;

	memcpy(sorted, p->medians + p->n - n, n * sizeof(*sorted));
	sorted[n] = head;
	pn_quantile_sort(sorted, n + 1);
	for (i = 1; i <= n; i++) {
		off = sorted[i] - sorted[i - 1];
		equal |= !(off > ROUNDING);
		if (off > ROUNDING)
			step = fmin(step, off);
	}
	return equal && isfinite(step) ? step : 0;
}

static void release_past(struct past *past)
{
	free(past->medians);
	free(past->variances);
	free(past->segments);
}

/* Robust variance of n residuals about 0; `centres` were fitted. Where most
 * values are equal by rounding their deviation is not 0, but up to half of a
 * step. */
static double biweight(const double *residuals, size_t n, size_t centres,
		       double step)
{
	double mad = fmax(pn_stats_mad(residuals, n, 0), step / 2) + 1e-12;
	double above = 0;
	double below = 0, u, all = (double)n;
	size_t i;

	for (i = 0; i < n; i++) {
		u = residuals[i] / (9 * mad);
		u *= u;
		if (u >= 1)
			continue;
		above += residuals[i] * residuals[i] * pow(1 - u, 4);
		below += (1 - u) * (1 - 5 * u);
	}
	return all * all * above / fmax(below * below, 1e-300) /
	       fmax(all - (double)centres, 1);
}

/* The level that commit t of this segment is expected on. */
static void find_centre(struct centre *out, const struct past *p, size_t t,
			size_t segment, double sd)
{
	double values[PN_LATEST_BASE], weights[PN_LATEST_BASE], median, sum = 0;
	double squares = 0, away = 0;
	size_t i;

	*out = (struct centre){0, INFINITY, 0};
	for (i = t > PN_LATEST_BASE ? t - PN_LATEST_BASE : 0; i < t; i++) {
		if (p->segments[i] != segment)
			continue;
		values[out->count] = p->medians[i];
		weights[out->count++] =
			pow(0.5, (double)(t - 1 - i) / HALF_LIFE);
	}
	if (!out->count)
		return;
	median = pn_stats_median(values, out->count);
	for (i = 0; i < out->count; i++) {
		away += weights[i] *
			fmax(-MOST_AWAY * sd,
			     fmin(MOST_AWAY * sd, values[i] - median));
		sum += weights[i];
		squares += weights[i] * weights[i];
	}
	out->level = median + away / sum;
	out->share = squares / (sum * sum);
}

/* Median variance of the runs of the last commits. */
static double run_variance(const struct past *p, const double *logs, size_t n)
{
	double values[PN_LATEST_BASE];
	size_t i = p->n > PN_LATEST_BASE ? p->n - PN_LATEST_BASE : 0, count = 0;

	for (; i < p->n; i++)
		if (!isnan(p->variances[i]))
			values[count++] = p->variances[i];
	if (!count)
		return pn_stats_variance(logs, n);
	return MORE_RUN_NOISE * pn_stats_median(values, count);
}

/* The last commits about the medians of their segments, whose numbers only have
 * to be the same within one. */
struct rest {
	double values[ERRORS];
	size_t n, segments;
};

static void find_rest(struct rest *out, const struct past *p)
{
	size_t begin = p->n > ERRORS ? p->n - ERRORS : 0, i, k, count;
	double values[ERRORS] = {0};

	*out = (struct rest){.n = p->n - begin};
	for (i = begin; i < p->n; i++) {
		bool seen = false;

		for (count = 0, k = begin; k < p->n; k++)
			if (p->segments[k] == p->segments[i]) {
				seen = seen || k < i;
				values[count++] = p->medians[k];
			}
		out->segments += !seen;
		out->values[i - begin] =
			p->medians[i] - pn_stats_median(values, count);
	}
}

static double sd_in_segments(const struct past *p, double run_noise)
{
	struct rest rest;

	find_rest(&rest, p);
	return sqrt(fmax(biweight(rest.values, rest.n, rest.segments, p->step),
			 0.5 * run_noise));
}

/* What is known of a commit before its past is looked at. */
struct prior {
	double variance, df;
	bool few; /* nothing but few commits tells what they differ by */
};

/*
 * By sessions of one commit, or by its runs. Runs say nothing of what one
 * session differs from the next by: until enough commits do, the past's own
 * spread counts where it is larger. Of few that is the plain one: of three the
 * robust variance is that of two, and what lies far apart would be taken for
 * sure.
 */
static struct prior find_prior(const struct past *p, double run_noise,
			       double sd_prior)
{
	struct prior prior = {fmax(run_noise, sd_prior * sd_prior),
			      PRIOR_WEIGHT, false};
	struct rest rest;
	double squares = 0, spread;
	size_t i, df;

	if (sd_prior > 0)
		return prior;
	find_rest(&rest, p);
	df = rest.n - rest.segments;
	prior.few = df < LEAST_ERRORS;
	if (prior.variance > 0 && !prior.few)
		return prior;
	for (i = 0; i < rest.n; i++)
		squares += rest.values[i] * rest.values[i];
	if (df >= FEW)
		spread = biweight(rest.values, rest.n, rest.segments, p->step);
	else
		spread = df ? squares / (double)df : 0;
	if (spread < prior.variance)
		return prior;
	prior.variance = spread;
	if (df < FEW)
		prior.df = fmin((double)df, PRIOR_WEIGHT);
	return prior;
}

/* How well each of the last commits was foretold; their number. */
static size_t find_errors(double errors[ERRORS], const struct past *p,
			  double sd)
{
	size_t t = p->n > ERRORS ? p->n - ERRORS : 0, count = 0;
	struct centre centre;

	for (t = t < 2 ? 2 : t; t < p->n; t++) {
		find_centre(&centre, p, t, p->segments[t], sd);
		if (centre.count >= 2)
			errors[count++] = (p->medians[t] - centre.level) /
					  sqrt(1 + centre.share);
	}
	return count;
}

/* Where the deviation z stands among the earlier ones. */
static void rank(struct pn_latest *out, const double *errors, double z)
{
	size_t farther = 1, i;
	double side = z > 0 ? 1 : -1;

	out->worst = 0;
	for (i = 0; i < out->errors; i++) {
		farther += errors[i] * side >= z * side;
		out->worst = fmax(out->worst, errors[i] * side);
	}
	out->rank = out->errors >= LEAST_RANKED
			    ? (double)farther / (double)(out->errors + 1)
			    : 0;
}

static enum pn_verdict judge(const struct pn_latest *latest, double z,
			     const struct pn_latest_options *o)
{
	bool slower = z > 0,
	     large = pn_verdict_counts(latest->effect, o->min_effect);

	if (latest->p < P_SURE && fabs(z) > FARTHER * latest->worst &&
	    latest->errors >= LEAST_ERRORS && latest->base >= LEAST_BASE &&
	    large && fabs(o->session) <= MOST_SESSION)
		return slower ? PN_VERDICT_DEGRADATION
			      : PN_VERDICT_OPTIMIZATION;
	if (latest->p < P_MAYBE && latest->rank <= FLAG_RANK && large)
		return slower ? PN_VERDICT_MAYBE_DEGRADATION
			      : PN_VERDICT_MAYBE_OPTIMIZATION;
	return PN_VERDICT_NO_CHANGE;
}

static void compare_exactly(struct pn_latest *out, const struct past *p,
			    double head)
{
	out->method = PN_LATEST_EXACT;
	out->effect = expm1(head - p->medians[p->n - 1]);
	out->level = exp(p->medians[p->n - 1]);
	out->least_effect = EXACT_EFFECT;
	out->verdict = !pn_verdict_counts(out->effect, EXACT_EFFECT)
			       ? PN_VERDICT_NO_CHANGE
			       : (out->effect > 0 ? PN_VERDICT_DEGRADATION
						  : PN_VERDICT_OPTIMIZATION);
}

/* Of a commit, by the errors and what is known of them beforehand. */
static void find_sd(struct pn_latest *out, const double *errors,
		    const struct prior *prior, double step,
		    const struct pn_latest_options *o)
{
	double variance = 0, df = 0;

	if (out->errors >= 3) {
		variance = biweight(errors, out->errors, 0, step);
		df = fmax(ERROR_WEIGHT * (double)(out->errors - 1), 1);
	}
	out->df = fmax(prior->df + df, 1);
	variance = (prior->df * prior->variance + df * variance) / out->df;
	out->sd = fmax(sqrt(variance), o->min_effect / 8);
}

/* By how many standard errors a change is off that is flagged in 95 of 100
 * cases. Few commits hardly know their deviation, nor what is far from it. */
static double flag_and_power(const struct prior *prior, double df)
{
	return prior->few ? pn_stats_t_critical(0.02, df) +
				    pn_stats_t_critical(0.1, df)
			  : FLAG_AND_POWER;
}

/* What a comparison of builds begins with. */
static void find_duel(struct pn_latest *out, const struct pn_latest_options *o)
{
	double p = fmin(fmax(out->p_slower, 1e-300), 1 - 1e-16);

	out->start = pn_duel_futility_start(p);
	out->delta =
		fmax(o->min_effect, fmin(DELTA_SDS * out->sd, log(MOST_DELTA)));
}

static void compare(struct pn_latest *out, const struct past *p, double head,
		    double run_noise, const struct prior *prior,
		    const struct pn_latest_options *o)
{
	double errors[ERRORS] = {0}, sd = sd_in_segments(p, run_noise), z,
	       wider;
	struct centre centre;

	out->method = PN_LATEST_TEST;
	out->errors = find_errors(errors, p, sd);
	find_sd(out, errors, prior, p->step, o);
	find_centre(&centre, p, p->n, p->segments[p->n - 1], sd);
	wider = sqrt(1 + centre.share);
	z = head - centre.level;
	out->base = centre.count;
	out->level = exp(centre.level);
	out->effect = expm1(z);
	out->se = out->sd * wider;
	out->t = z / out->se;
	out->p_slower = pn_stats_t_upper(out->t, out->df);
	out->p = z > 0 ? out->p_slower : pn_stats_t_upper(-out->t, out->df);
	rank(out, errors, z / wider);
	out->flagged = z > 0 && out->p <= o->flag_p && out->rank <= FLAG_RANK;
	out->least_effect = expm1(flag_and_power(prior, out->df) * out->se);
	out->verdict = judge(out, z / wider, o);
	find_duel(out, o);
}

static bool is_constant(const double *values, size_t n)
{
	size_t i;

	for (i = 1; i < n; i++)
		if (values[i] != values[0])
			return false;
	return true;
}

void pn_latest_of(struct pn_latest *out, const struct pn_latest_commit *past,
		  size_t past_count, const double *runs, size_t count,
		  const struct pn_latest_options *o)
{
	double *logs = pn_realloc_array(NULL, count + 1, sizeof(*logs));
	double head = count ? median_log(logs, runs, count) : (double)NAN;
	struct prior prior;
	double run_noise;
	struct past p;

	*out = (struct pn_latest){.verdict = PN_VERDICT_UNKNOWN,
				  .level = NAN,
				  .effect = NAN,
				  .p = NAN,
				  .p_slower = NAN,
				  .rank = NAN,
				  .t = NAN,
				  .df = NAN,
				  .se = NAN,
				  .sd = NAN,
				  .run_variance = NAN,
				  .worst = NAN,
				  .least_effect = NAN,
				  .delta = NAN,
				  .start = NAN};
	read_past(&p, past, past_count);
	out->measured = p.n;
	p.step = count ? find_step(&p, head) : 0;
	if (count && p.n && (p.n >= 3 || o->sd_prior > 0)) {
		out->run_variance = run_variance(&p, logs, count);
		/* that of a median of so many */
		run_noise = acos(-1) / 2 * out->run_variance / (double)count;
		prior = find_prior(&p, run_noise, o->sd_prior);
		if (prior.variance <= 0 && is_constant(p.medians, p.n) &&
		    is_constant(logs, count))
			compare_exactly(out, &p, head);
		else
			compare(out, &p, head, run_noise, &prior, o);
	}
	release_past(&p);
	free(logs);
}
