/* Profilers of Python, and what their files add up to. */
#include "sums.h"

#include "codec/rows.h"

/* awk: 36 lines of 189057 us, of which those of two threads are 149745 and
 * 39312; ten lines of fill at line 11 are 52129. */
static void austin_has_the_times_of_its_lines(void **state)
{
	static const struct sum sums[] = {{"samples", 36}, {"time", 189057}};
	struct pn_profile p;
	int64_t by_thread[2] = {0};
	size_t i;

	(void)state;
	assert_ptr_equal(read_data(&p, "austin/wall.austin"), &pn_codec_austin);
	has_sums(&p, sums, 2);
	assert_int_equal(of_stack(&p, "time", "<module>;fill"), 52129);
	assert_int_equal(p.events.count, 36);
	assert_int_equal(p.events.thread_count, 2);
	assert_string_equal(pn_profile_text(&p, p.events.threads[1].id),
			    "55a466a70c20");
	for (i = 0; i < p.events.count; i++)
		by_thread[p.events.items[i].thread] +=
			p.events.items[i].duration_ns;
	assert_int_equal(by_thread[0], 149745000);
	assert_int_equal(by_thread[1], 39312000);
	/* the second thread appears behind eleven lines of 51295 us, with one
	 * of 5109 */
	assert_int_equal(p.events.items[11].thread, 1);
	assert_int_equal(p.events.items[11].time_ns, (51295 - 5109) * 1000);
	pn_profile_release(&p);
}

/* awk: 108620 us, 11360 and -8560 KB */
static void austin_has_all_three_numbers(void **state)
{
	static const struct sum sums[] = {{"samples", 19},
					  {"freed", 8560 * 1024},
					  {"allocated", 11360 * 1024},
					  {"time", 108620}};
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "austin/full.austin"), &pn_codec_austin);
	has_sums(&p, sums, 4);
	pn_profile_release(&p);
}

/* As README.md of 3.7 has it; also with -a. */
static void austin_3_has_files_before_functions(void **state)
{
	static const char *const texts[] = {
		"# austin: 3.7.0\n# interval: 100\n# mode: full\n"
		"P42;T7;/a b/main.py:<module>:12;/a b/main.py:work:3 "
		"110,0,4096\n"
		"P42;T7;/a b/main.py:<module>:12;/a b/main.py:work:3;:GC: "
		"90,1,-1024\n\n# duration: 200\n",
		"# austin: 3.7.0\n# interval: 100\n# mode: full\n"
		"P42;T7;/a b/main.py:<module>;L12;/a b/main.py:work;L3 "
		"110,0,4096\n"
		"P42;T7;/a b/main.py:<module>;L12;/a b/main.py:work;L3;:GC: "
		"90,1,-1024\n\n# duration: 200\n"};
	static const struct sum sums[] = {{"samples", 2},
					  {"freed", 1024},
					  {"allocated", 4096},
					  {"cpu", 110},
					  {"time", 200}};
	struct pn_profile p;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		read_good(&p, NULL, texts[i]);
		has_sums(&p, sums, 5);
		assert_int_equal(of_stack(&p, "time", "<module>;work"), 110);
		assert_int_equal(of_stack(&p, "time", "<module>;work;:GC:"),
				 90);
		assert_string_equal(pn_profile_text(&p, p.functions[0].file),
				    "/a b/main.py");
		assert_int_equal(p.lines[0].line, 12);
		assert_int_equal(p.period, 100);
		assert_int_equal(p.duration_ns, 200000);
		assert_string_equal(
			pn_profile_text(&p, p.events.processes[0].id), "42");
		pn_profile_release(&p);
	}
	refuses_text(&pn_codec_austin, "# austin: 3.7.0\nP1;T2;a:b:3\n",
		     "line 2: expected 'P<pid>;T<tid>;<frames> <number>', as "
		     "the lines before it");
	refuses_text(&pn_codec_austin, "# austin: 3.7.0\n",
		     "samples of austin, but none in it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(austin_has_the_times_of_its_lines),
		cmocka_unit_test(austin_has_all_three_numbers),
		cmocka_unit_test(austin_3_has_files_before_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
