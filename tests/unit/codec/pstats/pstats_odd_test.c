/* Python's dumps that no profiler writes and Python loads. */
#include "codec/pstats_bytes.h"

#define F_IS "z\x01yi\x03\0\0\0z\x01g)\x05"
#define ONE_SECOND "g\0\0\0\0\0\0\xf0?"
#define NO_CALLERS ONE_SECOND ONE_SECOND "{00"

/* Python shows -3 and 2.5 calls; a profile has whole numbers of them. */
static void refuses_calls_that_are_no_count(void **state)
{
	/* 1 + 2 + 3 + 5 + 3 to the end of the key, and 2 + 5 + 5 + 2 * 9 + 1
	 * to where the callers begin; 2.5 takes 4 bytes more */
	static const char negative[] =
		"{)\x03" F_IS "i\x01\0\0\0i\xfd\xff\xff\xff" NO_CALLERS;
	static const char fraction[] =
		"{)\x03" F_IS "g\0\0\0\0\0\0\x04@i\x01\0\0\0" NO_CALLERS;

	(void)state;
	refuses(negative, sizeof(negative) - 1,
		"cannot read 'x': byte 45: a number of calls that is negative "
		"or not whole before here");
	refuses(fraction, sizeof(fraction) - 1,
		"cannot read 'x': byte 49: a number of calls that is negative "
		"or not whole before here");
}

/* A function that comes a second time, without callers: nothing is left of the
 * first, nor of who called that only. */
static void takes_the_last_of_two(void **state)
{
	static const char dump[] =
		"{)\x03" F_IS "i\x07\0\0\0i\x07\0\0\0" ONE_SECOND ONE_SECOND
		"{)\x03z\x01qi\x09\0\0\0z\x01qi\x07\0\0\0"
		"0)\x03" F_IS "i\x01\0\0\0g\0\0\0\0\0\0\0@" NO_CALLERS;
	struct pn_profile p;

	(void)state;
	read_good(&p, dump, sizeof(dump) - 1);
	assert_int_equal(p.graph.node_count, 1);
	assert_int_equal(p.graph.edge_count, 0);
	assert_int_equal(p.graph.nodes[0].primitive, 1);
	assert_int_equal(p.graph.nodes[0].calls, 2); /* 2.0 */
	assert_true(p.graph.self[0].d == 1);
	assert_false(p.complete);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_calls_that_are_no_count),
		cmocka_unit_test(takes_the_last_of_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
