/*
 * The postprocessor kernel-regression: a smooth curve, each point of it an
 * average of the amounts around, weighed by a kernel of the distance (Nadaraya,
 * Theory Probab. Appl. 9, 1964; Watson, Sankhya A 26, 1964) or a line fitted
 * with these weights (Fan & Gijbels, Local Polynomial Modelling, 1996). All
 * kernels are scaled to a variance of 1, so that one bandwidth means the same
 * for each.
 *
 * Bandwidths: Scott's sd n^(-1/5) and Silverman's sd (3n/4)^(-1/5), as scipy's
 * gaussian_kde has them for one dimension. Perun reads the name from a key that
 * does not exist and takes Scott's in any case.
 *
 * Up to EXACT_POINTS the curve is computed at each point, in O(n²). More are
 * put on a grid first, each shared by its two neighbours there, and the curve
 * is that of the grid (linear binning: Fan & Marron, J. Comput. Graph. Stat. 3,
 * 1994).
 */
#include "analysis/models.h"
#include "analysis/post/points.h"
#include "analysis/post/postprocess.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_POINTS 2000
#define GRID 1000      /* intervals of it */
#define SINGULAR 1e-10 /* of a local line's determinant, relative */

enum smoother { NADARAYA_WATSON, LOCAL_LINEAR };
enum kernel { GAUSSIAN, EPANECHNIKOV, TRICUBE };
enum rule { SCOTT, SILVERMAN };

struct settings {
	enum smoother smoother;
	enum kernel kernel;
	enum rule rule;
	double bandwidth; /* 0: by the rule */
};

static const char *const smoothers[] = {"nadaraya-watson", "local-linear",
					NULL};
/* What Perun calls them. */
static const char *const perun_smoothers[] = {"spatial-average",
					      "local-linear"};
static const char *const kernels[] = {"gaussian", "epanechnikov", "tricube",
				      NULL};
static const char *const perun_kernels[] = {"normal", "epanechnikov",
					    "tricube"};
static const char *const rules[] = {"scott", "silverman", NULL};

static const struct pn_option options[] = {
	{"method", "nadaraya-watson|local-linear",
	 "a weighed mean or line (nadaraya-watson)"},
	{"kernel", "gaussian|epanechnikov|tricube",
	 "how weight falls with distance (gaussian)"},
	{"bandwidth", "<number>|scott|silverman",
	 "standard deviation of the kernel, or a rule (scott)"},
	{"of", "<key>", "what is modelled (amount, else the default value)"},
	{"depending-on", "<key>", "the variable (structure-unit-size)"},
	{0},
};

static int read_settings(struct settings *out, const struct pn_post *post,
			 struct pn_error *err)
{
	const char *width = pn_post_text(post, "bandwidth", "scott");
	size_t smoother = 0, kernel = 0, rule = 0;
	int code;

	memset(out, 0, sizeof(*out));
	code = pn_post_choice(&smoother, post, "method", smoothers, 0, err);
	if (!code)
		code = pn_post_choice(&kernel, post, "kernel", kernels, 0, err);
	if (!code && (*width == 's' || *width == 'S'))
		code = pn_post_choice(&rule, post, "bandwidth", rules, 0, err);
	else if (!code)
		code = pn_post_number(&out->bandwidth, post, "bandwidth", 0,
				      false, err);
	out->smoother = (enum smoother)smoother;
	out->kernel = (enum kernel)kernel;
	out->rule = (enum rule)rule;
	return code;
}

static int check(const struct pn_post *post, struct pn_error *err)
{
	struct settings settings;

	return read_settings(&settings, post, err);
}

/* Up to a factor; u is the distance in bandwidths. */
static double weight(enum kernel kernel, double u)
{
	double t;

	switch (kernel) {
	case EPANECHNIKOV: /* its variance on -1 ... 1 is 1/5 */
		t = u * u / 5;
		return t < 1 ? 1 - t : 0;
	case TRICUBE: /* 35/243 */
		t = fabs(u) * sqrt(35.0 / 243);
		t = t < 1 ? 1 - t * t * t : 0;
		return t * t * t;
	default:
		return exp(-u * u / 2);
	}
}

