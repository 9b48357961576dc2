/*
 * The postprocessor regressogram: x in bins of equal width, each with the mean
 * or median of its amounts (Tukey, Curves as parameters, 1961).
 *
 * How many bins: as numpy's histogram_bin_edges documents its estimators. Each
 * of them gives a width, and the range divided by it, rounded up, is the number
 * of bins. Perun takes the width itself for the number: 1000 points get 91,165
 * bins. A bin without points carries on the value of the one before it, where
 * Perun has 0, as if the function had cost nothing.
 */
#include "analysis/models.h"
#include "analysis/post/points.h"
#include "analysis/post/postprocess.h"
#include "base/alloc.h"
#include "model/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BINS 10000

enum bins { AUTO, DOANE, FD, RICE, SCOTT, SQRT, STURGES };
enum statistic { MEAN, MEDIAN };

struct settings {
	enum bins rule;
	uint64_t count; /* 0: by the rule */
	enum statistic statistic;
};

static const char *const rules[] = {
	"auto", "doane", "fd", "rice", "scott", "sqrt", "sturges", NULL,
};
static const char *const statistics[] = {"mean", "median", NULL};

static const struct pn_option options[] = {
	{"bins", "<n>|auto|doane|fd|rice|scott|sqrt|sturges",
	 "number of bins, or numpy's rule for it (doane)"},
	{"statistic", "mean|median", "what a bin is worth (mean)"},
	{"of", "<key>", "what is modelled (amount, else the default value)"},
	{"depending-on", "<key>", "the variable (structure-unit-size)"},
	{0},
};

static int read_settings(struct settings *out, const struct pn_post *post,
			 struct pn_error *err)
{
	const char *bins = pn_post_text(post, "bins", "doane");
	size_t rule = DOANE, statistic = MEAN;
	int code;

	memset(out, 0, sizeof(*out));
	if (*bins >= '0' && *bins <= '9')
		code = pn_post_count(&out->count, post, "bins", 1, MAX_BINS,
				     err);
	else
		code = pn_post_choice(&rule, post, "bins", rules, DOANE, err);
	if (!code)
		code = pn_post_choice(&statistic, post, "statistic", statistics,
				      MEAN, err);
	out->rule = (enum bins)rule;
	out->statistic = (enum statistic)statistic;
	return code;
}

static int check(const struct pn_post *post, struct pn_error *err)
{
	struct settings settings;

	return read_settings(&settings, post, err);
}

/* Of n sorted values that are not all equal. */
struct spread {
	double n, range, sd, iqr, skew;
};

static struct spread spread_of(const double *x, size_t n)
{
	struct spread s = {(double)n, x[n - 1] - x[0], 0, 0, 0};
	double mean = 0, squares = 0, cubes = 0, d;
	size_t i;

	for (i = 0; i < n; i++)
		mean += (x[i] - x[0]) / s.range;
	mean /= s.n; /* of the range, as are the deviations */
	for (i = 0; i < n; i++) {
		d = (x[i] - x[0]) / s.range - mean;
		squares += d * d;
		cubes += d * d * d;
	}
	s.sd = sqrt(squares / s.n) * s.range;
	s.skew = cubes / s.n / pow(squares / s.n, 1.5);
	s.iqr = pn_summary_quantile(x, n, 0.75) -
		pn_summary_quantile(x, n, 0.25);
	return s;
}

static double width_by(enum bins rule, const struct spread *s)
{
	double fd = 2 * s->iqr / cbrt(s->n);
	double sturges = s->range / (log2(s->n) + 1);
	double error;

	switch (rule) {
	case DOANE: /* Doane, Am. Stat. 30 (1976) */
		if (s->n <= 2)
			return 0;
		error = sqrt(6 * (s->n - 2) / ((s->n + 1) * (s->n + 3)));
		return s->range /
		       (1 + log2(s->n) + log2(1 + fabs(s->skew) / error));
	case FD: /* Freedman & Diaconis, Z. Wahrsch. 57 (1981) */
		return fd;
	case RICE:
		return s->range / (2 * cbrt(s->n));
	case SCOTT: /* Scott, Biometrika 66 (1979) */
		return s->sd * cbrt(24 * sqrt(acos(-1)) / s->n);
	case SQRT:
		return s->range / sqrt(s->n);
	case STURGES: /* Sturges, J. Am. Stat. Assoc. 21 (1926) */
		return sturges;
	default:
		return fd > 0 ? fmin(fd, sturges) : sturges;
	}
}

