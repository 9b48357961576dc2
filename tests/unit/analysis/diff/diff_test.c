/* A difference: rows of both sides, what is new and gone, shares. */
#include "analysis/diff/diff.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "stacks.h"

struct sides {
	struct pn_profile before, after;
	struct pn_report old, new;
	struct pn_diff diff;
};

/* Old: main 1, f 10 below it, gone 4. New: main 1, f 15, fresh 2. */
static void setup(struct sides *s, const char *new_unit, int64_t scale)
{
	memset(s, 0, sizeof(*s));
	pn_profile_init(&s->before);
	pn_profile_init(&s->after);
	pn_profile_add_type(&s->before, "cpu", "ms");
	pn_profile_add_type(&s->after, "cpu", new_unit);
	add_sample(&s->before, "main", 1);
	add_sample(&s->before, "main > f", 10);
	add_sample(&s->before, "main > gone", 4);
	add_sample(&s->after, "main", 1 * scale);
	add_sample(&s->after, "main > f", 15 * scale);
	add_sample(&s->after, "main > fresh", 2 * scale);
}

static void compare(struct sides *s, const struct pn_diff_options *options)
{
	struct pn_report_options all = {.divide_by = 1};
	struct pn_error err;

	if (pn_report_init(&s->old, &s->before, &all, &err) ||
	    pn_report_init(&s->new, &s->after, &all, &err) ||
	    pn_diff_init(&s->diff, &s->old, &s->new, options, &err))
		fail_msg("%s", err.message);
}

static void teardown(struct sides *s)
{
	pn_diff_release(&s->diff);
	pn_report_release(&s->old);
	pn_report_release(&s->new);
	pn_profile_release(&s->before);
	pn_profile_release(&s->after);
}

static void row_is(const struct sides *s, size_t at, const char *name,
		   enum pn_diff_state state, double old, double new)
{
	const struct pn_diff_row *row = &s->diff.rows[at];

	assert_true(at < s->diff.row_count);
	assert_string_equal(row->name, name);
	assert_int_equal(row->state, state);
	assert_true(fabs(row->old_self - old) < 1e-9);
	assert_true(fabs(row->new_self - new) < 1e-9);
}

static void pairs_by_name_and_names_new_and_gone(void **state)
{
	struct sides s;

	(void)state;
	setup(&s, "ms", 1);
	compare(&s, &(struct pn_diff_options){0});
	assert_int_equal(s.diff.row_count, 4);
	row_is(&s, 0, "f", PN_DIFF_CHANGED, 10, 15);
	row_is(&s, 1, "gone", PN_DIFF_GONE, 4, 0);
	row_is(&s, 2, "fresh", PN_DIFF_NEW, 0, 2);
	/* by itself it is the same; what it calls is not */
	row_is(&s, 3, "main", PN_DIFF_CHANGED, 1, 1);
	assert_true(s.diff.rows[3].old_total == 15);
	assert_true(s.diff.rows[3].new_total == 18);
	assert_true(s.diff.old_sum == 15 && s.diff.new_sum == 18);
	teardown(&s);
}

static void orders_by_total_when_asked(void **state)
{
	struct sides s;

	(void)state;
	setup(&s, "ms", 1);
	compare(&s,
		&(struct pn_diff_options){.by_total = true, .node_count = 2});
	assert_int_equal(s.diff.row_count, 2);
	assert_int_equal(s.diff.changed_count, 4);
	assert_string_equal(s.diff.rows[0].name, "f");
	assert_true(s.diff.rows[0].delta == 5);
	assert_string_equal(s.diff.rows[1].name, "gone");
	teardown(&s);
}

static void converts_the_old_unit(void **state)
{
	struct sides s;

	(void)state;
	setup(&s, "us", 1000);
	compare(&s, &(struct pn_diff_options){0});
	assert_string_equal(s.diff.unit, "us");
	row_is(&s, 0, "f", PN_DIFF_CHANGED, 10000, 15000);
	teardown(&s);
}

/* New figures times 15 / 18: f is 12.5. */
static void normalizes(void **state)
{
	struct sides s;

	(void)state;
	setup(&s, "ms", 1);
	compare(&s, &(struct pn_diff_options){.normalize = true});
	assert_true(fabs(s.diff.factor - 15.0 / 18) < 1e-12);
	row_is(&s, 0, "gone", PN_DIFF_GONE, 4, 0);
	row_is(&s, 1, "f", PN_DIFF_CHANGED, 10, 12.5);
	teardown(&s);
}

/* A fifth of 15 is 3: fresh, which is 2, is too small. */
static void leaves_small_changes_out(void **state)
{
	struct sides s;

	(void)state;
	setup(&s, "ms", 1);
	compare(&s, &(struct pn_diff_options){.node_fraction = 0.2});
	assert_int_equal(s.diff.row_count, 3);
	assert_int_equal(s.diff.dropped_count, 1);
	teardown(&s);
}

static void sees_no_difference_where_there_is_none(void **state)
{
	struct sides s;

	(void)state;
	setup(&s, "us", 1000);
	pn_profile_release(&s.after);
	pn_profile_init(&s.after);
	pn_profile_add_type(&s.after, "cpu", "ms");
	add_sample(&s.after, "main > gone", 4);
	add_sample(&s.after, "main > f", 10);
	add_sample(&s.after, "main", 1);
	compare(&s, &(struct pn_diff_options){0});
	assert_int_equal(s.diff.changed_count, 0);
	teardown(&s);
}

static void refuses_units_of_two_families(void **state)
{
	struct pn_report_options all = {.divide_by = 1};
	struct pn_diff_options options = {0};
	struct pn_error err = {0};
	struct sides s;

	(void)state;
	setup(&s, "bytes", 1);
	assert_int_equal(pn_report_init(&s.old, &s.before, &all, &err), 0);
	assert_int_equal(pn_report_init(&s.new, &s.after, &all, &err), 0);
	assert_int_equal(pn_diff_init(&s.diff, &s.old, &s.new, &options, &err),
			 PN_EINVAL);
	assert_string_equal(err.message,
			    "cannot compare 'cpu' in ms with 'cpu' in bytes");
	teardown(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs_by_name_and_names_new_and_gone),
		cmocka_unit_test(orders_by_total_when_asked),
		cmocka_unit_test(converts_the_old_unit),
		cmocka_unit_test(normalizes),
		cmocka_unit_test(leaves_small_changes_out),
		cmocka_unit_test(sees_no_difference_where_there_is_none),
		cmocka_unit_test(refuses_units_of_two_families),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
