/* Least squares against Perun's figures, and where these are wrong on purpose
 * or by rounding, against arithmetic. */
#include "analysis/post/regression.h"

#include "base/alloc.h"
#include "vectors.h"

#define TOLERANCE 1e-9 /* that of the vectors, relative */

struct series {
	struct pn_points points;
	struct pn_regression_plan plan;
	struct pn_fits fits;
};

static void set_plan(struct series *s, enum pn_regression_method method,
		     bool constant)
{
	size_t i;

	memset(&s->plan, 0, sizeof(s->plan));
	for (i = 0; i < PN_REGRESSIONS; i++)
		s->plan.wanted[i] = i != PN_CONSTANT || constant;
	s->plan.method = method;
	s->plan.steps = 3;
	s->plan.seed = 1;
}

static void set_points(struct series *s, const double *x, const double *y,
		       size_t n)
{
	memset(s, 0, sizeof(*s));
	s->points.uid = "f";
	s->points.uid_len = 1;
	s->points.x = pn_realloc_array(NULL, n + 1, sizeof(*x));
	s->points.y = pn_realloc_array(NULL, n + 1, sizeof(*y));
	memcpy(s->points.x, x, n * sizeof(*x));
	memcpy(s->points.y, y, n * sizeof(*y));
	s->points.count = n;
}

static void run(struct series *s, const double *x, const double *y, size_t n,
		enum pn_regression_method method, bool constant)
{
	set_points(s, x, y, n);
	set_plan(s, method, constant);
	pn_regression_run(&s->fits, &s->points, &s->plan);
}

static void release(struct series *s)
{
	free(s->points.x);
	free(s->points.y);
	pn_fits_release(&s->fits);
}

static bool near(double a, double b, double scale)
{
	return fabs(a - b) <= TOLERANCE * fmax(fmax(fabs(a), fabs(b)), scale);
}

static const struct pn_fit *find_fit(const struct series *s,
				     enum pn_regression model)
{
	size_t i;

	for (i = 0; i < s->fits.count; i++)
		if (s->fits.items[i].model == model)
			return &s->fits.items[i];
	fail_msg("there is no %s", pn_regression_names[model]);
	return NULL;
}

static enum pn_regression model_of(const struct pn_json_tree *v, size_t model)
{
	int i;

	for (i = 0; i < PN_REGRESSIONS; i++)
		if (pn_json_tree_is(v, vectors_member(v, model, "model"),
				    pn_regression_names[i]))
			break;
	assert_true(i < PN_REGRESSIONS);
	return (enum pn_regression)i;
}

static void same_fit(const char *name, const struct pn_fit *fit,
		     const struct pn_json_tree *v, size_t model, double r)
{
	size_t list = vectors_member(v, model, "coeffs"), at = list + 1, i;
	double largest = 0;

	for (i = 0; i < fit->b_count; i++)
		largest = fmax(largest, fabs(fit->b[i]));
	if (!near(fit->r_square, r, 1))
		fail_msg("%s, %s: r_square %.17g, Perun %.17g", name,
			 pn_regression_names[fit->model], fit->r_square, r);
	for (i = 0; pn_json_tree_event(v, at) == PN_JSON_OBJECT; i++) {
		double b = vectors_number(v, vectors_member(v, at, "value"));

		assert_true(i < fit->b_count);
		/* what is 0 but for rounding has no digits to compare */
		if (!near(fit->b[i], b, 1e-3 * largest))
			fail_msg("%s, %s: b%zu %.17g, Perun %.17g", name,
				 pn_regression_names[fit->model], i, fit->b[i],
				 b);
		at = pn_json_tree_end(v, at);
	}
	assert_int_equal(i, fit->b_count);
	assert_true(fit->x_start ==
		    vectors_number(v, vectors_member(v, model, "x_start")));
	assert_true(fit->x_end ==
		    vectors_number(v, vectors_member(v, model, "x_end")));
}

struct vector {
	const char *name, *method;
	double x[64], y[64];
	size_t n, models; /* item of the list, 0: Perun failed */
};

static bool is_case(const struct vector *c, const char *name)
{
	return !strcmp(c->name, name);
}

/* Of a series that does not vary Perun says r² 1 for the parabola, by 0/0; of
 * the constant see regression.h. */
static double expected_r(const struct vector *c, const struct series *s,
			 const struct pn_json_tree *v, size_t model)
{
	enum pn_regression which = model_of(v, model);

	if (which == PN_CONSTANT)
		return 1 - find_fit(s, PN_LINEAR)->r_square;
	if (is_case(c, "constant_exact"))
		return 0;
	return vectors_number(v, vectors_member(v, model, "r_square"));
}

