/* Quantiles of values that are not sorted are those of sorted ones. */
#include "base/numbers/quantile.h"
#include "base/numbers/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#define MOST 200 /* more than are sorted, and merged, at once */

static void sorting_keeps_each_value(void **state)
{
	size_t round, n, i, kinds, seen[MOST];
	double values[MOST];
	uint64_t seed = 2;

	(void)state;
	for (round = 0; round < 2000; round++) {
		n = 1 + pn_random_next(&seed) % MOST;
		kinds = 1 + pn_random_next(&seed) % MOST;
		memset(seen, 0, sizeof(seen));
		for (i = 0; i < n; i++) {
			values[i] = (double)(pn_random_next(&seed) % kinds);
			seen[(size_t)values[i]]++;
		}
		pn_quantile_sort(values, n);
		for (i = 0; i < n; i++) {
			assert_true(!i || values[i - 1] <= values[i]);
			assert_true(seen[(size_t)values[i]]-- > 0);
		}
	}
}

static void selecting_parts_lesser_from_greater_values(void **state)
{
	double values[MOST], sorted[MOST], value;
	uint64_t seed = 1;
	size_t round, n, k, i, kinds;

	(void)state;
	for (round = 0; round < 5000; round++) {
		n = 1 + pn_random_next(&seed) % MOST;
		kinds = 1 + pn_random_next(&seed) % MOST;
		k = pn_random_next(&seed) % n;
		for (i = 0; i < n; i++)
			sorted[i] = values[i] =
				(double)(pn_random_next(&seed) % kinds);
		pn_quantile_sort(sorted, n);
		value = pn_quantile_select(values, n, k);
		assert_true(value == sorted[k] && values[k] == value);
		for (i = 0; i < n; i++)
			assert_true(i < k ? values[i] <= value
					  : values[i] >= value);
		value = pn_quantile_pick(values, n, (double)k / (double)n);
		assert_true(value ==
			    pn_quantile_of(sorted, n, (double)k / (double)n));
	}
}

/* Ascending and equal values, and both halves in turn. */
static void orders_that_are_bad_for_it_end_soon(void **state)
{
	enum { COUNT = 1 << 17 };
	static double values[COUNT];
	size_t i;

	(void)state;
	for (i = 0; i < COUNT; i++)
		values[i] = (double)i;
	assert_true(pn_quantile_select(values, COUNT, 5) == 5);
	for (i = 0; i < COUNT; i++)
		values[i] = 1;
	assert_true(pn_quantile_select(values, COUNT, COUNT / 2) == 1);
	for (i = 0; i < COUNT; i++)
		values[i] = (double)(i % 2 ? COUNT - i : i);
	assert_true(pn_quantile_select(values, COUNT, COUNT - 1) == COUNT - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sorting_keeps_each_value),
		cmocka_unit_test(selecting_parts_lesser_from_greater_values),
		cmocka_unit_test(orders_that_are_bad_for_it_end_soon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
