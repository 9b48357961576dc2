/* What is told from time to time, of each format that has counters. */
#include "codec_text.h"

/* "<name> <unit>/<unit of positions>: <position>=<value> ..." of every curve */
static void has_curves(const char *input, const char *expected)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	size_t i, k;

	read_good(&p, NULL, input);
	for (i = 0; i < p.curves.count; i++) {
		const struct pn_curve *c = &p.curves.items[i];

		pn_buf_printf(&text, "%s %s/%s:", pn_profile_text(&p, c->name),
			      pn_profile_text(&p, c->unit),
			      pn_profile_text(&p, c->along));
		for (k = c->first; k < c->first + c->count; k++)
			pn_buf_printf(&text, " %g=%g",
				      p.curves.points[k].position,
				      p.curves.points[k].value);
		pn_buf_add_byte(&text, '\n');
	}
	assert_string_equal(pn_buf_text(&text), expected);
	assert_int_equal(pn_profile_check(&p, NULL), 0);
	pn_buf_release(&text);
	pn_profile_release(&p);
}

#define CALL                                                                   \
	"{\"name\":\"f\",\"ph\":\"X\",\"ts\":1000,\"dur\":500,\"pid\":1,"      \
	"\"tid\":1}"

/* Microseconds are milliseconds here; points come in order of time, members
 * before "ph" count, texts and other phases do not. */
static void chrome_counters_are_curves(void **state)
{
	(void)state;
	has_curves("{\"traceEvents\":[" CALL
		   ",{\"name\":\"heap\",\"ph\":\"C\",\"ts\":1200,\"pid\":1,"
		   "\"args\":{\"used\":7,\"free\":3.5}},"
		   "{\"args\":{\"value\":1,\"name\":\"x\"},\"name\":\"fps\","
		   "\"ts\":1100,\"pid\":1,\"ph\":\"C\"},"
		   "{\"args\":{\"value\":9},\"name\":\"fps\",\"ts\":1100,"
		   "\"pid\":1,\"ph\":\"I\"},"
		   "{\"name\":\"heap\",\"ph\":\"C\",\"ts\":1100,\"pid\":1,"
		   "\"args\":{\"used\":5,\"free\":4}},"
		   "{\"name\":\"io\",\"ph\":\"C\",\"ts\":1000,\"pid\":1,"
		   "\"id\":4,\"args\":{\"read\":2}}]}",
		   "heap used /ms: 1.1=5 1.2=7\n"
		   "heap free /ms: 1.1=4 1.2=3.5\n"
		   "fps /ms: 1.1=1\n"
		   "io#4 read /ms: 1=2\n");
}

static void counters_of_one_name_say_their_process(void **state)
{
	(void)state;
	has_curves("[" CALL ",{\"name\":\"n\",\"ph\":\"C\",\"ts\":2000,"
		   "\"pid\":1,\"args\":{\"value\":1}},"
		   "{\"name\":\"n\",\"ph\":\"C\",\"ts\":3000,"
		   "\"pid\":2,\"args\":{\"value\":2}}]",
		   "n (1) /ms: 2=1\n"
		   "n (2) /ms: 3=2\n");
}

#define COUNTER(name, pid, ts, args)                                           \
	",{\"name\":\"" name "\",\"ph\":\"C\",\"pid\":" pid ",\"ts\":" ts      \
	",\"args\":{" args "}}"

/* What a series is called depends on its counter, not on one event. */
static void chrome_series_have_one_name(void **state)
{
	(void)state;
	has_curves("[" CALL COUNTER("h", "1", "1000", "\"value\":1") COUNTER(
			   "h", "1", "2000", "\"value\":2,\"other\":9")
			   COUNTER("h", "1", "3000", "\"value\":3")
				   COUNTER("g", "1", "1000", "\"g\":4") "]",
		   "h value /ms: 1=1 2=2 3=3\n"
		   "h other /ms: 2=9\n"
		   "g /ms: 1=4\n");
}

