/* Perun's checks by name. */
#include "analysis/checks/detector.h"

#include "analysis/diff/diff.h"
#include "analysis/diff/reports.h"
#include "base/alloc.h"
#include "base/bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is looked at of one function on one side. */
struct side {
	const struct pn_points *points;
	struct pn_fit best, line; /* of points over sizes */
	bool fitted, lined;
};

/* False: there is nothing to be said. */
typedef bool judge(struct pn_check_result *out, const struct side *before,
		   const struct side *after);

static void add_row(struct pn_detected *out, const char *uid, size_t len,
		    const struct pn_check_result *check)
{
	out->rows = pn_grow(out->rows, &out->cap, out->count + 1,
			    sizeof(*out->rows));
	out->rows[out->count++] = (struct pn_detected_row){
		pn_arena_copy(&out->arena, uid, len), *check};
}

void pn_detected_release(struct pn_detected *detected)
{
	free(detected->rows);
	pn_arena_release(&detected->arena);
	*detected = (struct pn_detected){.rows = NULL};
}

/* The best model, and the line; models that explain nothing do not count. */
static void fit(struct side *side)
{
	struct pn_fit fits[PN_REGRESSIONS];
	struct pn_regression_points points;
	size_t best, n = 0;
	int model;

	pn_regression_points_init(&points, side->points);
	for (model = 0; model < PN_REGRESSIONS; model++) {
		if (!pn_regression_fit(&fits[n], (enum pn_regression)model,
				       &points, 0, points.count))
			continue;
		if (model == PN_LINEAR) {
			side->line = fits[n];
			side->lined = true;
		}
		n++;
	}
	best = pn_regression_best(fits, n);
	if (best != SIZE_MAX && fits[best].r_square > 0) {
		side->best = fits[best];
		side->fitted = true;
	}
	pn_regression_points_release(&points);
}

static int cmp_uids(const struct pn_points *a, const struct pn_points *b)
{
	return pn_bytes_order(a->uid, a->uid_len, b->uid, b->uid_len);
}

static void judge_pair(struct pn_detected *out, struct pn_points *before,
		       struct pn_points *after, judge *how, bool by_size)
{
	struct side sides[] = {{.points = before}, {.points = after}};
	struct pn_check_result check = {.change = ""};

	if (by_size) {
		fit(&sides[0]);
		fit(&sides[1]);
	}
	if (how(&check, &sides[0], &sides[1]))
		add_row(out, before->uid, before->uid_len, &check);
}

/* What both have. */
static void judge_all(struct pn_detected *out, struct pn_points_list *a,
		      struct pn_points_list *b, judge *how, bool by_size)
{
	size_t i = 0, j = 0;

	while (i < a->count && j < b->count) {
		int order = cmp_uids(&a->items[i], &b->items[j]);

		if (!order)
			judge_pair(out, &a->items[i], &b->items[j], how,
				   by_size);
		i += order <= 0;
		j += order >= 0;
	}
}

/* What costs are called among the keys of a profile. */
static char *key_of_costs(const struct pn_profile *p)
{
	size_t type = pn_profile_default_type(p);
	struct pn_buf name = {0};

	if (!p->sample_count && !p->graph.node_count)
		return pn_strdup("value");
	pn_buf_printf(&name, "%s%s", p->sample_count ? "" : "self:",
		      type == SIZE_MAX
			      ? "amount"
			      : pn_profile_text(p, p->types[type].type));
	return pn_buf_detach(&name);
}

static int gather(struct pn_points_list *out, const struct pn_profile *p,
		  bool by_size, struct pn_error *err)
{
	char *costs = by_size ? NULL : key_of_costs(p);
	int code = pn_points_gather(out, p, costs, costs, err);

	free(costs);
	return code;
}

static int detect(struct pn_detected *out, const struct pn_profile *before,
		  const struct pn_profile *after, judge *how, bool by_size,
		  struct pn_error *err)
{
	struct pn_points_list a = {.items = NULL}, b = {.items = NULL};
	int code = gather(&a, before, by_size, err);

