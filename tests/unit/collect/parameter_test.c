/* Parameters: lists, scans, combinations, replacement. */
#include "collect/parameter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

static void assert_values(const struct pn_parameter *p, const char *joined)
{
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < p->count; i++) {
		if (i)
			pn_buf_add_byte(&text, '|');
		pn_buf_add_text(&text, p->values[i]);
	}
	assert_string_equal(pn_buf_text(&text), joined);
	pn_buf_release(&text);
}

static void assert_scan(const char *text, const char *joined)
{
	struct pn_parameter p = {0};
	struct pn_error err = {0};

	if (pn_parameter_parse_scan(&p, text, &err))
		fail_msg("%s", err.message);
	assert_values(&p, joined);
	pn_parameter_release(&p);
}

static void splits_a_list_at_its_commas(void **state)
{
	struct pn_parameter p = {0};

	(void)state;
	assert_int_equal(pn_parameter_parse_list(&p, "size,1,,a\\,b,\\x", NULL),
			 0);
	assert_string_equal(p.name, "size");
	assert_values(&p, "1||a,b|\\x");
	pn_parameter_release(&p);
}

static void counts_whole_numbers_up_and_down(void **state)
{
	(void)state;
	assert_scan("n,1,4", "1|2|3|4");
	assert_scan("n,1,8,3", "1|4|7");
	assert_scan("n,2,-1", "2|1|0|-1");
	assert_scan("n,10,0,-5", "10|5|0");
	assert_scan("n,5,5", "5");
}

static void counts_fractions_exactly(void **state)
{
	(void)state;
	/* in binary floating point 0.1 + 0.2 is above 0.3 */
	assert_scan("x,0.1,0.3,0.1", "0.1|0.2|0.3");
	assert_scan("x,-0.5,0.5,0.25", "-0.50|-0.25|0.00|0.25|0.50");
	assert_scan("x,0.5,2", "0.5|1.5");
	assert_scan("x,1,1.001,.0005", "1.0000|1.0005|1.0010");
}

static void refuses_what_is_no_scan(void **state)
{
	static const char *const bad[] = {
		"n",
		"n,1",
		",1,2",
		"n,1,2,0",
		"n,1,2,3,4",
		"n,a,b",
		"n,1,2,-1",
		"n,1e3,2",
		"n,1,,2",
		"n,1.5.5,2",
		"n,1,.",
		"{n},1,2",
		"n,1,5,",
		"n,0,1,0.0000000001",
		"n,0,99999999999999999999",
		"n,1000000000,1000000001,0.000000001"};
	struct pn_parameter p = {0};
	struct pn_error err;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (pn_parameter_parse_scan(&p, bad[i], &err) != PN_EINVAL)
			fail_msg("accepted '%s'", bad[i]);
	assert_int_equal(pn_parameter_parse_scan(&p, "n,1,1001", &err),
			 PN_ELIMIT);
	assert_string_equal(err.message,
			    "parameter 'n' has more than 1000 values");
	assert_null(p.name);
	assert_int_equal(pn_parameter_parse_list(&p, "n", &err), PN_EINVAL);
	assert_int_equal(pn_parameter_parse_list(&p, ",a", &err), PN_EINVAL);
}

static void replaces_every_combination_once(void **state)
{
	static const char *const expected[] = {"x-1 {c} a", "y-1 {c} a",
					       "z-1 {c} a", "x-2 {c} a",
					       "y-2 {c} a", "z-2 {c} a"};
	struct pn_parameter p[2] = {{0}};
	bool used[2] = {false, false};
	struct pn_buf text = {0};
	size_t i;

	(void)state;
	assert_int_equal(pn_parameter_parse_scan(&p[0], "a,1,2", NULL), 0);
	assert_int_equal(pn_parameter_parse_list(&p[1], "bb,x,y,z", NULL), 0);
	assert_int_equal(pn_parameter_combinations(p, 2, 6), 6);
	assert_int_equal(pn_parameter_combinations(p, 2, 5), 0);
	assert_int_equal(pn_parameter_combinations(p, 0, 5), 1);
	for (i = 0; i < 6; i++) {
		pn_buf_clear(&text);
		pn_parameter_replace(&text, used, "{bb}-{a} {c} a", p, 2, i);
		assert_string_equal(pn_buf_text(&text), expected[i]);
	}
	assert_true(used[0] && used[1]);
	pn_buf_release(&text);
	pn_parameter_release(&p[0]);
	pn_parameter_release(&p[1]);
}

static void does_not_look_into_what_it_put_there(void **state)
{
	struct pn_parameter p[2] = {{0}};
	bool used[2] = {false, false};
	struct pn_buf text = {0};

	(void)state;
	assert_int_equal(pn_parameter_parse_list(&p[0], "a,{b}", NULL), 0);
	assert_int_equal(pn_parameter_parse_list(&p[1], "b,{a}", NULL), 0);
	pn_parameter_replace(&text, used, "{a}{{a}", p, 2, 0);
	assert_string_equal(pn_buf_text(&text), "{b}{{b}");
	assert_true(used[0] && !used[1]);
	pn_buf_release(&text);
	pn_parameter_release(&p[0]);
	pn_parameter_release(&p[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(splits_a_list_at_its_commas),
		cmocka_unit_test(counts_whole_numbers_up_and_down),
		cmocka_unit_test(counts_fractions_exactly),
		cmocka_unit_test(refuses_what_is_no_scan),
		cmocka_unit_test(replaces_every_combination_once),
		cmocka_unit_test(does_not_look_into_what_it_put_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
