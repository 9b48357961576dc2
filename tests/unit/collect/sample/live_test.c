/* Snapshots of a run become a curve of few points. */
#include "collect/sample/live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A sampler's profile: two value types, of which the second is the default. */
static void make(struct pn_profile *p, int64_t first, int64_t second)
{
	union pn_value row[2] = {{.i = 1}, {.i = 0}};

	pn_profile_init(p);
	pn_profile_add_type(p, "samples", "count");
	pn_profile_add_type(p, "cpu", "ns");
	pn_profile_add_stack(p, NULL, 0);
	row[1].i = first;
	pn_profile_add_sample(p, 0, 0, row);
	row[1].i = second;
	pn_profile_add_sample(p, 0, 0, row);
}

static void sums_the_default_value_type(void **state)
{
	static struct pn_live live;
	struct pn_profile p;

	(void)state;
	make(&p, 3, 4);
	pn_live_add(&live, &p, 12345678);
	pn_live_put(&p, &live);
	assert_int_equal(p.curves.count, 1);
	assert_string_equal(pn_profile_text(&p, p.curves.items[0].name), "cpu");
	assert_string_equal(pn_profile_text(&p, p.curves.items[0].unit), "ns");
	assert_string_equal(pn_profile_text(&p, p.curves.items[0].along), "ms");
	assert_int_equal(p.curves.point_count, 1);
	assert_true(p.curves.points[0].position == 12);
	assert_true(p.curves.points[0].value == 7);
	pn_profile_release(&p);
}

static void adds_nothing_without_snapshots(void **state)
{
	static const struct pn_live none;
	struct pn_profile p;

	(void)state;
	make(&p, 1, 2);
	pn_live_put(&p, &none);
	assert_int_equal(p.curves.count, 0);
	pn_profile_release(&p);
}

/* 1,000 points are every second of 2,000 snapshots; 4,001 are 1,000 of every
 * fourth, the last of which is the 4,000th. */
static void keeps_few_points(void **state)
{
	static struct pn_live live;
	struct pn_profile p;
	int64_t i;

	(void)state;
	for (i = 1; i <= 4001; i++) {
		make(&p, i, i);
		pn_live_add(&live, &p, i * 1000000);
		pn_profile_release(&p);
		if (i == 2000) {
			assert_int_equal(live.count, 1000);
			assert_true(live.ms[0] == 2 && live.ms[999] == 2000);
		}
	}
	assert_int_equal(live.count, 1000);
	assert_true(live.ms[0] == 4 && live.values[0] == 8);
	assert_true(live.ms[999] == 4000 && live.values[999] == 8000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_the_default_value_type),
		cmocka_unit_test(adds_nothing_without_snapshots),
		cmocka_unit_test(keeps_few_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
