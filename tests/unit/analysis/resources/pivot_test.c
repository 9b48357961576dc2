/* Bars of a small profile; values by arithmetic. */
#include "analysis/resources/pivot.h"

#include "stacks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define LARGE (INT64_C(1) << 53)

struct made {
	struct pn_profile profile;
	struct pn_pivot pivot;
};

static void make(struct made *m, enum pn_aggregate how)
{
	struct pn_resources_request request;
	struct pn_error err;

	pn_profile_init(&m->profile);
	pn_profile_add_type(&m->profile, "cpu", "ns");
	add_sample(&m->profile, "main > f", 5);
	add_sample(&m->profile, "main > g", 1);
	add_sample(&m->profile, "other > f", 2);
	add_sample(&m->profile, "h", LARGE + 1);
	add_sample(&m->profile, "x > h", 2);
	pn_resources_request_init(&request);
	request.per = "function";
	request.aggregate = how;
	assert_int_equal(
		pn_pivot_init(&m->pivot, &m->profile, &request, false, 0, &err),
		0);
	assert_int_equal(m->pivot.columns.count, 1);
	assert_int_equal(m->pivot.rows.count, 3);
}

static void release(struct made *m)
{
	pn_pivot_release(&m->pivot);
	pn_profile_release(&m->profile);
}

static void is(const struct made *m, size_t row, const char *name, double value,
	       int64_t whole)
{
	assert_string_equal(m->pivot.rows.names[row], name);
	assert_true(m->pivot.cells[row] == value);
	assert_int_equal(m->pivot.whole[row], whole);
}

/* Where several are as long. */
static void has(const struct made *m, const char *name, double value)
{
	size_t row = strcmp(m->pivot.rows.names[0], name) != 0;

	is(m, row, name, value, 0);
}

static void bars_are_sums_the_longest_first(void **state)
{
	struct made m;

	(void)state;
	make(&m, PN_AGGREGATE_SUM);
	/* in doubles 2^53 + 1 is 2^53 */
	is(&m, 0, "h", 0x1p53 + 2, LARGE + 3);
	is(&m, 1, "f", 7, 0);
	is(&m, 2, "g", 1, 0);
	release(&m);
}

static void other_aggregates_are_of_each_value(void **state)
{
	struct made m;

	(void)state;
	make(&m, PN_AGGREGATE_MAX);
	is(&m, 0, "h", 0x1p53, LARGE + 1);
	is(&m, 1, "f", 5, 0);
	release(&m);
	make(&m, PN_AGGREGATE_MIN);
	has(&m, "f", 2);
	has(&m, "h", 2);
	is(&m, 2, "g", 1, 0);
	release(&m);
	make(&m, PN_AGGREGATE_COUNT);
	has(&m, "f", 2);
	is(&m, 2, "g", 1, 0);
	release(&m);
	make(&m, PN_AGGREGATE_MEAN);
	is(&m, 1, "f", 3.5, 0);
	release(&m);
}

static void what_is_not_there_is_refused(void **state)
{
	struct pn_resources_request request;
	struct pn_pivot pivot;
	struct pn_profile profile;
	struct pn_error err;

	(void)state;
	pn_profile_init(&profile);
	pn_profile_add_type(&profile, "cpu", "ns");
	add_sample(&profile, "f", 1);
	pn_resources_request_init(&request);
	request.per = "nothing";
	assert_int_equal(
		pn_pivot_init(&pivot, &profile, &request, false, 0, &err),
		PN_ENOTFOUND);
	pn_pivot_release(&pivot);
	pn_profile_release(&profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_are_sums_the_longest_first),
		cmocka_unit_test(other_aggregates_are_of_each_value),
		cmocka_unit_test(what_is_not_there_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