static void check_full(const struct vector *c, const struct pn_json_tree *v)
{
	struct series s;
	size_t at, n = 0;

	run(&s, c->x, c->y, c->n, PN_REGRESSION_FULL, true);
	for (at = c->models + 1; pn_json_tree_event(v, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(v, at), n++)
		same_fit(c->name, find_fit(&s, model_of(v, at)), v, at,
			 expected_r(c, &s, v, at));
	assert_int_equal(n, s.fits.count);
	release(&s);
}

/* Perun's own best ones, which never are the constant; it stands beside a line
 * that is best. */
static void check_parts(const struct vector *c, const struct pn_json_tree *v,
			enum pn_regression_method method)
{
	struct series s;
	size_t at, n = 0;

	run(&s, c->x, c->y, c->n, method, false);
	for (at = c->models + 1; pn_json_tree_event(v, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(v, at)) {
		enum pn_regression which = model_of(v, at);

		if (which == PN_CONSTANT)
			continue;
		assert_true(n < s.fits.count);
		if (which != s.fits.items[n].model)
			fail_msg("%s, part %zu: %s, Perun %s", c->name, n,
				 pn_regression_names[s.fits.items[n].model],
				 pn_regression_names[which]);
		same_fit(c->name, &s.fits.items[n++], v, at,
			 vectors_number(v, vectors_member(v, at, "r_square")));
	}
	assert_int_equal(n, s.fits.count);
	release(&s);
}

/*
 * Not compared: x and y that are large beside their spread, of which Perun's
 * sums keep too few digits (r² of 1.016); points that Perun gives up because
 * one half or part is too small; repeated x, which it cannot divide by. They
 * have tests of their own below.
 */
static bool is_comparable(const struct vector *c, const struct pn_json_tree *v,
			  bool full)
{
	if (is_case(c, "big_numbers") || !c->models ||
	    pn_json_tree_event(v, c->models + 1) != PN_JSON_OBJECT)
		return false;
	return full || !(is_case(c, "constant_exact") ||
			 is_case(c, "zero_x_and_zero_y"));
}

static void finds_what_perun_finds(void **state)
{
	struct pn_json_tree v = {0};
	size_t at, compared = 0, len;

	(void)state;
	vectors_read(&v, "perun_regression.json");
	for (at = vectors_member(&v, 0, "cases") + 1;
	     pn_json_tree_event(&v, at) == PN_JSON_OBJECT;
	     at = pn_json_tree_end(&v, at)) {
		struct vector c;
		char name[64], method[64];

		snprintf(name, sizeof(name), "%s",
			 pn_json_tree_text(&v, vectors_member(&v, at, "case"),
					   &len));
		name[len] = '\0';
		snprintf(method, sizeof(method), "%s",
			 pn_json_tree_text(&v, vectors_member(&v, at, "method"),
					   &len));
		method[len] = '\0';
		c.name = name;
		c.method = method;
		c.n = vectors_numbers(c.x, 64, &v, vectors_member(&v, at, "x"));
		assert_int_equal(vectors_numbers(c.y, 64, &v,
						 vectors_member(&v, at, "y")),
				 c.n);
		c.models = vectors_find(&v, at, "models");
		if (!is_comparable(&c, &v, !strcmp(method, "full")))
			continue;
		compared++;
		if (!strcmp(method, "full"))
			check_full(&c, &v);
		else
			check_parts(&c, &v,
				    !strcmp(method, "interval")
					    ? PN_REGRESSION_INTERVAL
					    : PN_REGRESSION_BISECTION);
	}
	assert_true(compared >= 25);
	pn_json_tree_release(&v);
}

static void bends_where_the_points_do(void **state)
{
	double x[64], y[64];
	struct series s;
	size_t i;

	(void)state;
	/* 10 + x up to 31, then a parabola that continues it: both exact */
	for (i = 0; i < 64; i++) {
		x[i] = (double)i;
		y[i] = i < 32 ? 10 + x[i]
			      : 10 + x[i] + (x[i] - 31) * (x[i] - 31);
	}
	run(&s, x, y, 64, PN_REGRESSION_BISECTION, true);
	assert_int_equal(s.fits.count, 2);
	assert_int_equal(s.fits.items[0].model, PN_LINEAR);
	assert_true(s.fits.items[0].x_start == 0 &&
		    s.fits.items[0].x_end == 31);
	assert_true(near(s.fits.items[0].b[0], 10, 1));
	assert_true(near(s.fits.items[0].b[1], 1, 1));
	assert_int_equal(s.fits.items[1].model, PN_QUADRATIC);
	assert_true(s.fits.items[1].x_start == 32);
	/* 10 + x + x² - 62 x + 961 */
	assert_true(near(s.fits.items[1].b[0], 971, 1));
	assert_true(near(s.fits.items[1].b[1], -61, 1));
	assert_true(near(s.fits.items[1].b[2], 1, 1));
	release(&s);
}

/* Perun has no model for these: halves or parts of fewer than 3 points. */
static void keeps_the_whole_where_a_half_is_too_small(void **state)
{
	const double x[] = {1, 2, 3, 4, 5}, y[] = {3, 5, 7, 9, 11};
	struct series s;

	(void)state;
	run(&s, x, y, 5, PN_REGRESSION_BISECTION, true);
	assert_int_equal(s.fits.count, 1);
	assert_int_equal(s.fits.items[0].model, PN_LINEAR);
	assert_true(s.fits.items[0].r_square == 1);
	release(&s);
	run(&s, x, y, 5, PN_REGRESSION_INTERVAL, true);
	assert_int_equal(s.fits.count, 0);
	assert_int_equal(s.fits.too_small, 3);
	release(&s);
}

static void the_best_model_is_constant_where_nothing_else_explains(void **state)
{
	const double x[] = {1, 2, 3, 4, 5, 6, 7, 8};
	const double flat[] = {9, 9, 9, 9, 9, 9, 9, 9};
	const double noisy[] = {9, 8, 10, 9, 9, 10, 8, 9};
	/* (x - 4.5)²: no line explains it, and yet it depends on x */
	const double bowl[] = {12.25, 6.25, 2.25, .25, .25, 2.25, 6.25, 12.25};
	struct series s;

	(void)state;
	run(&s, x, flat, 8, PN_REGRESSION_BISECTION, true);
	assert_int_equal(s.fits.count, 1);
	assert_int_equal(s.fits.items[0].model, PN_CONSTANT);
	assert_true(s.fits.items[0].b[0] == 9 && s.fits.items[0].r_square == 1);
	release(&s);
	run(&s, x, noisy, 8, PN_REGRESSION_ITERATIVE, true);
	assert_int_equal(s.fits.items[0].model, PN_CONSTANT);
	release(&s);
	run(&s, x, bowl, 8, PN_REGRESSION_FULL, true);
	assert_true(near(find_fit(&s, PN_CONSTANT)->r_square, 1, 1));
	assert_int_equal(
		s.fits.items[pn_regression_best(s.fits.items, s.fits.count)]
			.model,
		PN_QUADRATIC);
	release(&s);
}

/* The same measurement in ns and in s. */
static void units_change_nothing(void **state)
{
	double x[20], y[20], scaled[20];
	struct series a, b;
	size_t i;

	(void)state;
	for (i = 0; i < 20; i++) {
		x[i] = (double)i + 1;
		y[i] = 5 + 3 * x[i] + (double)(i * 7 % 5);
		scaled[i] = y[i] * 1e-9;
	}
	run(&a, x, y, 20, PN_REGRESSION_FULL, true);
	run(&b, x, scaled, 20, PN_REGRESSION_FULL, true);
	assert_int_equal(a.fits.count, PN_REGRESSIONS);
	assert_int_equal(b.fits.count, PN_REGRESSIONS);
	for (i = 0; i < PN_REGRESSIONS; i++)
		assert_true(near(a.fits.items[i].r_square,
				 b.fits.items[i].r_square, 1));
	release(&a);
	release(&b);
}

static void repeated_and_equal_x_are_no_trouble(void **state)
{
	const double two[] = {1, 1, 2, 2}, y[] = {1, 3, 5, 7};
	const double one[] = {7, 7, 7, 7};
	struct series s;

	(void)state;
	/* means 2 and 6 at 1 and 2: y = -2 + 4 x; squares 4 x 1 of 4 + 16 */
	run(&s, two, y, 4, PN_REGRESSION_FULL, true);
	assert_int_equal(s.fits.count, PN_REGRESSIONS - 1); /* no parabola */
	assert_true(near(find_fit(&s, PN_LINEAR)->b[0], -2, 1));
	assert_true(near(find_fit(&s, PN_LINEAR)->b[1], 4, 1));
	assert_true(near(find_fit(&s, PN_LINEAR)->r_square, 0.8, 1));
	release(&s);
	run(&s, one, y, 4, PN_REGRESSION_FULL, true);
	assert_int_equal(s.fits.count, 1);
	assert_int_equal(s.fits.items[0].model, PN_CONSTANT);
	assert_true(s.fits.items[0].b[0] == 4);
	release(&s);
}

/* A million points whose best model changes at every half would be halved 18
 * times; in any case it ends soon (ctest's limit is a minute). */
static void a_million_points_are_halved(void **state)
{
	size_t n = 1000000, i;
	double *x = pn_realloc_array(NULL, n, sizeof(*x));
	double *y = pn_realloc_array(NULL, n, sizeof(*y));
	struct series s;

	(void)state;
	for (i = 0; i < n; i++) {
		x[i] = (double)(n - i);
		y[i] = (double)(i * 2654435761u % 1000) + sqrt(x[i]);
	}
	run(&s, x, y, n, PN_REGRESSION_BISECTION, true);
	assert_true(s.fits.count >= 1);
	for (i = 1; i < s.fits.count; i++)
		assert_true(s.fits.items[i].x_start >
			    s.fits.items[i - 1].x_end);
	release(&s);
	free(x);
	free(y);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bends_where_the_points_do),
		cmocka_unit_test(keeps_the_whole_where_a_half_is_too_small),
		cmocka_unit_test(
			the_best_model_is_constant_where_nothing_else_explains),
		cmocka_unit_test(units_change_nothing),
		cmocka_unit_test(repeated_and_equal_x_are_no_trouble),
		cmocka_unit_test(a_million_points_are_halved),
		cmocka_unit_test(finds_what_perun_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
