/*
 * The postprocessor moving-average: the course of an amount over x, each point
 * averaged with its neighbours. Windows count points, as pandas' rolling and
 * ewm do. Perun takes the default width from the range of x, as if that were a
 * number of points, searches from there with a formula that ends at width 1,
 * and keeps what it found for all later functions; here it is a share of the
 * points of each.
 */
#include "analysis/models.h"
#include "analysis/post/points.h"
#include "analysis/post/postprocess.h"
#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SHARE 0.05 /* of the points */
#define LEAST_WIDTH 3	   /* by default: less averages nothing */
#define MAX_WIDTH 100000000

enum method { SMA, SMM, EMA };

struct settings {
	enum method method;
	uint64_t width; /* 0: a share of the points */
	uint64_t least; /* values that an average needs */
	bool centred;
	double alpha; /* of EMA; NaN: of a span of the width */
};

static const char *const methods[] = {"sma", "smm", "ema", NULL};
static const char *const answers[] = {"yes", "no", "true", "false", NULL};

static const struct pn_option options[] = {
	{"method", "sma|smm|ema",
	 "mean, median or exponentially weighted mean (sma)"},
	{"of", "<key>", "what is modelled (amount, else the default value)"},
	{"depending-on", "<key>", "the variable (structure-unit-size)"},
	{"window", "<n>", "points of a window (5 % of all, at least 3)"},
	{"min-periods", "<n>", "points that an average needs (1)"},
	{"center", "yes|no", "the window reaches to both sides (yes)"},
	{"alpha", "<number>", "ema: weight of the newest, up to 1"},
	{"com", "<number>", "ema: centre of mass, alpha = 1/(1 + com)"},
	{"span", "<number>", "ema: alpha = 2/(span + 1) (the window)"},
	{"halflife", "<number>", "ema: alpha = 1 - exp(-ln 2/halflife)"},
	{0},
};

/* One of four ways to say how fast old values lose weight. */
static int read_decay(struct settings *out, const struct pn_post *post,
		      struct pn_error *err)
{
	double com = (double)NAN, span = (double)NAN, half = (double)NAN;
	int code;

	out->alpha = (double)NAN;
	code = pn_post_number(&out->alpha, post, "alpha", 0, false, err);
	if (!code && out->alpha > 1)
		code = pn_error_set(err, PN_EINVAL, "alpha is at most 1");
	if (!code)
		code = pn_post_number(&com, post, "com", 0, true, err);
	if (!code)
		code = pn_post_number(&span, post, "span", 1, true, err);
	if (!code)
		code = pn_post_number(&half, post, "halflife", 0, false, err);
	if (!code &&
	    !isnan(out->alpha) + !isnan(com) + !isnan(span) + !isnan(half) > 1)
		code = pn_error_set(err, PN_EINVAL,
				    "alpha, com, span and halflife exclude "
				    "each other");
	if (!isnan(com))
		out->alpha = 1 / (1 + com);
	if (!isnan(span))
		out->alpha = 2 / (span + 1);
	if (!isnan(half))
		out->alpha = -expm1(-log(2) / half);
	return code;
}

static int read_settings(struct settings *out, const struct pn_post *post,
			 struct pn_error *err)
{
	size_t method = 0, answer = 0;
	int code;

	memset(out, 0, sizeof(*out));
	out->least = 1;
	code = pn_post_choice(&method, post, "method", methods, 0, err);
	if (!code)
		code = pn_post_choice(&answer, post, "center", answers, 0, err);
	if (!code)
		code = pn_post_count(&out->width, post, "window", 1, MAX_WIDTH,
				     err);
	if (!code)
		code = pn_post_count(&out->least, post, "min-periods", 1,
				     MAX_WIDTH, err);
	if (!code)
		code = read_decay(out, post, err);
	if (!code && out->width && out->least > out->width)
		code = pn_error_set(err, PN_EINVAL,
				    "min-periods is above the window");
	out->method = (enum method)method;
	out->centred = answer % 2 == 0;
	return code;
}

