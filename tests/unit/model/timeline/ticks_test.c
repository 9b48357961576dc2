/* Values that lines share by their ticks. */
#include "model/timeline/ticks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>

/* main() calls f() of line 10: stack 0 is of both, 1 of main alone. */
static void make(struct pn_profile *p)
{
	struct pn_function function = {0};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {0};
	uint32_t i, frames[2] = {1, 0};

	pn_profile_init(p);
	pn_profile_add_type(p, "samples", "count");
	pn_profile_add_type(p, "cpu", "ns");
	pn_profile_add_type(p, "seconds", "s");
	p->types[2].number = PN_NUMBER_DOUBLE;
	for (i = 0; i < 2; i++) {
		function.name =
			pn_strtab_add_text(&p->strings, i ? "f" : "main");
		line.function = pn_profile_add_function(p, &function);
		line.line = i ? 10 : 1;
		pn_profile_add_location(p, &location, &line, 1);
	}
	pn_profile_add_stack(p, frames, 2);
	pn_profile_add_stack(p, frames + 1, 1);
	pn_profile_add_label_set(p, NULL, 0);
}

static void add(struct pn_profile *p, uint32_t stack, int64_t samples,
		int64_t cpu, double seconds)
{
	const union pn_value row[] = {
		{.i = samples}, {.i = cpu}, {.d = seconds}};

	pn_profile_add_sample(p, stack, 0, row);
}

/* What samples whose leaves are in a line have in all. */
static union pn_value in_line(const struct pn_profile *p, int64_t line,
			      size_t type)
{
	union pn_value sum = {0};
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		uint32_t leaf = p->frames[p->stack_start[p->samples[i].stack]];
		const struct pn_location *at = &p->locations[leaf];
		union pn_value value = p->values[i * p->type_count + type];

		if (p->lines[at->line_first].line != line)
			continue;
		if (p->types[type].number == PN_NUMBER_DOUBLE)
			sum.d += value.d;
		else
			sum.i += value.i;
	}
	return sum;
}

/* f was in line 12 three times, in 14 once and in no known line twice; six
 * rows of one sample each, of 10 ns together 60. Nobody knows of main(). */
static void lines_have_their_shares(void **state)
{
	struct pn_profile p;
	struct pn_error err;
	int i;

	(void)state;
	make(&p);
	for (i = 0; i < 6; i++)
		add(&p, 0, 1, 10, .5);
	add(&p, 1, 4, 40, 2);
	pn_ticks_add(&p, 0, 14, 1);
	pn_ticks_add(&p, 0, 12, 2);
	pn_ticks_add(&p, 0, 0, 2);
	pn_ticks_add(&p, 0, 12, 1);
	assert_int_equal(pn_profile_check(&p, &err), 0);
	pn_ticks_spread(&p);
	assert_int_equal(pn_profile_check(&p, &err), 0);
	assert_int_equal(p.tick_count, 0);
	assert_int_equal(in_line(&p, 12, 0).i, 3);
	assert_int_equal(in_line(&p, 14, 0).i, 1);
	assert_int_equal(in_line(&p, 10, 0).i, 2);
	assert_int_equal(in_line(&p, 1, 0).i, 4);
	assert_int_equal(in_line(&p, 12, 1).i, 30);
	assert_int_equal(in_line(&p, 14, 1).i, 10);
	assert_int_equal(in_line(&p, 10, 1).i, 20);
	assert_true(fabs(in_line(&p, 12, 2).d - 1.5) < 1e-9);
	assert_true(fabs(in_line(&p, 14, 2).d - .5) < 1e-9);
	assert_true(in_line(&p, 1, 2).d == 2);
	/* f has two more locations, and each has its stack once */
	assert_int_equal(p.location_count, 4);
	assert_int_equal(p.stack_count, 4);
	pn_profile_release(&p);
}

/* The sum stays whatever the numbers are: 2^62 twice, below 0, and ticks of
 * which a product with them has more than 64 bits. */
static void nothing_is_lost_of_large_numbers(void **state)
{
	const int64_t large = INT64_C(1) << 62;
	struct pn_profile p;
	int64_t a, b;

	(void)state;
	make(&p);
	add(&p, 0, large, -7, 0);
	add(&p, 0, large - 1, -8, 0);
	pn_ticks_add(&p, 0, 3, INT64_MAX);
	pn_ticks_add(&p, 0, 3, INT64_MAX);
	pn_ticks_add(&p, 0, 4, INT64_MAX);
	pn_ticks_spread(&p);
	a = in_line(&p, 3, 0).i;
	b = in_line(&p, 4, 0).i;
	assert_true(a >= large - 1 && a <= large);
	assert_true(a + b == large - 1 + large);
	assert_int_equal(in_line(&p, 3, 1).i + in_line(&p, 4, 1).i, -15);
	pn_profile_release(&p);
}

/* A value that is not there is not there in any line. */
static void absent_values_stay_absent(void **state)
{
	struct pn_profile p;
	size_t i;

	(void)state;
	make(&p);
	add(&p, 0, 2, 0, 0);
	pn_profile_set_absent(&p, 0, 1);
	pn_ticks_add(&p, 0, 3, 1);
	pn_ticks_add(&p, 0, 4, 1);
	pn_ticks_spread(&p);
	assert_int_equal(p.sample_count, 2);
	for (i = 0; i < 2; i++) {
		assert_true(pn_profile_is_present(&p, i, 0));
		assert_false(pn_profile_is_present(&p, i, 1));
	}
	pn_profile_release(&p);
}

static void bad_ticks_are_refused(void **state)
{
	static const struct pn_tick bad[] = {{2, 1, 1}, {0, -1, 1}, {0, 1, 0}};
	struct pn_profile p;
	struct pn_error err;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		make(&p);
		pn_ticks_add(&p, bad[i].stack, bad[i].line, bad[i].count);
		assert_int_equal(pn_profile_check(&p, &err), PN_EINVAL);
		pn_profile_release(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_have_their_shares),
		cmocka_unit_test(nothing_is_lost_of_large_numbers),
		cmocka_unit_test(absent_values_stay_absent),
		cmocka_unit_test(bad_ticks_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