	if (!code)
		code = gather(&b, after, by_size, err);
	if (!code)
		judge_all(out, &a, &b, how, by_size);
	pn_points_release(&a);
	pn_points_release(&b);
	return code;
}

static bool average(struct pn_check_result *out, const struct side *a,
		    const struct side *b)
{
	pn_check_average(out, a->points->y, a->points->count, b->points->y,
			 b->points->count);
	return true;
}

static bool order(struct pn_check_result *out, const struct side *a,
		  const struct side *b)
{
	if (a->fitted && b->fitted)
		pn_check_order(out, &a->best, &b->best);
	return a->fitted && b->fitted;
}

static bool order_of_points(struct pn_check_result *out, const struct side *a,
			    const struct side *b)
{
	pn_check_order_of_points(out, a->points, b->points);
	return true;
}

static bool curves(struct pn_check_result *out, const struct side *a,
		   const struct side *b, enum pn_check_curves how)
{
	bool line = how == PN_CHECK_LINEAR;

	if (line ? !a->lined || !b->lined : !a->fitted || !b->fitted)
		return false;
	pn_check_curves(out, how, line ? &a->line : &a->best,
			line ? &b->line : &b->best);
	return true;
}

static bool linear(struct pn_check_result *out, const struct side *a,
		   const struct side *b)
{
	return curves(out, a, b, PN_CHECK_LINEAR);
}

static bool polynomial(struct pn_check_result *out, const struct side *a,
		       const struct side *b)
{
	return curves(out, a, b, PN_CHECK_POLYNOMIAL);
}

static bool fast(struct pn_check_result *out, const struct side *a,
		 const struct side *b)
{
	return curves(out, a, b, PN_CHECK_FAST);
}

static bool integral(struct pn_check_result *out, const struct side *a,
		     const struct side *b)
{
	struct pn_cost_curve x, y;

	if (!a->fitted || !b->fitted)
		return false;
	pn_cost_curve_of_fit(&x, &a->best);
	pn_cost_curve_of_fit(&y, &b->best);
	pn_check_integral(out, &x, &y);
	return true;
}

static bool statistics(struct pn_check_result *out, const struct side *a,
		       const struct side *b)
{
	enum pn_verdict windows[PN_CHECKS_WINDOWS];
	struct pn_cost_curve x, y;

	if (!a->fitted || !b->fitted)
		return false;
	pn_cost_curve_of_fit(&x, &a->best);
	pn_cost_curve_of_fit(&y, &b->best);
	pn_check_statistics(out, windows, &x, &y);
	return true;
}

/* Own costs of all functions, NaN for one that is not there. */
static void judge_outliers(struct pn_detected *out, const struct pn_diff *diff)
{
	size_t i, n = diff->row_count;
	double *before = pn_calloc(n + 1, sizeof(*before));
	double *after = pn_calloc(n + 1, sizeof(*after));
	struct pn_outlier *found = pn_calloc(n + 1, sizeof(*found));
	struct pn_check_result check;

	for (i = 0; i < n; i++) {
		const struct pn_diff_row *row = &diff->rows[i];

		before[i] = row->before ? row->old_self : (double)NAN;
		after[i] = row->after ? row->new_self : (double)NAN;
	}
	check = (struct pn_check_result){
		.verdict = pn_check_outliers(found, before, after, n),
		.rate = diff->old_sum > 0 ? (diff->new_sum - diff->old_sum) /
						    diff->old_sum
					  : (double)NAN,
		.confidence = (double)NAN,
		.change = ""};
	add_row(out, "[all]", 5, &check);
	for (i = 0; i < n; i++) {
		check = (struct pn_check_result){
			found[i].verdict, found[i].relative, (double)NAN, ""};
		add_row(out, diff->rows[i].name, strlen(diff->rows[i].name),
			&check);
	}
	free(before);
	free(after);
	free(found);
}

