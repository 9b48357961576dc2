/* How many times longer one command takes than another, and what is said. */
#include "analysis/measured/ratio.h"
#include "render/measured/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool near(double value, double expected)
{
	return fabs(value / expected - 1) < 1e-9;
}

/* Of 8 over 4 = 70 orders one has no pair the wrong way round: 1.4 %; with the
 * next one it would be 2.9 %. So the interval has all 16 quotients. */
static void four_runs_a_side_are_enough(void **state)
{
	const double a[] = {1, 2, 3, 4}, b[] = {10, 20, 30, 40};
	struct pn_ratio r;

	(void)state;
	pn_ratio_of(&r, a, 4, b, 4);
	assert_true(near(r.value, 25 / 2.5));
	assert_true(near(r.low, 10.0 / 4) && near(r.high, 40.0 / 1));
	assert_true(pn_ratio_differs(&r));
	pn_ratio_of(&r, b, 4, a, 4);
	assert_true(near(r.low, 1.0 / 40) && near(r.high, 4.0 / 10));
	assert_true(pn_ratio_differs(&r));
	/* one of 20 orders is 5 % */
	pn_ratio_of(&r, a, 3, b, 3);
	assert_true(near(r.value, 10));
	assert_true(isnan(r.low) && isnan(r.high));
	assert_false(pn_ratio_differs(&r));
}

/*
 * Tables of Mann and Whitney's U (two sides, .05) have 2 for 5 and 5: the third
 * quotient from both ends. b[j] / a[i] is 2^(5 + j - i): one is 2, two are 4;
 * one is 512, two are 256.
 */
static void takes_the_quotients_that_the_test_of_ranks_names(void **state)
{
	const double a[] = {1, 2, 4, 8, 16}, b[] = {32, 64, 128, 256, 512};
	struct pn_ratio r;

	(void)state;
	pn_ratio_of(&r, a, 5, b, 5);
	assert_true(near(r.value, 32));
	assert_true(near(r.low, 4) && near(r.high, 256));
}

/* Beside equal values: 1 to 10 and the same, U of the table is 23. The 24th of
 * 100 quotients, and the 24th from above, are each other's inverse. */
static void equal_runs_do_not_differ(void **state)
{
	double a[10], all[100], swap;
	struct pn_ratio r;
	size_t i, k;

	(void)state;
	for (i = 0; i < 10; i++)
		a[i] = (double)(i + 1);
	for (i = 0; i < 100; i++)
		all[i] = a[i / 10] / a[i % 10];
	for (i = 0; i < 100; i++)
		for (k = i; k > 0 && all[k - 1] > all[k]; k--) {
			swap = all[k];
			all[k] = all[k - 1];
			all[k - 1] = swap;
		}
	pn_ratio_of(&r, a, 10, a, 10);
	assert_true(near(r.value, 1));
	assert_true(near(r.low, all[23]) && near(r.high, all[76]));
	assert_true(near(r.low * r.high, 1));
	assert_false(pn_ratio_differs(&r));
}

/* 50 and 50: rank 2500 / 2 - 1.96 sqrt(2500 * 101 / 12) = 965.7 of quotients
 * that all are 2 or 2.02: the interval lies between. */
static void many_runs_go_by_the_normal_approximation(void **state)
{
	double a[50], b[50];
	struct pn_ratio r;
	size_t i;

	(void)state;
	for (i = 0; i < 50; i++) {
		a[i] = 100;
		b[i] = i < 40 ? 200 : 202;
	}
	pn_ratio_of(&r, a, 50, b, 50);
	/* the first 2000 quotients are 2, the last 500 are 2.02 */
	assert_true(near(r.value, 2) && near(r.low, 2) && near(r.high, 2));
	for (i = 0; i < 50; i++)
		b[i] = i < 10 ? 200 : 202;
	pn_ratio_of(&r, a, 50, b, 50);
	assert_true(near(r.value, 2.02) && near(r.low, 2.02));
	for (i = 0; i < 50; i++)
		b[i] = i < 15 ? 200 : i < 35 ? 201 : 202;
	/* 750, 1000, 750: ranks 966 and 1535 are in the middle */
	pn_ratio_of(&r, a, 50, b, 50);
	assert_true(near(r.low, 2.01) && near(r.high, 2.01));
	for (i = 0; i < 50; i++)
		b[i] = i < 20 ? 200 : i < 30 ? 201 : 202;
	/* 1000, 500, 1000: they are outside of it */
	pn_ratio_of(&r, a, 50, b, 50);
	assert_true(near(r.low, 2) && near(r.high, 2.02));
}

static struct pn_profile timed(const double *wall_ns, size_t n)
{
	struct pn_profile p;

	pn_profile_init(&p);
	p.header.collector.name = pn_strtab_add_text(&p.strings, "time");
	pn_profile_add_metric(&p, "wall", "ns", PN_BETTER_LESS, wall_ns, n);
	return p;
}

/* The last lines of what is printed of two commands. */
static char *compare(const double *a, size_t n, const double *b, size_t m)
{
	struct pn_profile one = timed(a, n), two = timed(b, m);
	struct pn_measured rows[] = {{.title = "one", .profile = &one},
				     {.title = "two", .profile = &two}};
	struct pn_results_options options = {.reference = true};
	char *text = NULL, *found;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	assert_non_null(to);
	assert_int_equal(pn_results_text(to, rows, 2, &options, NULL), 0);
	fclose(to);
	found = strstr(text, "one is\n");
	assert_non_null(found);
	found = strdup(found + strlen("one is\n"));
	free(text);
	pn_profile_release(&one);
	pn_profile_release(&two);
	return found;
}

static void says(const double *a, size_t n, const double *b, size_t m,
		 const char *expected)
{
	char *text = compare(a, n, b, m);

	assert_string_equal(text, expected);
	free(text);
}

static void says_what_was_seen_or_that_nothing_was(void **state)
{
	const double a[] = {1e9, 2e9, 3e9, 4e9}, b[] = {1e10, 2e10, 3e10, 4e10};
	const double c[] = {1.92e9, 2e9, 3e9, 3.1e9};

	(void)state;
	says(a, 4, b, 4,
	     "     10.00 times faster than two   [95 % in 2.50 … 40.00]\n");
	says(b, 4, a, 4,
	     "     10.00 times slower than two   [95 % in 2.50 … 40.00]\n");
	says(a, 3, b, 3,
	     "     10.00 times faster than two   [too few runs to tell]\n");
	/* quotients from 1.92 / 4 to 3.1 / 1 */
	says(a, 4, c, 4,
	     "  no difference seen from two   [95 % in 0.48 … 3.10]\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(four_runs_a_side_are_enough),
		cmocka_unit_test(
			takes_the_quotients_that_the_test_of_ranks_names),
		cmocka_unit_test(equal_runs_do_not_differ),
		cmocka_unit_test(many_runs_go_by_the_normal_approximation),
		cmocka_unit_test(says_what_was_seen_or_that_nothing_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
