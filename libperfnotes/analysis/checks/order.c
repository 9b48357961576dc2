/* The checks of orders: how costs grow with the size of the input. */
#include "analysis/checks/checks.h"

#include <math.h>
#include <string.h>

#define SURE 0.9    /* r² of a model whose order counts */
#define EXACT 1e-24 /* of the mean square: residuals of rounding */

static const struct pn_check_result unknown = {
	.verdict = PN_VERDICT_UNKNOWN,
	.rate = (double)NAN,
	.confidence = (double)NAN,
	.change = "",
};

static int order_of(enum pn_regression model)
{
	static const int orders[PN_REGRESSIONS] = {
		[PN_CONSTANT] = 0,  [PN_LOGARITHMIC] = 1, [PN_LINEAR] = 2,
		[PN_QUADRATIC] = 3, [PN_POWER] = 4,	  [PN_EXPONENTIAL] = 5,
	};

	return orders[model];
}

void pn_check_order(struct pn_check_result *out, const struct pn_fit *baseline,
		    const struct pn_fit *target)
{
	int by = order_of(target->model) - order_of(baseline->model);

	*out = unknown;
	out->confidence = fmin(baseline->r_square, target->r_square);
	out->rate = fabs((double)by);
	if (!(out->confidence >= SURE))
		return;
	out->verdict = by > 0	? PN_VERDICT_DEGRADATION
		       : by < 0 ? PN_VERDICT_OPTIMIZATION
				: PN_VERDICT_NO_CHANGE;
}

/* What the models of one side are worth; infinite for those without a fit. */
struct side {
	double aicc[PN_REGRESSIONS];
	enum pn_regression best;
};

static double aicc_of(const struct pn_fit *fit, const struct pn_points *points)
{
	double n = (double)points->count, k = (double)fit->b_count + 1;
	double squares = 0, costs = 0;
	struct pn_cost_curve curve;
	size_t i;

	pn_cost_curve_of_fit(&curve, fit);
	for (i = 0; i < points->count; i++) {
		squares += pow(points->y[i] -
				       pn_cost_curve_at(&curve, points->x[i]),
			       2);
		costs += points->y[i] * points->y[i];
	}
	squares = fmax(squares, EXACT * costs);
	if (!isfinite(squares))
		return (double)INFINITY;
	if (squares <= 0)
		squares = EXACT;
	return n * log(squares / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1);
}

static void judge_models(struct side *out, const struct pn_points *points)
{
	struct pn_regression_points with_logs;
	struct pn_fit fit;
	int i;

	pn_regression_points_init(&with_logs, points);
	out->best = PN_CONSTANT;
	for (i = 0; i < PN_REGRESSIONS; i++) {
		out->aicc[i] = (double)INFINITY;
		if (pn_regression_fit(&fit, (enum pn_regression)i, &with_logs,
				      0, points->count))
			out->aicc[i] = aicc_of(&fit, points);
	}
	for (i = 0; i < PN_REGRESSIONS; i++)
		if (out->aicc[i] < out->aicc[out->best])
			out->best = (enum pn_regression)i;
	pn_regression_points_release(&with_logs);
}

void pn_check_order_of_points(struct pn_check_result *out,
			      const struct pn_points *baseline,
			      const struct pn_points *target)
{
	struct side before, after;
	const struct side *higher;
	enum pn_regression other;
	int by;

	*out = unknown;
	if (baseline->count < PN_CHECKS_MIN_POINTS ||
	    target->count < PN_CHECKS_MIN_POINTS)
		return;
	judge_models(&before, baseline);
	judge_models(&after, target);
	by = order_of(after.best) - order_of(before.best);
	higher = by > 0 ? &after : &before;
	other = by > 0 ? before.best : after.best;
	out->rate = fabs((double)by);
	out->confidence =
		by ? higher->aicc[other] - higher->aicc[higher->best] : 0;
	out->verdict = !by || !(out->confidence >= PN_CHECKS_AICC)
			       ? PN_VERDICT_NO_CHANGE
		       : by > 0 ? PN_VERDICT_DEGRADATION
				: PN_VERDICT_OPTIMIZATION;
}
