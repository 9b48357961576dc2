/* Which columns of integers can be added up. */
#include "model/graph/sums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void begin(struct pn_profile *p, const char *type, uint8_t number)
{
	uint32_t at;

	pn_profile_init(p);
	at = pn_profile_add_type(p, type, "count");
	p->types[at].number = number;
}

static void add(struct pn_profile *p, int64_t value)
{
	const union pn_value row = {.i = value};

	pn_profile_add_sample(p, pn_profile_add_stack(p, NULL, 0), 0, &row);
}

static void the_largest_sum_is_one_that_an_integer_holds(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	begin(&p, "samples", PN_NUMBER_INT);
	assert_int_equal(pn_sums_magnitude(&p, 0), 0);
	add(&p, INT64_MAX - 10);
	add(&p, 4);
	add(&p, -6); /* 2^63 - 11 + 4 + 6 */
	assert_true(pn_sums_magnitude(&p, 0) == INT64_MAX);
	assert_int_equal(pn_sums_check(&p, &err), 0);
	add(&p, 1);
	assert_true(pn_sums_magnitude(&p, 0) == UINT64_MAX);
	assert_int_equal(pn_sums_check(&p, &err), PN_ERANGE);
	assert_string_equal(err.message,
			    "the values of 'samples' add up to more than 2^63 "
			    "- 1, the most that an integer holds");
	pn_profile_release(&p);
}

/* Three of them are 2^64 + 2^63 - 3, which wraps to less than the first. */
static void a_sum_that_wraps_twice_is_seen(void **state)
{
	struct pn_profile p;
	size_t i;

	(void)state;
	begin(&p, "samples", PN_NUMBER_INT);
	for (i = 0; i < 3; i++)
		add(&p, INT64_MAX);
	assert_true(pn_sums_magnitude(&p, 0) == UINT64_MAX);
	pn_profile_release(&p);
	begin(&p, "samples", PN_NUMBER_INT);
	add(&p, INT64_MIN);
	assert_true(pn_sums_magnitude(&p, 0) == UINT64_MAX);
	pn_profile_release(&p);
}

static void what_is_below_zero_is_apart(void **state)
{
	struct pn_profile p;
	uint64_t sums[2];

	(void)state;
	begin(&p, "samples", PN_NUMBER_INT);
	add(&p, 40);
	add(&p, -5);
	add(&p, 2);
	pn_sums_of(sums, &p, 0);
	assert_true(sums[0] == 42 && sums[1] == 5);
	add(&p, INT64_MAX - 42);
	add(&p, INT64_MIN); /* 2^63 */
	pn_sums_of(sums, &p, 0);
	assert_true(sums[0] == INT64_MAX && sums[1] == (UINT64_C(1) << 63) + 5);
	pn_profile_release(&p);
}

static void doubles_and_positions_have_no_such_sum(void **state)
{
	struct pn_profile p;

	(void)state;
	begin(&p, "samples", PN_NUMBER_DOUBLE);
	add(&p, INT64_MAX);
	add(&p, INT64_MAX);
	assert_int_equal(pn_sums_magnitude(&p, 0), 0);
	pn_profile_release(&p);
	begin(&p, "timestamp", PN_NUMBER_INT);
	add(&p, INT64_MAX);
	add(&p, INT64_MAX);
	assert_int_equal(pn_sums_magnitude(&p, 0), 0);
	pn_profile_release(&p);
}

static void own_costs_of_a_call_graph_are_added_up(void **state)
{
	struct pn_profile p;

	(void)state;
	begin(&p, "Ir", PN_NUMBER_INT);
	p.graph.node_count = 2;
	p.graph.self = (union pn_value[]){{.i = 40}, {.i = 2}};
	assert_int_equal(pn_sums_magnitude(&p, 0), 42);
	p.graph.self = NULL;
	p.graph.node_count = 0;
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_largest_sum_is_one_that_an_integer_holds),
		cmocka_unit_test(a_sum_that_wraps_twice_is_seen),
		cmocka_unit_test(what_is_below_zero_is_apart),
		cmocka_unit_test(doubles_and_positions_have_no_such_sum),
		cmocka_unit_test(own_costs_of_a_call_graph_are_added_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
