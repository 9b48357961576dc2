/* How much the sampler saw, from figures that are made up. */
#include "analysis/measured/seen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MS 1e6

/* Two runs, an interval of 10 ms. */
static struct pn_profile sampled(double cpu_ms, double user_ms, double sys_ms)
{
	const double cpu[] = {cpu_ms / 2 * MS, cpu_ms / 2 * MS};
	const double user[] = {user_ms / 2 * MS, user_ms / 2 * MS};
	const double sys[] = {sys_ms / 2 * MS, sys_ms / 2 * MS};
	struct pn_profile p;

	pn_profile_init(&p);
	p.header.collector.name = pn_strtab_add_text(&p.strings, "sample");
	p.period = 10000000;
	pn_profile_add_metric(&p, "cpu", "ns", PN_BETTER_LESS, cpu, 2);
	pn_profile_add_metric(&p, "user", "ns", PN_BETTER_LESS, user, 2);
	pn_profile_add_metric(&p, "sys", "ns", PN_BETTER_LESS, sys, 2);
	return p;
}

static bool is_partial(struct pn_profile p)
{
	struct pn_seen seen;

	assert_true(pn_seen_of(&seen, &p));
	pn_profile_release(&p);
	return seen.partial;
}

static void compares_what_was_seen_with_what_was_spent(void **state)
{
	struct pn_profile p = sampled(400, 1500, 610);
	struct pn_seen seen;

	(void)state;
	assert_true(pn_seen_of(&seen, &p));
	assert_true(seen.seen_ns == 400 * MS && seen.spent_ns == 2110 * MS);
	assert_true(seen.partial);
	pn_profile_release(&p);
}

/* Of 2000 ms nine tenths are 1800; two intervals of two runs are 40. */
static void allows_what_intervals_may_miss(void **state)
{
	(void)state;
	assert_false(is_partial(sampled(1761, 1000, 1000)));
	assert_true(is_partial(sampled(1759, 1000, 1000)));
	/* a program shorter than the intervals says nothing */
	assert_false(is_partial(sampled(0, 20, 20)));
}

static void misses_no_threads_that_nobody_asked_for(void **state)
{
	struct pn_profile p = sampled(400, 1500, 610);

	(void)state;
	p.header.collector.params = pn_strtab_add_text(
		&p.strings, "{\"frequency\":\"100\",\"threads\":\"main\"}");
	assert_false(is_partial(p));
}

static void says_nothing_of_others(void **state)
{
	struct pn_profile p = sampled(1, 2, 3);
	struct pn_seen seen;

	(void)state;
	p.header.collector.name = pn_strtab_add_text(&p.strings, "perf");
	assert_false(pn_seen_of(&seen, &p));
	pn_profile_release(&p);
	p = sampled(1, 2, 3);
	p.metrics[0].name = pn_strtab_add_text(&p.strings, "real");
	assert_false(pn_seen_of(&seen, &p));
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(compares_what_was_seen_with_what_was_spent),
		cmocka_unit_test(allows_what_intervals_may_miss),
		cmocka_unit_test(misses_no_threads_that_nobody_asked_for),
		cmocka_unit_test(says_nothing_of_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