/* Masses m of y at x; those of points are 1. */
struct masses {
	const double *x, *y, *m;
	size_t count;
};

/*
 * The curve at `at`; NaN where no mass has weight. Distances count in
 * bandwidths from there, so that the local line's determinant is about numbers
 * near 1; where one place has all the weight there is no line, but its mean.
 */
static double smooth(const struct masses *p, const struct settings *s,
		     double bandwidth, double at)
{
	double w0 = 0, w1 = 0, w2 = 0, y0 = 0, y1 = 0, determinant;
	size_t i;

	for (i = 0; i < p->count; i++) {
		double u = (p->x[i] - at) / bandwidth;
		double w = p->m[i] > 0 ? p->m[i] * weight(s->kernel, u) : 0;

		if (!(w > 0))
			continue;
		w0 += w;
		w1 += w * u;
		w2 += w * u * u;
		y0 += w * p->y[i];
		y1 += w * u * p->y[i];
	}
	if (!(w0 > 0))
		return (double)NAN;
	determinant = w0 * w2 - w1 * w1;
	if (s->smoother == LOCAL_LINEAR && determinant > SINGULAR * w0 * w2)
		return (w2 * y0 - w1 * y1) / determinant;
	return y0 / w0;
}

static double rule_of_thumb(enum rule rule, const double *x, size_t n)
{
	double range = x[n - 1] - x[0], mean = 0, squares = 0, d;
	size_t i;

	for (i = 0; i < n; i++)
		mean += (x[i] - x[0]) / range;
	mean /= (double)n;
	for (i = 0; i < n; i++) {
		d = (x[i] - x[0]) / range - mean;
		squares += d * d;
	}
	return sqrt(squares / (double)(n - 1)) * range *
	       pow(rule == SCOTT ? (double)n : 0.75 * (double)n, -0.2);
}

/* One curve: at the points, or on a grid. */
struct curve {
	double *values;
	size_t count;
	double *fitted; /* at the points */
};

static void at_points(struct curve *out, const struct pn_points *points,
		      const struct settings *s, double bandwidth)
{
	size_t n = points->count, i;
	double *ones = pn_realloc_array(NULL, n, sizeof(*ones));
	struct masses masses = {points->x, points->y, ones, n};

	for (i = 0; i < n; i++)
		ones[i] = 1;
	for (i = 0; i < n; i++) /* its own weight is never 0 */
		out->fitted[i] = smooth(&masses, s, bandwidth, points->x[i]);
	memcpy(out->values, out->fitted, n * sizeof(*out->values));
	out->count = n;
	free(ones);
}

/* Where a point is on the grid: left neighbour and share of the right one. */
static size_t place(double *right, const struct pn_points *points, size_t i)
{
	double first = points->x[0], last = points->x[points->count - 1];
	double at = (points->x[i] - first) / (last - first) * GRID;
	size_t left = (size_t)at;

	if (left >= GRID)
		left = GRID - 1;
	*right = at - (double)left;
	return left;
}

/* Gaps that no mass reaches get a straight line between their ends. */
static void bridge(double *values, size_t count)
{
	size_t i, from = 0;

	for (i = 1; i < count; i++) {
		size_t k;

		if (isnan(values[i]))
			continue;
		for (k = from + 1; k < i; k++)
			values[k] = values[from] + (values[i] - values[from]) *
							   (double)(k - from) /
							   (double)(i - from);
		from = i;
	}
}

static void on_grid(struct curve *out, const struct pn_points *points,
		    const struct settings *s, double bandwidth)
{
	double *m = pn_calloc(3 * (GRID + 1), sizeof(*m)), right;
	double *x = m + GRID + 1, *y = x + GRID + 1;
	double first = points->x[0];
	double step = (points->x[points->count - 1] - first) / GRID;
	struct masses masses = {x, y, m, GRID + 1};
	size_t i, left;

	for (i = 0; i < points->count; i++) {
		left = place(&right, points, i);
		m[left] += 1 - right;
		y[left] += (1 - right) * points->y[i];
		m[left + 1] += right;
		y[left + 1] += right * points->y[i];
	}
	for (i = 0; i <= GRID; i++) {
		x[i] = first + (double)i * step;
		y[i] = m[i] > 0 ? y[i] / m[i] : 0;
	}
	for (i = 0; i <= GRID; i++)
		out->values[i] = smooth(&masses, s, bandwidth, x[i]);
	bridge(out->values, GRID + 1);
	for (i = 0; i < points->count; i++) {
		left = place(&right, points, i);
		out->fitted[i] = out->values[left] * (1 - right) +
				 out->values[left + 1] * right;
	}
	out->count = GRID + 1;
	free(m);
}

