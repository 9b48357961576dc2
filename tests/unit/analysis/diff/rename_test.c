/* Functions that go by another name: which are taken for one. */
#include "analysis/diff/diff.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "stacks.h"

struct weighed {
	const char *stack;
	int64_t value;
};

static void fill(struct pn_profile *p, const struct weighed *list)
{
	pn_profile_init(p);
	pn_profile_add_type(p, "cpu", "ms");
	for (; list->stack; list++)
		add_sample(p, list->stack, list->value);
}

/* "lookup<get +5" for each renamed row, with its delta; the largest first. */
static void expect(const struct weighed *before, const struct weighed *after,
		   enum pn_granularity by, const char *want)
{
	struct pn_report_options all = {.divide_by = 1, .granularity = by};
	struct pn_diff_options options = {0};
	struct pn_profile old_profile, new_profile;
	struct pn_report old, new;
	struct pn_buf text = {0};
	struct pn_error err;
	struct pn_diff diff;
	size_t i;

	fill(&old_profile, before);
	fill(&new_profile, after);
	if (pn_report_init(&old, &old_profile, &all, &err) ||
	    pn_report_init(&new, &new_profile, &all, &err) ||
	    pn_diff_init(&diff, &old, &new, &options, &err))
		fail_msg("%s", err.message);
	for (i = 0; i < diff.row_count; i++) {
		const struct pn_diff_row *row = &diff.rows[i];

		if (row->state == PN_DIFF_RENAMED)
			pn_buf_printf(&text, "%s<%s %+g;", row->name,
				      row->old_name, row->delta);
		else
			assert_null(row->old_name);
	}
	assert_string_equal(pn_buf_text(&text), want);
	pn_buf_release(&text);
	pn_diff_release(&diff);
	pn_report_release(&old);
	pn_report_release(&new);
	pn_profile_release(&old_profile);
	pn_profile_release(&new_profile);
}

static const struct weighed get[] = {
	{"main", 1}, {"main > other", 60}, {"main > get", 40}, {NULL, 0}};

static void knows_a_function_by_its_caller_and_cost(void **state)
{
	static const struct weighed lookup[] = {
		{"main", 1}, {"main > other", 60}, {"main > lookup", 45}, {0}};

	(void)state;
	/* 40 of 101 and 45 of 106: shares .396 and .425, 7 % apart */
	expect(get, lookup, PN_BY_FUNCTIONS, "lookup<get +5;");
	expect(get, lookup, PN_BY_FILEFUNCTIONS,
	       "lookup lookup.c<get get.c +5;");
	expect(get, lookup, PN_BY_LINES, ""); /* a line is no function */
	expect(get, get, PN_BY_FUNCTIONS, "");
}

static void one_caller_does_not_do_for_another_cost(void **state)
{
	static const struct weighed lookup[] = {
		{"main", 1}, {"main > other", 60}, {"main > lookup", 10}, {0}};

	(void)state;
	/* shares .396 and .141 */
	expect(get, lookup, PN_BY_FUNCTIONS, "");
}

/* 40 of 641 and 40 of 46: another share, but what it cost before. */
static void an_equal_cost_does_for_another_share(void **state)
{
	static const struct weighed before[] = {
		{"main", 1}, {"main > other", 600}, {"main > get", 40}, {0}};
	static const struct weighed after[] = {
		{"main", 1}, {"main > other", 5}, {"main > lookup", 40}, {0}};
	static const struct weighed dearer[] = {
		{"main", 1}, {"main > other", 5}, {"main > lookup", 80}, {0}};
	static const struct weighed symbols[] = {{"main", 1},
						 {"main > other", 600},
						 {"main > get.isra.0", 40},
						 {0}};
	static const struct weighed symbol[] = {
		{"main", 1}, {"main > other", 5}, {"main > get", 40}, {0}};

	(void)state;
	expect(before, after, PN_BY_FUNCTIONS, "lookup<get +0;");
	expect(before, dearer, PN_BY_FUNCTIONS, "");
	expect(symbols, symbol, PN_BY_FUNCTIONS, "get<get.isra.0 +0;");
}

