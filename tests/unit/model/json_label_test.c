/*
 * Flat texts of nested values. Those of objects with known keys follow the
 * order that Perun gives them; the order of "a" and "b" and so on is that of
 * the numbers 97+6 and 98+6, of "aa" it is 103103.
 */
#include "model/json_label.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void check_flat(const char *json, const char *want)
{
	struct pn_json_tree value = {0};
	struct pn_error err = {0};
	struct pn_buf out = {0};
	uint64_t budget = 1 << 20;

	if (pn_json_tree_parse(&value, json, strlen(json), &err) ||
	    pn_json_label_flatten(&out, &value, 0, &budget, &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_buf_text(&out), want);
	pn_json_tree_release(&value);
	pn_buf_release(&out);
}

static void prints_scalars_as_python_does(void **state)
{
	(void)state;
	check_flat("\"main\"", "main");
	check_flat("3", "3");
	check_flat("1E2", "100.0");
	check_flat("0.00001", "1e-05");
	check_flat("true", "True");
	check_flat("false", "False");
	check_flat("null", "None");
	check_flat("NaN", "nan");
	check_flat("-Infinity", "-inf");
	check_flat("123456789012345678901234567890",
		   "123456789012345678901234567890");
}

/* The first is the example of Perun's own documentation of all_items_of. */
static void orders_objects_by_what_their_keys_mean(void **state)
{
	(void)state;
	check_flat("{\"source\":\"../memory_collect_test.c\",\"function\":"
		   "\"main\",\"line\":22}",
		   "../memory_collect_test.c:main:22");
	check_flat("{\"line\":22,\"function\":\"main\",\"source\":\"m.c\"}",
		   "m.c:main:22");
	check_flat("{\"instruction\":7,\"line\":6,\"procedure\":5,"
		   "\"structure\":4,\"module\":3,\"package\":2,\"bin\":1}",
		   "1:2:3:4:5:6:7");
	check_flat("{\"aa\":4,\"b\":3,\"a\":2,\"line\":1}", "1:2:3:4");
	/* equal places: as they stand */
	check_flat("{\"func\":1,\"method\":2,\"function\":3}", "1:2:3");
	check_flat("{}", "");
}

/*
 * The items of {"a": {"line": 1, "bin": 2}} are a:line, a:bin and, as a whole,
 * a: 2:1. The numbers of their keys are 103 for a, then 10364104111116 for
 * a:bin and 10364114111116107 for a:line: 2:1, 2, 1.
 */
static void counts_nested_objects_twice(void **state)
{
	(void)state;
	check_flat("{\"a\":{\"line\":1,\"bin\":2}}", "2:1:2:1");
	check_flat("{\"function\":{\"line\":1}}", "1:1");
}

static void joins_lists_by_commas(void **state)
{
	(void)state;
	check_flat("[1,\"a\",null]", "1,a,None");
	check_flat("[[1,2],[3]]", "1,2,3");
	check_flat("[{\"line\":1,\"bin\":2},3]", "1:2,3");
	check_flat("{\"line\":[1,2],\"bin\":0}", "0:1,2");
	check_flat("[]", "");
}

/* Coefficients of models stand as lists of names and values. */
static void takes_lists_of_names_and_values_for_objects(void **state)
{
	(void)state;
	check_flat("{\"coeffs\":[{\"name\":\"line\",\"value\":2},"
		   "{\"value\":1,\"name\":\"bin\"}]}",
		   "1:2:1:2");
	check_flat("{\"coeffs\":[{\"name\":\"line\",\"value\":2,\"x\":3}]}",
		   "line:2:3");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints_scalars_as_python_does),
		cmocka_unit_test(orders_objects_by_what_their_keys_mean),
		cmocka_unit_test(counts_nested_objects_twice),
		cmocka_unit_test(joins_lists_by_commas),
		cmocka_unit_test(takes_lists_of_names_and_values_for_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
