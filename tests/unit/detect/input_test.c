/* Lists of numbers as text and as JSON, and what is wrong with some. */
#include "detect/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct pn_numbers numbers;

static void parses(const char *text, const double *values, size_t count)
{
	struct pn_error err;
	size_t i;

	if (pn_numbers_parse(&numbers, text, strlen(text), 1, &err))
		fail_msg("%s: %s", text, err.message);
	assert_int_equal(numbers.count, count);
	for (i = 0; i < count; i++)
		assert_true(numbers.values[i] == values[i] ||
			    (isnan(values[i]) && isnan(numbers.values[i])));
}

static void refuses(const char *text, const char *message)
{
	struct pn_error err = {0};

	assert_true(pn_numbers_parse(&numbers, text, strlen(text), 3, &err) <
		    0);
	assert_string_equal(err.message, message);
}

static void words_are_numbers_or_missing(void **state)
{
	const double values[] = {1, -2.5, NAN, 1e300, NAN};

	(void)state;
	parses(" 1\n-2.5\t-\r\n1e300 NaN\n", values, 5);
	parses("", values, 0);
	parses("  \n", values, 0);
}

static void json_is_a_list_or_has_values(void **state)
{
	const double values[] = {1, NAN, 3};

	(void)state;
	parses("[1, null, 3.0]", values, 3);
	parses(" {\"name\": [4], \"values\": [1, NaN, 3], \"n\": {}}", values,
	       3);
	parses("[]", values, 0);
}

static void what_is_no_number_is_named_with_its_line(void **state)
{
	(void)state;
	refuses("1\n2 3x\n4", "line 4: '3x' is not a finite number");
	refuses("inf", "line 3: 'inf' is not a finite number");
	refuses("1e999", "line 3: '1e999' is not a finite number");
	refuses("[1, \"2\"]", "line 3: [1]: expected a finite number or null, "
			      "have a string");
	refuses("[1, 1e999]", "line 3: [1]: expected a finite number or null, "
			      "have 1e999");
	refuses("{\"value\": []}", "line 3: no list \"values\" in the object");
}

static void a_list_of_too_many_is_refused(void **state)
{
	size_t len = 2 * (PN_INPUT_MAX_VALUES + 1), i;
	char *text = malloc(len);
	struct pn_error err;

	(void)state;
	for (i = 0; i < len; i += 2)
		memcpy(text + i, "1\n", 2);
	assert_int_equal(pn_numbers_parse(&numbers, text, len, 1, &err),
			 PN_ELIMIT);
	assert_string_equal(err.message, "a list of more than 1000000 numbers");
	assert_int_equal(pn_numbers_parse(&numbers, text, len - 2, 1, &err), 0);
	assert_int_equal(numbers.count, PN_INPUT_MAX_VALUES);
	free(text);
}

static void pair_is(const char *text, double a, double b)
{
	struct pn_numbers other = {0};
	struct pn_error err;

	if (pn_numbers_parse_pair(&numbers, &other, text, strlen(text), &err))
		fail_msg("%s: %s", text, err.message);
	assert_true(numbers.count == 1 && other.count == 1);
	assert_true(numbers.values[0] == a && other.values[0] == b);
	pn_numbers_release(&other);
}

static void pair_fails(const char *text, const char *message)
{
	struct pn_numbers other = {0};
	struct pn_error err = {0};

	assert_true(pn_numbers_parse_pair(&numbers, &other, text, strlen(text),
					  &err) < 0);
	assert_string_equal(err.message, message);
	pn_numbers_release(&other);
}

static void a_pair_is_two_lines_or_two_lists(void **state)
{
	(void)state;
	pair_is("\n1\n\n2", 1, 2);
	pair_is("[[1],[2]]\n", 1, 2);
	pair_is("{\"target\": [2], \"baseline\": [1]}", 1, 2);
	pair_fails("1 2\n", "need two lines of numbers, have 1");
	pair_fails("1\n2\n3\n", "line 3: need two lines of numbers, have more");
	pair_fails("{\"baseline\": [1]}", "no list \"target\" in the object");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_numbers_or_missing),
		cmocka_unit_test(json_is_a_list_or_has_values),
		cmocka_unit_test(what_is_no_number_is_named_with_its_line),
		cmocka_unit_test(a_list_of_too_many_is_refused),
		cmocka_unit_test(a_pair_is_two_lines_or_two_lists),
	};
	int code = cmocka_run_group_tests(tests, NULL, NULL);

	pn_numbers_release(&numbers);
	return code;
}