/* "n" of process 1 beside a counter "n (1)"; "a" has "b c" and "a b" has "c" */
static void names_of_curves_are_unique(void **state)
{
	(void)state;
	has_curves("[" CALL COUNTER("n", "1", "1000", "\"value\":1")
			   COUNTER("n", "2", "1000", "\"value\":2") COUNTER(
				   "n (1)", "1", "1000", "\"value\":77")
				   COUNTER("a", "1", "1000", "\"b c\":1")
					   COUNTER("a b", "1", "2000",
						   "\"c\":2") "]",
		   "n (1) /ms: 1=1\n"
		   "n (2) /ms: 1=2\n"
		   "n (1) #2 /ms: 1=77\n"
		   "a b c /ms: 1=1\n"
		   "a b c #2 /ms: 2=2\n");
}

/* 1,100 counters of which 1,024 are kept, with all their values. */
static void counters_are_bounded(void **state)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	size_t i;

	(void)state;
	pn_buf_add_text(&text, "[" CALL);
	for (i = 0; i < 2 * 1100; i++)
		pn_buf_printf(&text,
			      ",{\"name\":\"c%zu\",\"ph\":\"C\",\"ts\":%zu,"
			      "\"pid\":1,\"args\":{\"value\":1}}",
			      i % 1100, i);
	pn_buf_add_byte(&text, ']');
	read_good(&p, NULL, pn_buf_text(&text));
	assert_int_equal(p.curves.count, 1024);
	assert_int_equal(p.curves.point_count, 2 * 1024);
	assert_string_equal(pn_profile_text(&p, p.curves.items[1023].name),
			    "c1023");
	pn_profile_release(&p);
	pn_buf_release(&text);
}

#define THREAD                                                                 \
	"\"threads\":[{\"name\":\"t\",\"pid\":7,\"samples\":{\"stack\":[]},"   \
	"\"stackTable\":{\"frame\":[],\"prefix\":[]},"                         \
	"\"frameTable\":{\"func\":[]},\"funcTable\":{\"name\":[]},"            \
	"\"stringArray\":[]}]"

/* Memory is told by how much it grew: 100, 100 + 50, 150 - 20. */
static void firefox_counters_are_curves(void **state)
{
	(void)state;
	has_curves("{\"meta\":{\"preprocessedProfileVersion\":57},"
		   "\"counters\":[{\"name\":\"malloc\",\"category\":\"Memory\","
		   "\"pid\":\"7\",\"samples\":{\"time\":[1,2,4],"
		   "\"count\":[100,50,-20],\"length\":3}},"
		   "{\"name\":\"Power\",\"category\":\"power\",\"pid\":\"7\","
		   "\"samples\":{\"timeDeltas\":[1,2,4],\"count\":[5,6,7]}}]"
		   "," THREAD "}",
		   "malloc bytes/ms: 1=100 2=150 4=130\n"
		   "Power pWh/ms: 1=5 3=6 7=7\n");
}

#define FIREFOX(counters)                                                      \
	"{\"meta\":{\"preprocessedProfileVersion\":57},\"counters\":" counters \
	"," THREAD "}"
#define MALLOC(samples)                                                        \
	"{\"name\":\"malloc\",\"category\":\"Memory\",\"pid\":\"7\"," samples  \
	"}"
#define CPU(samples)                                                           \
	"{\"name\":\"cpu\",\"category\":\"CPU\",\"pid\":7,"                    \
	"\"samples\":" samples "}"

/* Whatever is no counter is left out, never the profile; and so is what is
 * told by its growth when a part of that is not known. */
static void firefox_leaves_out_what_is_no_counter(void **state)
{
	static const char *const none[] = {
		FIREFOX("null"),
		FIREFOX("{}"),
		FIREFOX("[null,1,[2]]"),
		FIREFOX("[" MALLOC("\"samples\":null") "]"),
		FIREFOX("[" MALLOC("\"sampleGroups\":null") "]"),
		FIREFOX("[" MALLOC("\"sampleGroups\":[null]") "]"),
		FIREFOX("[" MALLOC("\"samples\":{\"time\":[],"
				   "\"count\":[]}") "]"),
		FIREFOX("[" MALLOC("\"samples\":{\"time\":[1,2],"
				   "\"count\":[1]}") "]"),
		FIREFOX("[" MALLOC("\"samples\":{\"time\":[1,2],"
				   "\"count\":null}") "]"),
		FIREFOX("[" MALLOC("\"samples\":{\"time\":[1,2],"
				   "\"count\":[1,null]}") "]"),
		FIREFOX("[" CPU("{\"schema\":[],\"data\":[1,[2]]}") "]"),
		FIREFOX("[" CPU("{\"schema\":{\"time\":null,\"count\":-1},"
				"\"data\":[[1,2]]}") "]"),
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(none) / sizeof(*none); i++)
		has_curves(none[i], "");
	has_curves(FIREFOX("[null," CPU("{\"time\":[1,null,3,4],"
					"\"count\":[5,6,null,8]}") "]"),
		   "cpu /ms: 1=5 4=8\n");
	/* behind a difference that is not told no time is known */
	has_curves(FIREFOX("[" CPU("{\"timeDeltas\":[1,2,null,4],"
				   "\"count\":[5,6,7,8]}") "]"),
		   "cpu /ms: 1=5 3=6\n");
}