static int check(const struct pn_post *post, struct pn_error *err)
{
	struct settings settings;

	return read_settings(&settings, post, err);
}

/* The points of the window of point i: first ... end - 1. pandas' centred
 * window of an even width reaches one farther back. */
static void window_of(size_t *first, size_t *end, const struct settings *s,
		      size_t width, size_t n, size_t i)
{
	size_t ahead = s->centred ? (width - 1) / 2 : 0;
	size_t back = width - 1 - ahead;

	*first = i > back ? i - back : 0;
	*end = ahead < n - i ? i + ahead + 1 : n;
}

/*
 * Sums of windows without subtracting anything: running sums to the right and
 * to the left that start anew every `width` points (van Herk, Pattern Recogn.
 * Lett. 13, 1992). A window touches two such blocks at most.
 */
static void average(double *out, const double *y, size_t n,
		    const struct settings *s, size_t width)
{
	double *right = pn_realloc_array(NULL, 2 * n, sizeof(*right));
	double *left = right + n;
	size_t i, first, end;

	for (i = 0; i < n; i++)
		right[i] = y[i] + (i % width ? right[i - 1] : 0);
	for (i = n; i-- > 0;)
		left[i] =
			y[i] + ((i + 1) % width && i + 1 < n ? left[i + 1] : 0);
	for (i = 0; i < n; i++) {
		double sum;

		window_of(&first, &end, s, width, n, i);
		if (first % width == 0)
			sum = right[end - 1];
		else if (first / width == (end - 1) / width)
			sum = left[first]; /* up to the last point of all */
		else
			sum = left[first] + right[end - 1];
		out[i] = sum / (double)(end - first);
	}
	free(right);
}

/* How many values of each rank are in the window: Fenwick, Softw. Pract.
 * Exper. 24 (1994). */
struct ranks {
	uint32_t *counts; /* from 1 on */
	size_t size, top; /* top: the largest power of two within */
};

static void count_rank(struct ranks *r, size_t rank, int by)
{
	for (rank++; rank <= r->size; rank += rank & (~rank + 1))
		r->counts[rank] += (uint32_t)by;
}

/* The rank of the k-th smallest, k from 0 on. */
static size_t rank_at(const struct ranks *r, size_t k)
{
	size_t at = 0, step;

	for (step = r->top; step; step /= 2)
		if (at + step <= r->size && r->counts[at + step] <= k) {
			at += step;
			k -= r->counts[at];
		}
	return at;
}

struct ranked {
	double value;
	size_t at;
};

static int by_value(const void *a, const void *b)
{
	const struct ranked *l = a, *r = b;

	if (l->value != r->value)
		return l->value < r->value ? -1 : 1;
	return l->at < r->at ? -1 : l->at > r->at;
}

/* O(n log n) whatever the width. */
static void medians(double *out, const double *y, size_t n,
		    const struct settings *s, size_t width)
{
	struct ranked *sorted = pn_realloc_array(NULL, n, sizeof(*sorted));
	size_t *rank_of = pn_realloc_array(NULL, n, sizeof(*rank_of));
	struct ranks r = {pn_calloc(n + 1, sizeof(*r.counts)), n, 1};
	size_t i, first, end, have_first = 0, have_end = 0;

	while (r.top * 2 <= n)
		r.top *= 2;
	for (i = 0; i < n; i++)
		sorted[i] = (struct ranked){y[i], i};
	qsort(sorted, n, sizeof(*sorted), by_value);
	for (i = 0; i < n; i++)
		rank_of[sorted[i].at] = i;
	for (i = 0; i < n; i++) {
		size_t count;

		window_of(&first, &end, s, width, n, i);
		for (; have_end < end; have_end++)
			count_rank(&r, rank_of[have_end], 1);
		for (; have_first < first; have_first++)
			count_rank(&r, rank_of[have_first], -1);
		count = end - first;
		out[i] = sorted[rank_at(&r, count / 2)].value;
		if (count % 2 == 0)
			out[i] = (sorted[rank_at(&r, count / 2 - 1)].value +
				  out[i]) /
				 2;
	}
	free(r.counts);
	free(rank_of);
	free(sorted);
}

