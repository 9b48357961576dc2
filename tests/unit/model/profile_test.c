/* The profile: building, checking, comparing. */
#include "model/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function and a location of one line for it. */
static uint32_t add_frame(struct pn_profile *p, const char *name)
{
	struct pn_function function = {0};
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_line line = {0};

	function.name = pn_strtab_add_text(&p->strings, name);
	line.function = pn_profile_add_function(p, &function);
	line.line = 7;
	return pn_profile_add_location(p, &location, &line, 1);
}

static uint32_t add_label(struct pn_profile *p, const char *key,
			  const char *value)
{
	struct pn_label label = {.kind = PN_LABEL_STRING};

	label.key = pn_strtab_add_text(&p->strings, key);
	label.value.s = pn_strtab_add_text(&p->strings, value);
	return pn_profile_add_label_set(p, &label, 1);
}

static void add_sample(struct pn_profile *p, uint32_t stack, uint32_t labels,
		       int64_t first, int64_t second)
{
	union pn_value values[2];

	values[0].i = first;
	values[1].i = second;
	pn_profile_add_sample(p, stack, labels, values);
}

/* Two samples on main;a and main;b, in either order of everything. */
static void build(struct pn_profile *p, bool backwards)
{
	uint32_t frames[2], a, b, main_frame, stack_a, stack_b, set;

	pn_profile_init(p);
	if (backwards)
		pn_strtab_add_text(&p->strings, "unused");
	pn_profile_add_type(p, "samples", "count");
	pn_profile_add_type(p, "cpu", "nanoseconds");
	if (backwards) {
		b = add_frame(p, "b");
		a = add_frame(p, "a");
	} else {
		a = add_frame(p, "a");
		b = add_frame(p, "b");
	}
	main_frame = add_frame(p, "main");
	frames[1] = main_frame;
	frames[0] = a;
	stack_a = pn_profile_add_stack(p, frames, 2);
	frames[0] = b;
	stack_b = pn_profile_add_stack(p, frames, 2);
	set = add_label(p, "thread", "1");
	if (backwards)
		add_sample(p, stack_b, 0, 2, 20);
	add_sample(p, stack_a, set, 1, 10);
	if (!backwards)
		add_sample(p, stack_b, 0, 2, 20);
}

static void is_valid_when_built_and_when_empty(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	pn_profile_init(&p);
	assert_int_equal(pn_profile_check(&p, &err), 0);
	pn_profile_release(&p);
	build(&p, false);
	assert_int_equal(pn_profile_check(&p, &err), 0);
	assert_int_equal(p.stack_start[2], 4);
	assert_int_equal(p.label_set_start[2], 1);
	assert_int_equal(p.values[3].i, 20);
	pn_profile_release(&p);
}

static void refuses_what_points_nowhere(void **state)
{
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	build(&p, false);
	p.samples[1].stack = 2;
	assert_int_equal(pn_profile_check(&p, &err), PN_EINVAL);
	assert_string_equal(err.message, "sample 1 has a bad stack");
	p.samples[1].stack = 1;
	p.frames[3] = 3;
	assert_int_equal(pn_profile_check(&p, &err), PN_EINVAL);
	assert_string_equal(err.message, "frame 3 has a bad location");
	p.frames[3] = 2;
	p.lines[0].function = 9;
	assert_int_equal(pn_profile_check(&p, &err), PN_EINVAL);
	p.lines[0].function = 0;
	p.header.cmd = 1000;
	assert_int_equal(pn_profile_check(&p, &err), PN_EINVAL);
	p.header.cmd = 0;
	p.stack_start[1] = 5;
	assert_int_equal(pn_profile_check(&p, &err), PN_EINVAL);
	p.stack_start[1] = 2;
	assert_int_equal(pn_profile_check(&p, &err), 0);
	pn_profile_release(&p);
}

/* Stacks of 1 to 11 frames beside a good one: each place is looked at. */
static void refuses_each_frame_that_points_nowhere(void **state)
{
	uint32_t frames[11] = {0};
	struct pn_profile p;
	struct pn_error err;
	char said[64];
	size_t count, i;

	(void)state;
	for (count = 1; count <= 11; count++) {
		build(&p, false);
		pn_profile_add_stack(&p, frames, count);
		for (i = 0; i < count; i++) {
			p.frames[4 + i] = 3 + (uint32_t)i;
			snprintf(said, sizeof(said),
				 "frame %zu has a bad location", 4 + i);
			assert_int_equal(pn_profile_check(&p, &err), PN_EINVAL);
			assert_string_equal(err.message, said);
			p.frames[4 + i] = 2;
			assert_int_equal(pn_profile_check(&p, &err), 0);
		}
		pn_profile_release(&p);
	}
}

/* Of so many frames that two threads look at them, too. */
static void refuses_frames_of_large_profiles_that_point_nowhere(void **state)
{
	static const size_t bad[] = {5, 1100000, 1200000, 2200003};
	static const uint32_t frames[1000];
	struct pn_profile p;
	struct pn_error err;
	char said[64];
	size_t i;

	(void)state;
	build(&p, false);
	for (i = 0; i < 2200; i++)
		pn_profile_add_stack(&p, frames, 1000);
	assert_int_equal(pn_profile_check(&p, &err), 0);
	for (i = 4; i--;) { /* the first one is named */
		p.frames[bad[i]] = 3;
		snprintf(said, sizeof(said), "frame %zu has a bad location",
			 bad[i]);
		assert_int_equal(pn_profile_check(&p, &err), PN_EINVAL);
		assert_string_equal(err.message, said);
	}
	pn_profile_release(&p);
}

