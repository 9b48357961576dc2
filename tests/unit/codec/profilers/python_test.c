/* Profilers of Python, and what their files add up to. */
#include "sums.h"

#include "codec/json/walk.h"
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

/* Of a second and what leaves it: main 590 - 400 - 150 ms of its own, dumps
 * 150 - 140.001 - 10, which is the reporter's rounding, and "[self]". */
static void pyinstrument_has_own_times(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "pyinstrument/session.json"),
			 &pn_codec_pyinstrument);
	assert_int_equal(of_stack(&p, "time", "<module>"), 10000000);
	assert_int_equal(of_stack(&p, "time", "<module>;main"), 40000000);
	assert_int_equal(of_stack(&p, "time", "<module>;main;Task.work"),
			 400000000);
	assert_int_equal(of_stack(&p, "time", "<module>;main;dumps"), 10000000);
	assert_int_equal(of_stack(&p, "time", "<module>;main;dumps;encode"),
			 140001000);
	assert_int_equal(p.time_ns, 1700000000500000000);
	assert_int_equal(p.duration_ns, 600000000);
	assert_string_equal(pn_profile_text(&p, p.header.cmd),
			    "bench.py --fast");
	pn_profile_release(&p);
	refuses_text(&pn_codec_pyinstrument, "{\"sample_count\": 1}",
		     "expected root_frame");
}

/* f calls itself: each call has 1 ms more below it, so 1 ms is its own. */
static void nest(struct pn_buf *out, int depth)
{
	int i;

	pn_buf_clear(out);
	pn_buf_add_text(out, "{\"sample_count\": 1, \"root_frame\": ");
	for (i = 0; i < depth; i++)
		pn_buf_printf(out,
			      "{\"function\": \"f%d\", \"time\": %d.%03d, "
			      "\"children\": [",
			      i, (depth - i) / 1000, (depth - i) % 1000);
	for (i = 0; i < depth; i++)
		pn_buf_add_text(out, "]}");
	pn_buf_add_text(out, "}");
}

static void pyinstrument_is_read_as_deep_as_python_goes(void **state)
{
	static const int depths[] = {1000, PN_JSON_TREE_DEPTH};
	struct pn_buf text = {0};
	struct pn_profile p;
	struct pn_error err;
	size_t i, at;

	(void)state;
	for (i = 0; i < 2; i++) {
		nest(&text, depths[i]);
		pn_profile_init(&p);
		assert_int_equal(
			pn_codec_read_memory(&p, &pn_codec_pyinstrument,
					     text.data, text.len, "x", &err),
			0);
		assert_int_equal(p.sample_count, depths[i]);
		for (at = 0; at < p.sample_count; at++)
			assert_int_equal(p.values[at].i, 1000000);
		assert_int_equal(p.stack_start[p.stack_count] -
					 p.stack_start[p.stack_count - 1],
				 depths[i]);
		pn_profile_release(&p);
	}
	nest(&text, PN_JSON_TREE_DEPTH + 1);
	pn_profile_init(&p);
	assert_int_equal(pn_codec_read_memory(&p, &pn_codec_pyinstrument,
					      text.data, text.len, "x", &err),
			 PN_ELIMIT);
	assert_string_equal(err.message, "cannot read 'x': more than 4000 "
					 "children below each other");
	pn_profile_release(&p);
	pn_buf_release(&text);
}

/* 4096 + 904 bytes of one stack, 1000 and 24 of others. */
static void memray_adds_up_stacks(void **state)
{
	static const struct sum sums[] = {{"Memory", 6024}};
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "memray/gprof2dot.json"),
			 &pn_codec_memray);
	has_sums(&p, sums, 1);
	assert_int_equal(p.types[0].role, PN_ROLE_PEAK);
	assert_int_equal(of_stack(&p, "Memory", "<module>;work;fill"), 5000);
	assert_int_equal(of_stack(&p, "Memory", "<module>;loads"), 24);
	pn_profile_release(&p);
	refuses_text(&pn_codec_memray,
		     "{\"costs\": [{\"description\": \"x\"}], \"events\": "
		     "[{\"callchain\": [1], \"cost\": [2]}], \"functions\": "
		     "[{\"name\": \"f\"}]}",
		     "events[0].callchain: function 1 of 1");
}

static void has_metric(const struct pn_profile *p, const char *name,
		       double value)
{
	const struct pn_metric *m = pn_profile_metric(p, name);

	assert_non_null(m);
	assert_int_equal(m->value_count, 1);
	assert_true(m->values[0] == value);
	assert_int_equal(m->better, PN_BETTER_LESS);
}

static void memray_has_the_figures_of_a_run(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "memray/stats.json"), &pn_codec_memray);
	has_metric(&p, "allocations", 1201);
	has_metric(&p, "allocated", 73728000);
	has_metric(&p, "peak memory", 8388608);
	pn_profile_release(&p);
}

/* One line has all of the time, 66679239 ns, of which 36.87550840842179 per
 * cent are Python's, and one function. */
static void scalene_has_parts_of_the_time(void **state)
{
	struct pn_profile p;

	(void)state;
	assert_ptr_equal(read_data(&p, "scalene/lines.json"),
			 &pn_codec_scalene);
	assert_int_equal(of_stack(&p, "time", "fill"), 66679239);
	assert_int_equal(of_stack(&p, "python", "fill"),
			 (int64_t)(.3687550840842179 * 66679239 + .5));
	/* 8.868337631225586 MB at line 11 */
	assert_int_equal(p.sample_count, 1);
	assert_int_equal(of_stack(&p, "allocated", "fill"), 9299126);
	has_metric(&p, "peak footprint", 9.52803897857666 * 1048576);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(austin_has_the_times_of_its_lines),
		cmocka_unit_test(austin_has_all_three_numbers),
		cmocka_unit_test(austin_3_has_files_before_functions),
		cmocka_unit_test(pyinstrument_has_own_times),
		cmocka_unit_test(pyinstrument_is_read_as_deep_as_python_goes),
		cmocka_unit_test(memray_adds_up_stacks),
		cmocka_unit_test(memray_has_the_figures_of_a_run),
		cmocka_unit_test(scalene_has_parts_of_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
