/*
 * Least squares. Draper & Smith, Applied Regression Analysis, 3rd ed. (1998);
 * sums by the corrected two-pass algorithm (Chan, Golub & LeVeque, Am. Stat.
 * 37, 1983).
 */
#include "analysis/post/regression.h"

#include "base/alloc.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIE 1e-12    /* r² that are nearer to each other are equal */
#define FLAT 1e-10   /* a share of x² that is no more than rounding */
#define EXPLAINS 0.5 /* of the variance: more than the constant leaves */

const char *const pn_regression_names[PN_REGRESSIONS + 1] = {
	[PN_EXPONENTIAL] = "exponential", [PN_LINEAR] = "linear",
	[PN_LOGARITHMIC] = "logarithmic", [PN_POWER] = "power",
	[PN_QUADRATIC] = "quadratic",	  [PN_CONSTANT] = "constant",
	[PN_REGRESSIONS] = NULL,
};

void pn_regression_points_init(struct pn_regression_points *out,
			       const struct pn_points *points)
{
	size_t i, n = points->count;
	double *logs = pn_realloc_array(NULL, 2 * n, sizeof(*logs));

	*out = (struct pn_regression_points){points->x, points->y, logs,
					     logs + n, n};
	for (i = 0; i < n; i++) {
		logs[i] = points->x[i] > 0 ? log(points->x[i]) : (double)NAN;
		logs[n + i] =
			points->y[i] > 0 ? log(points->y[i]) : (double)NAN;
	}
}

void pn_regression_points_release(struct pn_regression_points *points)
{
	free(points->ln_x);
	memset(points, 0, sizeof(*points));
}

/* Two variables of n points; either may be NaN, then the point is none. */
struct pairs {
	const double *u, *v;
	size_t count;
};

/* Sums of deviations, each divided by the largest of its kind. */
struct sums {
	size_t n;
	double u_mean, v_mean, u_scale, v_scale;
	double uu, uv, vv;
};

static bool is_point(const struct pairs *p, size_t i)
{
	return !isnan(p->u[i]) && !isnan(p->v[i]);
}

/* Means, counted from the first point on, and the largest deviations. */
static void add_means(struct sums *s, const struct pairs *p)
{
	double u = 0, v = 0, u_first = 0, v_first = 0;
	size_t i;

	for (i = 0; i < p->count; i++) {
		if (!is_point(p, i))
			continue;
		if (!s->n++) {
			u_first = p->u[i];
			v_first = p->v[i];
		}
		u += p->u[i] - u_first;
		v += p->v[i] - v_first;
	}
	if (!s->n)
		return;
	s->u_mean = u_first + u / (double)s->n;
	s->v_mean = v_first + v / (double)s->n;
	for (i = 0; i < p->count; i++) {
		if (!is_point(p, i))
			continue;
		s->u_scale = fmax(s->u_scale, fabs(p->u[i] - s->u_mean));
		s->v_scale = fmax(s->v_scale, fabs(p->v[i] - s->v_mean));
	}
	/* what is left of values that are all the same is rounding */
	if (s->u_scale <= 4 * DBL_EPSILON * fabs(s->u_mean))
		s->u_scale = 0;
	if (s->v_scale <= 4 * DBL_EPSILON * fabs(s->v_mean))
		s->v_scale = 0;
}

static double scaled(double value, double mean, double scale)
{
	return scale > 0 ? (value - mean) / scale : 0;
}

static struct sums sums_of(const struct pairs *p)
{
	struct sums s = {0};
	double u_sum = 0, v_sum = 0;
	size_t i;

	add_means(&s, p);
	for (i = 0; i < p->count; i++) {
		double u, v;

		if (!is_point(p, i))
			continue;
		u = scaled(p->u[i], s.u_mean, s.u_scale);
		v = scaled(p->v[i], s.v_mean, s.v_scale);
		u_sum += u;
		v_sum += v;
		s.uu += u * u;
		s.uv += u * v;
		s.vv += v * v;
	}
	if (s.n) {
		s.uu -= u_sum * u_sum / (double)s.n;
		s.uv -= u_sum * v_sum / (double)s.n;
		s.vv -= v_sum * v_sum / (double)s.n;
	}
	return s;
}

static double share(double explained, double all)
{
	double r = all > 0 ? explained / all : 0;

	return r < 0 ? 0 : r > 1 ? 1 : r;
}

/* v = b0 + b1 u. */
static bool fit_line(struct pn_fit *out, const struct pairs *p)
{
	struct sums s = sums_of(p);
	double slope;

	if (s.n < PN_REGRESSION_MIN_POINTS || !(s.uu > 0))
		return false;
	slope = s.uv / s.uu;
	out->n = s.n;
	out->b_count = 2;
	out->b[1] = slope * s.v_scale / s.u_scale;
	out->b[0] = s.v_mean - out->b[1] * s.u_mean;
	out->r_square = share(slope * s.uv, s.vv);
	return true;
}