static void is_equal_whatever_the_order_of_tables(void **state)
{
	struct pn_profile a, b;
	char why[200] = "";

	(void)state;
	build(&a, false);
	build(&b, true);
	assert_true(pn_profile_equal(&a, &b, why, sizeof(why)));
	assert_string_equal(why, "");
	pn_profile_release(&a);
	pn_profile_release(&b);
}

static void says_what_differs(void **state)
{
	struct pn_profile a, b;
	char why[200] = "";

	(void)state;
	build(&a, false);
	build(&b, false);
	b.values[2].i++;
	assert_false(pn_profile_equal(&a, &b, why, sizeof(why)));
	assert_non_null(strstr(why, "sample 1 ('b')"));
	assert_false(pn_profile_equal(&a, &b, NULL, 0));
	b.values[2].i--;
	b.lines[1].line++;
	assert_false(pn_profile_equal(&a, &b, why, sizeof(why)));
	assert_non_null(strstr(why, "location 1 ('b')"));
	b.lines[1].line--;
	pn_profile_set_label(&b, "k", "v");
	assert_false(pn_profile_equal(&a, &b, why, sizeof(why)));
	assert_string_equal(why, "number of labels: 0 and 1");
	pn_profile_release(&a);
	pn_profile_release(&b);
}

static void counts_equal_samples(void **state)
{
	struct pn_profile a, b;

	(void)state;
	build(&a, false);
	build(&b, false);
	add_sample(&a, 0, 0, 3, 30);
	add_sample(&a, 1, 0, 4, 40);
	add_sample(&a, 1, 0, 4, 40);
	add_sample(&b, 0, 0, 3, 30);
	add_sample(&b, 0, 0, 3, 30);
	add_sample(&b, 1, 0, 4, 40);
	assert_false(pn_profile_equal(&a, &b, NULL, 0));
	pn_profile_release(&a);
	pn_profile_release(&b);
}

static void keeps_the_order_of_labels_within_a_key_only(void **state)
{
	struct pn_profile a, b;
	struct pn_label x = {.kind = PN_LABEL_INT, .value.i = 1};
	struct pn_label y = {.kind = PN_LABEL_INT, .value.i = 2};
	struct pn_label set[2];
	int same_key;

	(void)state;
	for (same_key = 0; same_key < 2; same_key++) {
		build(&a, false);
		build(&b, false);
		x.key = pn_strtab_add_text(&a.strings, "x");
		y.key = same_key ? x.key : pn_strtab_add_text(&a.strings, "y");
		pn_strtab_add_text(&b.strings, "x");
		pn_strtab_add_text(&b.strings, "y");
		set[0] = x;
		set[1] = y;
		add_sample(&a, 0, pn_profile_add_label_set(&a, set, 2), 1, 1);
		set[0] = y;
		set[1] = x;
		add_sample(&b, 0, pn_profile_add_label_set(&b, set, 2), 1, 1);
		assert_int_equal(pn_profile_equal(&a, &b, NULL, 0), !same_key);
		pn_profile_release(&a);
		pn_profile_release(&b);
	}
}

static void tells_absent_from_zero(void **state)
{
	struct pn_profile a, b;
	size_t i;

	(void)state;
	build(&a, false);
	build(&b, false);
	b.values[3].i = a.values[3].i = 0;
	assert_true(pn_profile_equal(&a, &b, NULL, 0));
	pn_profile_set_absent(&b, 1, 1);
	assert_false(pn_profile_is_present(&b, 1, 1));
	assert_false(pn_profile_equal(&a, &b, NULL, 0));
	for (i = 0; i < 100; i++)
		add_sample(&b, 0, 0, 1, 1);
	for (i = 0; i < 102; i++)
		assert_int_equal(pn_profile_is_present(&b, i, 1), i != 1);
	pn_profile_release(&a);
	pn_profile_release(&b);
}

static void keeps_metrics_and_pairs(void **state)
{
	const double values[] = {3, 1, 2};
	struct pn_profile p;
	struct pn_metric *m;
	struct pn_error err;

	(void)state;
	pn_profile_init(&p);
	m = pn_profile_add_metric(&p, "time", "s", PN_BETTER_LESS, values, 3);
	assert_int_equal(m->summary.n, 3);
	assert_true(m->values[1] == 1);
	m = pn_profile_add_metric(&p, "ops", "", PN_BETTER_MORE, NULL, 0);
	assert_null(m->values);
	assert_true(m->summary.min != m->summary.min);
	pn_profile_set_environment(&p, "cpu", "a");
	pn_profile_set_environment(&p, "os", "b");
	pn_profile_set_environment(&p, "cpu", "c");
	assert_int_equal(p.header.environment_count, 2);
	assert_string_equal(pn_profile_text(&p, p.header.environment[0].value),
			    "c");
	assert_int_equal(pn_profile_check(&p, &err), 0);
	assert_true(pn_profile_equal(&p, &p, NULL, 0));
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_valid_when_built_and_when_empty),
		cmocka_unit_test(refuses_what_points_nowhere),
		cmocka_unit_test(refuses_each_frame_that_points_nowhere),
		cmocka_unit_test(
			refuses_frames_of_large_profiles_that_point_nowhere),
		cmocka_unit_test(is_equal_whatever_the_order_of_tables),
		cmocka_unit_test(says_what_differs),
		cmocka_unit_test(counts_equal_samples),
		cmocka_unit_test(keeps_the_order_of_labels_within_a_key_only),
		cmocka_unit_test(tells_absent_from_zero),
		cmocka_unit_test(keeps_metrics_and_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