/* At 1 ms 10 + 100, at 2 ms 20 + 200 more; what is not in order of time: 10
 * at 1, 10 + 100 at 2, 110 + 1 at 3. */
static void firefox_sums_in_order_of_time(void **state)
{
	(void)state;
	has_curves(FIREFOX("[" MALLOC("\"sampleGroups\":["
				      "{\"samples\":{\"time\":[1,2],"
				      "\"count\":[10,20]}},"
				      "{\"samples\":{\"time\":[1,2],"
				      "\"count\":[100,200]}}]") "]"),
		   "malloc bytes/ms: 1=110 2=330\n");
	has_curves(FIREFOX("[" MALLOC("\"samples\":{\"time\":[3,1,2],"
				      "\"count\":[1,10,100]}") "]"),
		   "malloc bytes/ms: 1=10 2=110 3=111\n");
}

/* One name of one process, of two units. */
static void names_say_their_unit(void **state)
{
	(void)state;
	has_curves(FIREFOX("[{\"name\":\"x\",\"category\":\"Memory\","
			   "\"pid\":7,\"samples\":{\"time\":[1],"
			   "\"count\":[1]}},"
			   "{\"name\":\"x\",\"category\":\"power\","
			   "\"pid\":7,\"samples\":{\"time\":[1],"
			   "\"count\":[2]}}]"),
		   "x bytes/ms: 1=1\n"
		   "x [pWh] pWh/ms: 1=2\n");
}

/* 6e299 + 6e299 is beyond 1e300, 1e308 + 1e308 is no double; what spans both
 * -1.7e308 and 1e308 is none either. */
static void values_are_bounded(void **state)
{
	(void)state;
	has_curves(FIREFOX("[" MALLOC("\"samples\":{\"time\":[1,2,3],"
				      "\"count\":[6e299,6e299,6e299]}") "]"),
		   "malloc bytes/ms: 1=6e+299\n");
	has_curves(FIREFOX("[" MALLOC("\"samples\":{\"time\":[1,2,3],"
				      "\"count\":[1e308,1e308,1e308]}") "]"),
		   "");
	has_curves(FIREFOX("[" CPU("{\"timeDeltas\":[1,1e308,1e308],"
				   "\"count\":[4,5,6]}") "]"),
		   "cpu /ms: 1=4\n");
	has_curves("[" CALL COUNTER("m", "1", "1000", "\"v\":1e308")
			   COUNTER("m", "1", "2000", "\"v\":-1.7e308")
				   COUNTER("m", "1", "3000", "\"v\":3") "]",
		   "m v /ms: 3=3\n");
}

/* Rows, in the order of their schema; the second process began 10 ms later. */
static void gecko_counters_are_curves(void **state)
{
	(void)state;
	has_curves(
		"{\"libs\":[],\"meta\":{\"gcpoison\":0,\"startTime\":1000},"
		"\"counters\":[{\"name\":\"malloc\",\"category\":\"Memory\","
		"\"samples\":{\"schema\":{\"time\":0,\"number\":1,\"count\":2},"
		"\"data\":[[1,9,100],[2,9,50]]}}],"
		"\"threads\":[{\"name\":\"t\",\"pid\":7}],\"processes\":["
		"{\"meta\":{\"startTime\":1010},\"threads\":[{\"name\":\"u\","
		"\"pid\":8}],\"counters\":[{\"name\":\"malloc\","
		"\"category\":\"Memory\",\"sample_groups\":[{\"id\":0,"
		"\"samples\":{\"schema\":{\"time\":0,\"count\":1},\"data\":"
		"[[1,3],[2,4]]}}]}]}]}",
		"malloc (process 1) bytes/ms: 1=100 2=150\n"
		"malloc (8) bytes/ms: 11=3 12=7\n");
}

