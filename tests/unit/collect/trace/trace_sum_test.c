/* Calls of several runs, folded into one graph. */
#include "collect/trace/sum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* Ten calls by 1 of 2 that call ten others. */
static struct pn_trace_sum sum(size_t run, double self_ns, double total_ns)
{
	return (struct pn_trace_sum){.caller = 1,
				     .callee = 2,
				     .run = run,
				     .calls = 10,
				     .primitive = 10,
				     .below = 20,
				     .self = {self_ns, 10, 10},
				     .total = {total_ns, 20, 10}};
}

/* Nothing makes a run faster: of 400, 90, 410 it is 90, three times. */
static void keeps_the_least_disturbed_of_equal_runs(void **state)
{
	struct pn_trace_sum sums[] = {sum(0, 400, 900), sum(1, 90, 700),
				      sum(2, 410, 600)};
	const struct pn_trace_cost cost = {4, 2};

	(void)state;
	assert_int_equal(pn_trace_sums_unite(sums, 3), 3);
	assert_int_equal(pn_trace_sums_fold(sums, 3, 3), 1);
	assert_true(sums[0].self.ns == 3 * 90);
	assert_true(sums[0].disturbed_ns == 400 + 90 + 410 - 3 * 90);
	assert_true(sums[0].total.ns == 900 + 700 + 600);
	assert_int_equal(sums[0].calls, 30);
	assert_int_equal(sums[0].below, 60);
	/* 30 calls cost 4 inside, and 30 of theirs 2 outside */
	assert_true(pn_trace_time_ns(&sums[0].self, &cost) ==
		    270 - 30 * 4 - 30 * 2);
}

/* Threads of one run are added up first: 100 + 30 and 60 + 60. */
static void adds_threads_up_before_it_compares_runs(void **state)
{
	struct pn_trace_sum sums[] = {sum(0, 100, 100), sum(1, 60, 60),
				      sum(0, 30, 30), sum(1, 60, 60)};

	(void)state;
	assert_int_equal(pn_trace_sums_unite(sums, 4), 2);
	assert_int_equal(sums[0].run, 0);
	assert_true(sums[0].self.ns == 130 && sums[1].self.ns == 120);
	assert_int_equal(pn_trace_sums_fold(sums, 2, 2), 1);
	assert_true(sums[0].self.ns == 2 * 120);
	assert_int_equal(sums[0].calls, 40);
}

/* Runs that did different things are a sum: none is the other, disturbed. */
static void adds_up_runs_that_differ(void **state)
{
	struct pn_trace_sum sums[] = {sum(0, 400, 900), sum(1, 90, 700),
				      sum(0, 5, 5)};

	(void)state;
	sums[1].calls = 9;
	sums[2].caller = 7; /* in one run only */
	assert_int_equal(pn_trace_sums_unite(sums, 3), 3);
	assert_int_equal(pn_trace_sums_fold(sums, 3, 2), 2);
	assert_true(sums[0].self.ns == 490 && sums[0].total.ns == 1600);
	assert_int_equal(sums[0].calls, 19);
	assert_int_equal(sums[1].caller, 7);
	assert_true(sums[1].self.ns == 5);
	assert_int_equal(pn_trace_sums_unite(NULL, 0), 0);
	assert_int_equal(pn_trace_sums_fold(NULL, 0, 1), 0);
}

static struct pn_trace_sum edge(uint32_t caller, uint32_t callee,
				double self_ns, double total_ns,
				double disturbed_ns)
{
	return (struct pn_trace_sum){.caller = caller,
				     .callee = callee,
				     .self.ns = self_ns,
				     .total.ns = total_ns,
				     .disturbed_ns = disturbed_ns};
}

/*
 * main 0 (50) calls a 1 (350, of them 100 disturbed) and b 2 (150), which
 * both call c 3: 600 from a, 200 from b, with 200 of these 800 disturbed: three
 * quarters of it below a.
 */
static void takes_what_disturbed_from_the_totals_above(void **state)
{
	struct pn_trace_sum edges[] = {
		edge(UINT32_MAX, 0, 50, 1350, 0), edge(0, 1, 250, 950, 100),
		edge(0, 2, 150, 350, 0), edge(1, 3, 450, 600, 150),
		edge(2, 3, 150, 200, 50)};
	struct pn_trace_sum nodes[] = {
		edge(UINT32_MAX, 0, 0, 1350, 0), edge(UINT32_MAX, 1, 0, 950, 0),
		edge(UINT32_MAX, 2, 0, 350, 0), edge(UINT32_MAX, 3, 0, 800, 0)};

	(void)state;
	pn_trace_sums_settle(nodes, 4, edges, 5, 4);
	assert_true(edges[3].total.ns == 450 && edges[4].total.ns == 150);
	assert_true(nodes[3].total.ns == 600);
	/* a: its own 100, and three quarters of c's 200 */
	assert_true(edges[1].total.ns == 950 - 100 - 150);
	assert_true(edges[2].total.ns == 350 - 50);
	assert_true(nodes[1].total.ns == 250 + 450);
	assert_true(nodes[2].total.ns == 150 + 150);
	/* all own times */
	assert_true(nodes[0].total.ns == 50 + 250 + 150 + 450 + 150);
}

/* main calls f once, f itself nine times: 900 of their own, 400 disturbed. */
static void counts_recursion_once(void **state)
{
	struct pn_trace_sum edges[] = {edge(UINT32_MAX, 0, 10, 1010, 0),
				       edge(0, 1, 60, 1000, 40),
				       edge(1, 1, 540, 900, 360)};
	struct pn_trace_sum nodes[] = {edge(UINT32_MAX, 0, 0, 1010, 0),
				       edge(UINT32_MAX, 1, 0, 1000, 0)};

	(void)state;
	pn_trace_sums_settle(nodes, 2, edges, 3, 2);
	assert_true(nodes[0].total.ns == 610 && edges[0].total.ns == 610);
	assert_true(nodes[1].total.ns == 600 && edges[1].total.ns == 600);
	assert_true(edges[2].total.ns == 540);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_least_disturbed_of_equal_runs),
		cmocka_unit_test(adds_threads_up_before_it_compares_runs),
		cmocka_unit_test(adds_up_runs_that_differ),
		cmocka_unit_test(takes_what_disturbed_from_the_totals_above),
		cmocka_unit_test(counts_recursion_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