/* Never more bins than points: the others would be empty. */
static size_t bin_count(const struct settings *s, const double *x, size_t n)
{
	struct spread spread;
	double width, count;

	if (!(x[n - 1] > x[0]))
		return 1;
	if (s->count)
		return (size_t)s->count;
	spread = spread_of(x, n);
	width = width_by(s->rule, &spread);
	count = width > 0 ? ceil(spread.range / width) : 1;
	return count > (double)n ? n : count < 1 ? 1 : (size_t)count;
}

/* The bin of x: those whose lower edge, as numpy's linspace has it, is not
 * above it; the last one has its upper edge, too. */
static size_t bin_of(double x, double first, double last, size_t bins)
{
	double step = (last - first) / (double)bins;
	size_t bin = last > first ? (size_t)((x - first) / step) : 0;

	if (bin >= bins)
		bin = bins - 1;
	if (bin && x < first + (double)bin * step)
		return bin - 1;
	if (bin + 1 < bins && x >= first + (double)(bin + 1) * step)
		return bin + 1;
	return bin;
}

static double statistic_of(enum statistic statistic, double *y, size_t n)
{
	double sum = 0;
	size_t i;

	if (statistic == MEDIAN) {
		pn_summary_sort(y, n);
		return pn_summary_quantile(y, n, 0.5);
	}
	for (i = 0; i < n; i++)
		sum += y[i];
	return sum / (double)n;
}

/* The bins' values, and each point's. The points are sorted by x. */
static void fill(double *bins, size_t count, double *fitted,
		 const struct pn_points *points, enum statistic statistic)
{
	double first = points->x[0], last = points->x[points->count - 1];
	double *y = pn_realloc_array(NULL, points->count, sizeof(*y));
	size_t i, from = 0, bin, k;

	for (bin = 0; bin < count; bin++) {
		for (i = from; i < points->count; i++)
			if (bin_of(points->x[i], first, last, count) != bin)
				break;
		memcpy(y, points->y + from, (i - from) * sizeof(*y));
		bins[bin] = i > from  ? statistic_of(statistic, y, i - from)
			    : bin > 0 ? bins[bin - 1]
				      : 0;
		for (k = from; k < i; k++)
			fitted[k] = bins[bin];
		from = i;
	}
	free(y);
}

static void add_bins(struct pn_profile *profile, const struct pn_points *points,
		     const struct pn_points_list *list, const void *settings,
		     struct pn_post_notes *notes)
{
	const struct settings *s = settings;
	size_t n = points->count, count = bin_count(s, points->x, n), i;
	double *bins = pn_realloc_array(NULL, count + n, sizeof(*bins));
	double *fitted = bins + count, least = points->y[0];
	struct pn_model_draft draft;

	(void)notes;
	fill(bins, count, fitted, points, s->statistic);
	for (i = 1; i < n; i++)
		least = fmin(least, points->y[i]);
	pn_model_open(&draft, points, "regressogram",
		      pn_points_r_square(points->y, fitted, n), points->x[0],
		      points->x[n - 1]);
	pn_json_member_double(&draft.json, "y_start", least);
	pn_json_member(&draft.json, "buckets_method",
		       s->count ? "user" : rules[s->rule]);
	pn_json_member(&draft.json, "statistic_function",
		       statistics[s->statistic]);
	pn_json_member(&draft.json, "per_key", list->per);
	pn_json_member(&draft.json, "of_key", list->of);
	pn_model_buckets(&draft, bins, count);
	pn_model_add(profile, &draft);
	free(bins);
}

static void write_params(struct pn_json_writer *w, const void *settings)
{
	const struct settings *s = settings;

	if (s->count)
		pn_json_member_int(w, "bucket_number", (int64_t)s->count);
	else
		pn_json_member(w, "bucket_method", rules[s->rule]);
	pn_json_member(w, "statistic_function", statistics[s->statistic]);
}

static int apply(struct pn_profile *profile, const struct pn_post *post,
		 struct pn_json_writer *params, struct pn_post_notes *notes,
		 struct pn_error *err)
{
	struct settings s;
	const struct pn_post_each each = {&s, write_params, add_bins};
	int code = read_settings(&s, post, err);

	return code ? code
		    : pn_post_each_points(profile, post, params, notes, &each,
					  err);
}

const struct pn_postprocessor pn_post_regressogram = {
	.name = "regressogram",
	.key = "regressogram",
	.summary = "steps: the mean or median of each bin of sizes",
	.options = options,
	.check = check,
	.apply = apply,
};