/* 9.4e6 ns and MB of 1,048,576 bytes. */
static void scalene_has_the_footprint(void **state)
{
	(void)state;
	has_curves("{\"elapsed_time_sec\":0.5,\"files\":{\"w.py\":{\"lines\":["
		   "{\"line\":\"x\",\"lineno\":1,\"n_cpu_percent_python\":100"
		   "}],\"functions\":[]}},"
		   "\"samples\":[[9400000,1.5],[20000000,3]]}",
		   "footprint bytes/ms: 9.4=1.57286e+06 20=3.14573e+06\n");
}

#define SCALENE(samples)                                                       \
	"{\"elapsed_time_sec\":0.5,\"files\":{\"w.py\":{\"lines\":["           \
	"{\"line\":\"x\",\"lineno\":1,\"n_cpu_percent_python\":100"            \
	"}],\"functions\":[]}},\"samples\":" samples "}"

/* Points are pairs, in order of time: 1 MB at 1 ms, 2 MB at 2 ms. 1.7e308 MB
 * are no double of bytes. */
static void scalene_leaves_out_what_is_no_point(void **state)
{
	(void)state;
	has_curves(SCALENE("null"), "");
	has_curves(SCALENE("{}"), "");
	has_curves(SCALENE("[]"), "");
	has_curves(SCALENE("[[1],[1,2,3],null,7,[1,null],[1,1.7e308],[]]"), "");
	has_curves(SCALENE("[[2000000,2],[1],[1000000,1]]"),
		   "footprint bytes/ms: 1=1.04858e+06 2=2.09715e+06\n");
}

/* As tests/data/perf-stat has them; without -I nothing has a time. */
static void perf_stat_has_the_times_of_intervals(void **state)
{
	(void)state;
	has_curves("0.5,27.25,msec,task-clock,27250000,100.00,0.2,CPUs\n"
		   "0.5,116,,page-faults,27250000,100.00,4.2,K/sec\n"
		   "1.25,32.5,msec,task-clock,32500000,100.00,0.3,CPUs\n"
		   "1.25,7,,page-faults,32500000,100.00,217.6,/sec\n",
		   "task-clock ms/ms: 500=27.25 1250=32.5\n"
		   "page-faults count/ms: 500=116 1250=7\n");
	has_curves("{\"interval\" : 0.5, \"counter-value\" : \"3.0\", "
		   "\"unit\" : \"\", \"event\" : \"cycles\"}\n"
		   "{\"interval\" : 1.0, \"counter-value\" : \"4.0\", "
		   "\"unit\" : \"\", \"event\" : \"cycles\"}\n",
		   "cycles count/ms: 500=3 1000=4\n");
	has_curves("27.25,msec,task-clock,27250000,100.00,0.2,CPUs\n", "");
}

/* In order of when they began, not of when they were done. */
static void hey_has_the_offsets_of_requests(void **state)
{
	(void)state;
	has_curves("response-time,DNS+dialup,DNS,Request-write,Response-delay,"
		   "Response-read,status-code,offset\n"
		   "0.0016,0.0008,0.0000,0.0001,0.0005,0.0002,200,0.25\n"
		   "0.0007,0.0001,0.0000,0.0000,0.0004,0.0001,200,0.125\n",
		   "latency seconds/ms: 125=0.0007 250=0.0016\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chrome_counters_are_curves),
		cmocka_unit_test(counters_of_one_name_say_their_process),
		cmocka_unit_test(chrome_series_have_one_name),
		cmocka_unit_test(names_of_curves_are_unique),
		cmocka_unit_test(counters_are_bounded),
		cmocka_unit_test(names_say_their_unit),
		cmocka_unit_test(firefox_counters_are_curves),
		cmocka_unit_test(firefox_leaves_out_what_is_no_counter),
		cmocka_unit_test(firefox_sums_in_order_of_time),
		cmocka_unit_test(values_are_bounded),
		cmocka_unit_test(gecko_counters_are_curves),
		cmocka_unit_test(scalene_has_the_footprint),
		cmocka_unit_test(scalene_leaves_out_what_is_no_point),
		cmocka_unit_test(perf_stat_has_the_times_of_intervals),
		cmocka_unit_test(hey_has_the_offsets_of_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