static bool is_finite(const struct curve *curve)
{
	size_t i;

	for (i = 0; i < curve->count; i++)
		if (!isfinite(curve->values[i]))
			return false;
	return true;
}

static void write_model(struct pn_profile *profile,
			const struct pn_points *points,
			const struct settings *s, const struct curve *curve,
			double bandwidth, const char *per)
{
	size_t n = points->count;
	struct pn_model_draft draft;

	pn_model_open(&draft, points, "kernel_regression",
		      pn_points_r_square(points->y, curve->fitted, n),
		      points->x[0], points->x[n - 1]);
	pn_json_member(&draft.json, "kernel_mode", "smoothing");
	pn_json_member(&draft.json, "kernel_type", perun_kernels[s->kernel]);
	pn_json_member(&draft.json, "smoothing_method",
		       perun_smoothers[s->smoother]);
	pn_json_member_double(&draft.json, "bandwidth", bandwidth);
	pn_json_member(&draft.json, "per_key", per);
	pn_model_buckets(&draft, curve->values, curve->count);
	pn_model_add(profile, &draft);
}

static void add_curve(struct pn_profile *profile,
		      const struct pn_points *points,
		      const struct pn_points_list *list, const void *settings,
		      struct pn_post_notes *notes)
{
	const struct settings *s = settings;
	size_t n = points->count, room = n > EXACT_POINTS ? GRID + 1 : n;
	double bandwidth = s->bandwidth;
	struct curve curve = {0};

	if (n < 2 || !(points->x[n - 1] > points->x[0])) {
		pn_post_note(notes,
			     "%s: %zu point%s of one x, a curve needs "
			     "two",
			     points->uid, n, n == 1 ? "" : "s");
		return;
	}
	if (!(bandwidth > 0))
		bandwidth = rule_of_thumb(s->rule, points->x, n);
	curve.values = pn_realloc_array(NULL, room + n, sizeof(double));
	curve.fitted = curve.values + room;
	if (n > EXACT_POINTS)
		on_grid(&curve, points, s, bandwidth);
	else
		at_points(&curve, points, s, bandwidth);
	if (is_finite(&curve))
		write_model(profile, points, s, &curve, bandwidth, list->per);
	else
		pn_post_note(notes, "%s: no curve with a bandwidth of %g",
			     points->uid, bandwidth);
	free(curve.values);
}

static void write_params(struct pn_json_writer *w, const void *settings)
{
	const struct settings *s = settings;

	pn_json_member(w, "kernel_mode", "smoothing");
	pn_json_member(w, "kernel_type", perun_kernels[s->kernel]);
	pn_json_member(w, "smoothing_method", perun_smoothers[s->smoother]);
	if (s->bandwidth > 0)
		pn_json_member_double(w, "bandwidth_value", s->bandwidth);
	else
		pn_json_member(w, "bandwidth_method", rules[s->rule]);
}

static int apply(struct pn_profile *profile, const struct pn_post *post,
		 struct pn_json_writer *params, struct pn_post_notes *notes,
		 struct pn_error *err)
{
	struct settings s;
	const struct pn_post_each each = {&s, write_params, add_curve};
	int code = read_settings(&s, post, err);

	return code ? code
		    : pn_post_each_points(profile, post, params, notes, &each,
					  err);
}

const struct pn_postprocessor pn_post_kernel_regression = {
	.name = "kernel-regression",
	.key = "kernel_regression",
	.summary = "a smooth curve, by kernels",
	.options = options,
	.check = check,
	.apply = apply,
};
