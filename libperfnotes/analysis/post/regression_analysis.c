/* The postprocessor regression-analysis: formulas for each uid. */
#include "analysis/models.h"
#include "analysis/post/points.h"
#include "analysis/post/postprocess.h"
#include "analysis/post/regression.h"

#include <string.h>

#define MAX_STEPS 100 /* each part is looked at once a step */

/* In the order of enum pn_regression_method; as a profile says them. */
static const char *const methods[] = {
	"full", "iterative", "interval", "initial_guess", "bisection", NULL,
};

static const struct pn_option options[] = {
	{"method", "full|iterative|interval|initial-guess|bisection",
	 "which points get models (full)"},
	{"models", "<name>[,<name>...]",
	 "constant, linear, logarithmic, quadratic, power, exponential (all)"},
	{"of", "<key>", "what is modelled (amount, else the default value)"},
	{"depending-on", "<key>", "the variable (structure-unit-size)"},
	{"steps", "<n>", "parts, of interval, iterative, initial-guess (3)"},
	{"seed", "<n>", "of the random order, of the last two (1)"},
	{0},
};

static int read_models(bool *wanted, const char *list, struct pn_error *err)
{
	size_t i, len;

	for (; *list; list += len + (list[len] == ',')) {
		len = strcspn(list, ",");
		for (i = 0; i < PN_REGRESSIONS; i++)
			if (strlen(pn_regression_names[i]) == len &&
			    !memcmp(pn_regression_names[i], list, len))
				break;
		if (i == PN_REGRESSIONS)
			return pn_error_set(
				err, PN_EINVAL,
				"no model '%.*s'; there are: constant, linear, "
				"logarithmic, quadratic, power, exponential, "
				"or all",
				(int)len, list);
		wanted[i] = true;
	}
	return 0;
}

static int read_settings(struct pn_regression_plan *out,
			 const struct pn_post *post, struct pn_error *err)
{
	const char *list = pn_post_text(post, "models", "all");
	size_t method = 0, i;
	uint64_t steps = 3;
	int code;

	memset(out, 0, sizeof(*out));
	out->seed = 1;
	for (i = 0; i < PN_REGRESSIONS && !strcmp(list, "all"); i++)
		out->wanted[i] = true;
	code = pn_post_choice(&method, post, "method", methods, 0, err);
	if (!code)
		code = pn_post_count(&steps, post, "steps", 1, MAX_STEPS, err);
	if (!code)
		code = pn_post_count(&out->seed, post, "seed", 0, UINT64_MAX,
				     err);
	if (!code && strcmp(list, "all") != 0)
		code = read_models(out->wanted, list, err);
	out->method = (enum pn_regression_method)method;
	out->steps = (size_t)steps;
	return code;
}

static int check(const struct pn_post *post, struct pn_error *err)
{
	struct pn_regression_plan plan;

	return read_settings(&plan, post, err);
}

static void write_params(struct pn_json_writer *w,
			 const struct pn_regression_plan *plan)
{
	enum pn_regression_method method = plan->method;
	size_t i;

	pn_json_member(w, "method", methods[method]);
	pn_json_key(w, "regression_models");
	pn_json_open(w, '[');
	for (i = 0; i < PN_REGRESSIONS; i++)
		if (plan->wanted[i])
			pn_json_string(w, pn_regression_names[i]);
	pn_json_close(w, ']');
	if (method != PN_REGRESSION_FULL && method != PN_REGRESSION_BISECTION)
		pn_json_member_int(w, "steps", (int64_t)plan->steps);
	if (method == PN_REGRESSION_ITERATIVE ||
	    method == PN_REGRESSION_INITIAL_GUESS) {
		pn_json_key(w, "seed");
		pn_json_uint(w, plan->seed);
	}
}

static void add_fit(struct pn_profile *profile, const struct pn_points *points,
		    const struct pn_fit *fit, const char *method)
{
	static const char *const names[] = {"b0", "b1", "b2"};
	struct pn_model_draft draft;
	size_t i;

	pn_model_open(&draft, points, pn_regression_names[fit->model],
		      fit->r_square, fit->x_start, fit->x_end);
	pn_json_member(&draft.json, "method", method);
	pn_json_key(&draft.json, "coeffs");
	pn_json_open(&draft.json, '[');
	for (i = 0; i < fit->b_count && i < 3; i++) {
		pn_json_open(&draft.json, '{');
		pn_json_member(&draft.json, "name", names[i]);
		pn_json_member_double(&draft.json, "value", fit->b[i]);
		pn_json_close(&draft.json, '}');
	}
	pn_json_close(&draft.json, ']');
	pn_model_add(profile, &draft);
}

static void note_missing(struct pn_post_notes *notes,
			 const struct pn_points *points,
			 const struct pn_regression_plan *plan,
			 const struct pn_fits *fits)
{
	size_t n = points->count, steps = plan->steps;

	if (n < PN_REGRESSION_MIN_POINTS)
		pn_post_note(notes, "%s: %zu point%s, a model needs %d",
			     points->uid, n, n == 1 ? "" : "s",
			     PN_REGRESSION_MIN_POINTS);
	else if (fits->too_small)
		pn_post_note(notes,
			     "%s: %zu points in %zu parts leave %zu with "
			     "fewer than %d",
			     points->uid, n, steps, fits->too_small,
			     PN_REGRESSION_MIN_POINTS);
	else if (!fits->count)
		pn_post_note(notes,
			     "%s: none of the models fits %zu points (all x "
			     "equal, or no logarithms)",
			     points->uid, n);
}

static int apply(struct pn_profile *profile, const struct pn_post *post,
		 struct pn_json_writer *params, struct pn_post_notes *notes,
		 struct pn_error *err)
{
	struct pn_points_list list = {0};
	struct pn_regression_plan plan;
	size_t i, k;
	int code = read_settings(&plan, post, err);

	if (!code)
		code = pn_post_points(&list, profile, post, params, notes, err);
	if (code)
		return code;
	write_params(params, &plan);
	for (i = 0; i < list.count; i++) {
		struct pn_points *points = &list.items[i];
		struct pn_fits fits = {0};

		pn_regression_run(&fits, points, &plan);
		for (k = 0; k < fits.count; k++)
			add_fit(profile, points, &fits.items[k],
				methods[plan.method]);
		note_missing(notes, points, &plan, &fits);
		pn_fits_release(&fits);
	}
	pn_points_release(&list);
	return 0;
}

const struct pn_postprocessor pn_post_regression_analysis = {
	.name = "regression-analysis",
	.key = "regression_analysis",
	.summary = "formulas: how an amount depends on a size",
	.options = options,
	.check = check,
	.apply = apply,
};