static void three_callers_do_for_any_cost(void **state)
{
	static const struct weighed before[] = {{"main > other", 60},
						{"main > a > get", 10},
						{"main > b > get", 10},
						{"main > c > get", 10},
						{0}};
	static const struct weighed after[] = {{"main > other", 60},
					       {"main > a > lookup", 30},
					       {"main > b > lookup", 30},
					       {"main > c > lookup", 30},
					       {0}};

	(void)state;
	expect(before, after, PN_BY_FUNCTIONS, "lookup<get +60;");
}

static void other_callers_make_another_function(void **state)
{
	static const struct weighed before[] = {{"main > a", 10},
						{"main > b", 10},
						{"main > a > get", 40},
						{0}};
	static const struct weighed after[] = {{"main > a", 10},
					       {"main > b", 10},
					       {"main > b > lookup", 40},
					       {0}};

	(void)state;
	/* only the own cost is alike: 1 of 3 */
	expect(before, after, PN_BY_FUNCTIONS, "");
}

static void what_could_be_two_is_neither(void **state)
{
	static const struct weighed after[] = {{"main", 1},
					       {"main > other", 60},
					       {"main > one", 45},
					       {"main > two", 45},
					       {0}};

	(void)state;
	expect(get, after, PN_BY_FUNCTIONS, "");
}

static void tells_two_renamed_ones_apart_by_cost(void **state)
{
	static const struct weighed before[] = {
		{"main > other", 50}, {"main > a", 40}, {"main > b", 10}, {0}};
	static const struct weighed after[] = {
		{"main > other", 50}, {"main > x", 10}, {"main > y", 41}, {0}};

	(void)state;
	expect(before, after, PN_BY_FUNCTIONS, "y<a +1;x<b +0;");
}

static void says_nothing_of_small_ones(void **state)
{
	static const struct weighed before[] = {
		{"main > other", 1000}, {"main > get", 9}, {0}};
	static const struct weighed after[] = {
		{"main > other", 1000}, {"main > lookup", 9}, {0}};

	(void)state;
	expect(before, after, PN_BY_FUNCTIONS, ""); /* below 1 % */
}

static void knows_names_that_a_compiler_made(void **state)
{
	static const struct weighed before[] = {
		{"main > other", 1000}, {"main > a > work.isra.0", 9},
		{"main > f<int>", 8},	{"main > g<int>", 8},
		{"main > g<char>", 8},	{0}};
	static const struct weighed after[] = {{"main > other", 1000},
					       {"main > b > work", 8},
					       {"main > f<long>", 4},
					       {"main > g<long>", 8},
					       {0}};

	(void)state;
	/* f costs half as much, g could be either of two */
	expect(before, after, PN_BY_FUNCTIONS, "work<work.isra.0 -1;");
}

static void follows_recursion_and_inlined_calls(void **state)
{
	static const struct weighed before[] = {{"main > other", 50},
						{"main > get > get:leaf", 30},
						{"main > get > get", 20},
						{0}};
	static const struct weighed after[] = {
		{"main > other", 50},
		{"main > lookup > lookup:leaf", 31},
		{"main > lookup > lookup", 20},
		{0}};

	(void)state;
	expect(before, after, PN_BY_FUNCTIONS, "lookup<get +0;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_a_function_by_its_caller_and_cost),
		cmocka_unit_test(one_caller_does_not_do_for_another_cost),
		cmocka_unit_test(an_equal_cost_does_for_another_share),
		cmocka_unit_test(three_callers_do_for_any_cost),
		cmocka_unit_test(other_callers_make_another_function),
		cmocka_unit_test(what_could_be_two_is_neither),
		cmocka_unit_test(tells_two_renamed_ones_apart_by_cost),
		cmocka_unit_test(says_nothing_of_small_ones),
		cmocka_unit_test(knows_names_that_a_compiler_made),
		cmocka_unit_test(follows_recursion_and_inlined_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
