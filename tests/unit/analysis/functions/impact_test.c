/* Which functions lines are in, by the lines that functions have costs at. */
#include "analysis/functions/impact.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* f and g are mixed, h has one line, i two with a gap. */
enum { F = 1, G, H, I };

static struct pn_costed_line items[] = {
	{10, F, true},	{12, F, false}, {14, F, false}, {14, G, false},
	{16, G, false}, {20, H, true},	{30, I, true},	{35, I, false},
};
static const struct pn_costed_lines lines = {items,
					     sizeof(items) / sizeof(*items), 0};

/* Exactly these, in that order, 0 at the end. */
static void are(int64_t line, bool between, uint32_t first, uint32_t second)
{
	const uint32_t expected[] = {first, second};
	size_t at = 0, i;

	for (i = 0; i < 2 && expected[i]; i++)
		assert_int_equal(pn_impact_next(&at, &lines, line, between),
				 expected[i]);
	assert_int_equal(pn_impact_next(&at, &lines, line, between), PN_NONE);
}

static void a_line_with_costs_is_in_those_that_have_them(void **state)
{
	(void)state;
	are(10, false, F, 0);
	are(14, false, F, G);
	are(16, false, G, 0);
	are(20, false, H, 0);
}

/* 11 and 13 are between lines of f, 15 of g, 32 of i; 17 to 19 are between g
 * and h, 25 between h and i; nothing is before 10 or behind 35. */
static void other_lines_are_in_what_goes_on_behind_them(void **state)
{
	(void)state;
	are(11, false, F, 0);
	are(13, false, F, 0);
	are(15, false, G, 0);
	are(32, false, I, 0);
	are(18, false, 0, 0);
	are(25, false, 0, 0);
	are(9, false, 0, 0);
	are(36, false, 0, 0);
}

/* What is put behind 12 is before 14, which f has costs at; behind 14 it is
 * before 16, where g has some and f none; behind 16 stands h. */
static void what_is_put_between_lines_is_in_what_both_have(void **state)
{
	(void)state;
	are(10, true, F, 0);
	are(12, true, F, 0);
	are(14, true, G, 0);
	are(16, true, 0, 0);
	are(31, true, I, 0);
	are(35, true, 0, 0);
}

/* Only of h no more is known than where it begins. */
static void a_function_that_begins_before_is_a_guess(void **state)
{
	(void)state;
	assert_int_equal(pn_impact_begun(&lines, 20), H);
	assert_int_equal(pn_impact_begun(&lines, 29), H);
	assert_int_equal(pn_impact_begun(&lines, 18), PN_NONE);
	assert_int_equal(pn_impact_begun(&lines, 40), PN_NONE);
	assert_int_equal(pn_impact_begun(&lines, 9), PN_NONE);
}

static void gits_line_of_a_function_names_it(void **state)
{
	static const struct {
		const char *context, *name;
		bool same;
	} cases[] = {
		{"static int parse(const char *text)", "parse", true},
		{"int parse(void)", "parser", false},
		{"void list::add(int)", "list::add", true},
		{"void list::add(int)", "add", false},
		{"std::vector<int> split(std::string s)", "split(std::string)",
		 true},
		{"template<class T> T max_of(T a, T b)",
		 "int max_of<int>(int, int)", true},
		{"__attribute__((noinline)) void work(int n)", "work", true},
		{"struct point {", "point", false},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (pn_impact_names(cases[i].context, cases[i].name) !=
		    cases[i].same)
			fail_msg("'%s' and '%s'", cases[i].context,
				 cases[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_with_costs_is_in_those_that_have_them),
		cmocka_unit_test(other_lines_are_in_what_goes_on_behind_them),
		cmocka_unit_test(
			what_is_put_between_lines_is_in_what_both_have),
		cmocka_unit_test(a_function_that_begins_before_is_a_guess),
		cmocka_unit_test(gits_line_of_a_function_names_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