/* pandas' ewm(adjust=True): weights of old values fall by 1 - alpha, and all
 * are divided by their sum. */
static void decay(double *out, const double *y, size_t n, double alpha)
{
	double sum = 0, weights = 0;
	size_t i;

	for (i = 0; i < n; i++) {
		sum = y[i] + (1 - alpha) * sum;
		weights = 1 + (1 - alpha) * weights;
		out[i] = sum / weights;
	}
}

/* The points that have an average: those with enough others around. */
static void shown(size_t *first, size_t *end, const struct settings *s,
		  size_t width, size_t n)
{
	size_t from, to;

	*first = 0;
	*end = n;
	if (s->method == EMA) {
		*first = s->least > n ? n : (size_t)s->least - 1;
		return;
	}
	for (; *first < n; ++*first) {
		window_of(&from, &to, s, width, n, *first);
		if (to - from >= s->least)
			break;
	}
	for (; *end > *first; --*end) {
		window_of(&from, &to, s, width, n, *end - 1);
		if (to - from >= s->least)
			break;
	}
}

static size_t default_width(size_t n)
{
	size_t width = (size_t)((double)n * DEFAULT_SHARE);

	return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

static void add_curve(struct pn_profile *profile,
		      const struct pn_points *points,
		      const struct pn_points_list *list, const void *settings,
		      struct pn_post_notes *notes)
{
	const struct settings *s = settings;
	size_t n = points->count, width = (size_t)s->width, first, end;
	double *curve = pn_realloc_array(NULL, n, sizeof(*curve)), alpha;
	struct pn_model_draft draft;

	if (!width)
		width = default_width(n);
	alpha = isnan(s->alpha) ? 2 / ((double)width + 1) : s->alpha;
	if (s->method == EMA)
		decay(curve, points->y, n, alpha);
	else
		(s->method == SMM ? medians : average)(curve, points->y, n, s,
						       width);
	shown(&first, &end, s, width, n);
	if (first >= end) {
		pn_post_note(notes, "%s: %zu point%s, an average needs %llu",
			     points->uid, n, n == 1 ? "" : "s",
			     (unsigned long long)s->least);
		free(curve);
		return;
	}
	pn_model_open(&draft, points, "moving_average",
		      pn_points_r_square(points->y + first, curve + first,
					 end - first),
		      points->x[first], points->x[end - 1]);
	pn_json_member(&draft.json, "moving_method", methods[s->method]);
	if (s->method == EMA)
		pn_json_member_double(&draft.json, "alpha", alpha);
	else
		pn_json_member_int(&draft.json, "window_width", (int64_t)width);
	pn_json_member(&draft.json, "per_key", list->per);
	pn_model_buckets(&draft, curve + first, end - first);
	pn_model_add(profile, &draft);
	free(curve);
}

static void write_params(struct pn_json_writer *w, const void *settings)
{
	const struct settings *s = settings;

	pn_json_member(w, "moving_method", methods[s->method]);
	if (s->width)
		pn_json_member_int(w, "window_width", (int64_t)s->width);
	if (s->method == EMA)
		pn_json_member_double(w, "alpha", s->alpha);
	pn_json_member_int(w, "min_periods", (int64_t)s->least);
	if (s->method != EMA) {
		pn_json_key(w, "center");
		pn_json_bool(w, s->centred);
	}
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

const struct pn_postprocessor pn_post_moving_average = {
	.name = "moving-average",
	.key = "moving_average",
	.summary = "a curve: each point averaged with its neighbours",
	.options = options,
	.check = check,
	.apply = apply,
};