/* b0 is the mean, b1 is 0: what Perun gives it. */
static bool fit_constant(struct pn_fit *out, const struct pairs *p)
{
	struct sums s = sums_of(p);

	if (s.n < PN_REGRESSION_MIN_POINTS)
		return false;
	out->n = s.n;
	out->b_count = 2;
	out->b[0] = s.v_mean;
	out->b[1] = 0;
	out->r_square = 1 - (s.uu > 0 ? share(s.uv * s.uv / s.uu, s.vv) : 0);
	return true;
}

/*
 * v = c1 u + c2 w with w = u² - mean(u²) - k u, k such that u and w are
 * orthogonal: the two terms are found one by one, and no determinant loses its
 * digits. Then back to powers of x.
 */
static bool fit_quadratic(struct pn_fit *out, const struct pairs *p)
{
	struct sums s = sums_of(p);
	double m, k, ww = 0, wv = 0, c1, c2, u3 = 0, u4 = 0;
	size_t i;

	if (s.n < PN_REGRESSION_MIN_POINTS || !(s.uu > 0))
		return false;
	m = s.uu / (double)s.n;
	for (i = 0; i < p->count; i++) {
		double u = scaled(p->u[i], s.u_mean, s.u_scale);

		u3 += u * u * u;
		u4 += (u * u - m) * (u * u - m);
	}
	k = u3 / s.uu;
	for (i = 0; i < p->count; i++) {
		double u = scaled(p->u[i], s.u_mean, s.u_scale);
		double w = u * u - m - k * u;

		ww += w * w;
		wv += w * scaled(p->v[i], s.v_mean, s.v_scale);
	}
	if (!(ww > FLAT * (u4 + s.uu)))
		return false; /* two values of x: no parabola is theirs */
	c1 = s.uv / s.uu;
	c2 = wv / ww;
	out->n = s.n;
	out->b_count = 3;
	out->r_square = share(c1 * s.uv + c2 * wv, s.vv);
	c1 = (c1 - c2 * k) / s.u_scale;
	c2 = c2 / s.u_scale / s.u_scale;
	out->b[2] = c2 * s.v_scale;
	out->b[1] = (c1 - 2 * c2 * s.u_mean) * s.v_scale;
	out->b[0] = s.v_mean - c2 * s.u_scale * s.u_scale * m * s.v_scale -
		    (c1 - c2 * s.u_mean) * s.u_mean * s.v_scale;
	return true;
}

static void set_interval(struct pn_fit *out, const double *x, size_t count)
{
	size_t i;

	out->x_start = out->x_end = x[0];
	for (i = 1; i < count; i++) {
		out->x_start = fmin(out->x_start, x[i]);
		out->x_end = fmax(out->x_end, x[i]);
	}
}

bool pn_regression_fit(struct pn_fit *out, enum pn_regression model,
		       const struct pn_regression_points *points, size_t first,
		       size_t count)
{
	bool log_x = model == PN_LOGARITHMIC || model == PN_POWER;
	bool log_y = model == PN_EXPONENTIAL || model == PN_POWER;
	struct pairs p = {(log_x ? points->ln_x : points->x) + first,
			  (log_y ? points->ln_y : points->y) + first, count};
	struct pn_fit fit = {.model = model};
	size_t i;

	if (count < PN_REGRESSION_MIN_POINTS)
		return false;
	if (!(model == PN_CONSTANT    ? fit_constant(&fit, &p)
	      : model == PN_QUADRATIC ? fit_quadratic(&fit, &p)
				      : fit_line(&fit, &p)))
		return false;
	if (log_y)
		fit.b[0] = exp(fit.b[0]);
	if (model == PN_EXPONENTIAL)
		fit.b[1] = exp(fit.b[1]);
	for (i = 0; i < fit.b_count; i++)
		if (!isfinite(fit.b[i]))
			return false;
	if (log_y && !(fit.b[0] > 0 && (log_x || fit.b[1] > 0)))
		return false; /* it came to nothing */
	set_interval(&fit, points->x + first, count);
	*out = fit;
	return true;
}

size_t pn_regression_best(const struct pn_fit *fits, size_t count)
{
	size_t best = SIZE_MAX, constant = SIZE_MAX, i;

	for (i = 0; i < count; i++) {
		if (fits[i].model == PN_CONSTANT)
			constant = i;
		else if (best == SIZE_MAX ||
			 fits[i].r_square > fits[best].r_square + TIE)
			best = i;
	}
	if (constant == SIZE_MAX ||
	    (best != SIZE_MAX &&
	     (fits[best].r_square > EXPLAINS ||
	      fits[best].r_square >= fits[constant].r_square)))
		return best;
	return constant;
}

void pn_fits_release(struct pn_fits *fits)
{
	if (!fits)
		return;
	free(fits->items);
	memset(fits, 0, sizeof(*fits));
}