static int run_outliers(struct pn_detected *out, struct pn_profile *before,
			struct pn_profile *after, struct pn_error *err)
{
	const struct pn_report_options report = {.divide_by = 1};
	const struct pn_diff_options all = {.keep_equal = true};
	struct pn_diff_reports reports = {.failed = 0};
	struct pn_diff diff = {.rows = NULL};
	int code = pn_diff_reports_init(&reports, before, after, &report, err);

	if (!code)
		code = pn_diff_init(&diff, &reports.of[0], &reports.of[1], &all,
				    err);
	if (!code)
		judge_outliers(out, &diff);
	pn_diff_release(&diff);
	pn_diff_reports_release(&reports);
	return code;
}

static int run_average(struct pn_detected *out, struct pn_profile *before,
		       struct pn_profile *after, struct pn_error *err)
{
	return detect(out, before, after, average, false, err);
}

static int run_order(struct pn_detected *out, struct pn_profile *before,
		     struct pn_profile *after, struct pn_error *err)
{
	return detect(out, before, after, order, true, err);
}

static int run_order_of_points(struct pn_detected *out,
			       struct pn_profile *before,
			       struct pn_profile *after, struct pn_error *err)
{
	return detect(out, before, after, order_of_points, true, err);
}

static int run_polynomial(struct pn_detected *out, struct pn_profile *before,
			  struct pn_profile *after, struct pn_error *err)
{
	return detect(out, before, after, polynomial, true, err);
}

static int run_linear(struct pn_detected *out, struct pn_profile *before,
		      struct pn_profile *after, struct pn_error *err)
{
	return detect(out, before, after, linear, true, err);
}

static int run_fast(struct pn_detected *out, struct pn_profile *before,
		    struct pn_profile *after, struct pn_error *err)
{
	return detect(out, before, after, fast, true, err);
}

static int run_integral(struct pn_detected *out, struct pn_profile *before,
			struct pn_profile *after, struct pn_error *err)
{
	return detect(out, before, after, integral, true, err);
}

static int run_statistics(struct pn_detected *out, struct pn_profile *before,
			  struct pn_profile *after, struct pn_error *err)
{
	return detect(out, before, after, statistics, true, err);
}

static const struct pn_detector detectors[] = {
	{"average_amount_threshold", "means of twice or half as much",
	 run_average},
	{"best_model_order_equality", "models of another order", run_order},
	{"model_order_aicc", "models of another order, by AICc of the costs",
	 run_order_of_points},
	{"polynomial_regression", "what polynomial the difference is",
	 run_polynomial},
	{"linear_regression", "what the difference of lines is", run_linear},
	{"fast_check", "what model the difference is", run_fast},
	{"integral_comparison", "integrals of the models", run_integral},
	{"local_statistics", "statistics of parts of the models",
	 run_statistics},
	{"exclusive_time_outliers", "functions that differ more than others",
	 run_outliers},
};

const struct pn_detector *const pn_detectors[] = {
	&detectors[0], &detectors[1], &detectors[2], &detectors[3],
	&detectors[4], &detectors[5], &detectors[6], &detectors[7],
	&detectors[8], NULL};

const struct pn_detector *pn_detector_find(const char *name)
{
	size_t i;

	for (i = 0; pn_detectors[i]; i++)
		if (!strcmp(pn_detectors[i]->name, name))
			return pn_detectors[i];
	return NULL;
}

void pn_detector_names(struct pn_buf *out, const char *between)
{
	size_t i;

	for (i = 0; pn_detectors[i]; i++)
		pn_buf_printf(out, "%s%s", i ? between : "",
			      pn_detectors[i]->name);
}

int pn_detection_result(const struct pn_detection *d, unsigned int fail_on)
{
	bool known = false;
	size_t i, k;

	for (i = 0; i < d->count; i++)
		for (k = 0; k < d->items[i].found.count; k++) {
			enum pn_verdict v =
				d->items[i].found.rows[k].check.verdict;

			known |= v != PN_VERDICT_UNKNOWN;
			if (fail_on & 1u << v)
				return 1;
		}
	return known ? 0 : -1;
}
