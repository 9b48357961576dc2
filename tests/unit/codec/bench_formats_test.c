/* Benchmark results: what is a value, what is not, and what is refused. */
#include "codec/rows.h"
#include "codec_text.h"

#include <math.h>

static void has_metric(const struct pn_profile *p, size_t at, const char *name,
		       const char *unit, size_t count)
{
	assert_true(at < p->metric_count);
	assert_string_equal(pn_profile_text(p, p->metrics[at].name), name);
	assert_string_equal(pn_profile_text(p, p->metrics[at].unit), unit);
	assert_int_equal(p->metrics[at].value_count, count);
}

static void go_lines_among_others_are_results(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_go_bench,
		  "goos: linux\nBenchmarks are run\nBenchmarkA-8 \t 10\t"
		  " 1.5 ns/op\t2 B/op\r\nBenchmarkA-8 log of a test\n"
		  "BenchmarkA-8 20 2.5 ns/op 7 widgets/op 3 X/s\nPASS\n");
	assert_int_equal(p.metric_count, 4);
	has_metric(&p, 0, "BenchmarkA-8 ns/op", "ns", 2);
	assert_true(p.metrics[0].values[1] == 2.5);
	has_metric(&p, 1, "BenchmarkA-8 B/op", "bytes", 1);
	has_metric(&p, 2, "BenchmarkA-8 widgets/op", "widgets/op", 1);
	has_metric(&p, 3, "BenchmarkA-8 X/s", "X/s", 1);
	assert_int_equal(p.metrics[2].better, PN_BETTER_UNKNOWN);
	assert_int_equal(p.metrics[3].better, PN_BETTER_MORE);
	assert_string_equal(pn_profile_text(&p, p.header.labels[0].value),
			    "linux");
	pn_profile_release(&p);
	refuses_text(&pn_codec_go_bench, "goos: linux\nPASS\n",
		     "expected a line 'Benchmark<name> <n> <value> <unit>'");
}

#define RUN(i, real)                                                           \
	"{\"name\":\"A\",\"run_name\":\"A\",\"run_type\":\"iteration\","       \
	"\"repetition_index\":" i ",\"iterations\":9,\"real_time\":" real      \
	",\"cpu_time\":1,\"time_unit\":\"us\",\"bytes_per_second\":5}"
#define AGGREGATE(what, real)                                                  \
	"{\"name\":\"A_x\",\"run_name\":\"A\",\"run_type\":\"aggregate\","     \
	"\"repetitions\":3,\"aggregate_name\":\"" what                         \
	"\",\"real_time\":" real ",\"cpu_time\":1,\"time_unit\":\"us\"}"
#define GOOGLE(list) "{\"context\":{},\"benchmarks\":[" list "]}"

static void repetitions_are_values_and_aggregates_are_not(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_google_bench,
		  GOOGLE(RUN("0", "4") "," RUN("1", "6") "," AGGREGATE(
			  "mean", "5") ",{\"name\":\"E\",\"run_type\":"
				       "\"iteration\",\"error_occurred\":true,"
				       "\"real_time\":0}"));
	assert_int_equal(p.metric_count, 3);
	has_metric(&p, 0, "A real_time", "us", 2);
	assert_true(p.metrics[0].values[0] == 4 && p.metrics[0].values[1] == 6);
	has_metric(&p, 2, "A bytes_per_second", "bytes/s", 2);
	assert_int_equal(p.metrics[2].better, PN_BETTER_MORE);
	pn_profile_release(&p);
}

static void aggregates_alone_are_a_summary(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, &pn_codec_google_bench,
		  GOOGLE(AGGREGATE("mean", "5") "," AGGREGATE(
			  "median", "4") "," AGGREGATE("stddev", "0.5")));
	assert_int_equal(p.metric_count, 2);
	has_metric(&p, 0, "A real_time", "us", 0);
	assert_int_equal(p.metrics[0].summary.n, 3);
	assert_true(p.metrics[0].summary.mean == 5 &&
		    p.metrics[0].summary.median == 4 &&
		    p.metrics[0].summary.sd == 0.5);
	assert_true(isnan(p.metrics[0].summary.min));
	pn_profile_release(&p);
	refuses_text(&pn_codec_google_bench, GOOGLE(""),
		     "expected a benchmark that ran");
}

/* criterion 0.3.6 wrote both of one benchmark: its estimates are those of the
 * samples. */
static void criterion_agrees_with_its_estimates(void **state)
{
	struct pn_profile samples, estimates;
	double sum = 0;
	size_t i;

	(void)state;
	assert_ptr_equal(read_data(&samples, "criterion/sort-sample.json"),
			 &pn_codec_criterion);
	assert_ptr_equal(read_data(&estimates, "criterion/sort-estimates.json"),
			 &pn_codec_criterion);
	has_metric(&samples, 0, "time", "ns", 20);
	has_metric(&estimates, 0, "time", "ns", 0);
	for (i = 0; i < 20; i++)
		sum += samples.metrics[0].values[i];
	assert_true(fabs(sum / 20 - estimates.metrics[0].summary.mean) < 1e-6);
	pn_profile_release(&samples);
	pn_profile_release(&estimates);
}

/* 30 ns in 10 iterations and 44 in 11 are 3 and 4 ns. */
static void criterion_divides_by_iterations(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "{\"sampling_mode\":\"Linear\",\"iters\":[10.0,11.0],"
		  "\"times\":[30.0,44.0]}");
	has_metric(&p, 0, "time", "ns", 2);
	assert_true(p.metrics[0].values[0] == 3 && p.metrics[0].values[1] == 4);
	pn_profile_release(&p);
	read_good(&p, NULL,
		  "{\"mean\":{\"confidence_interval\":{\"lower_bound\":1},"
		  "\"point_estimate\":2.5},\"slope\":null,"
		  "\"std_dev\":{\"point_estimate\":0.25}}");
	has_metric(&p, 0, "time", "ns", 0);
	assert_true(p.metrics[0].summary.mean == 2.5 &&
		    p.metrics[0].summary.sd == 0.25);
	pn_profile_release(&p);
	refuses_text(&pn_codec_criterion, "{\"iters\":[0],\"times\":[1]}",
		     "iters[0]: expected more than 0");
	refuses_text(&pn_codec_criterion, "{\"iters\":[],\"times\":[1]}",
		     "1 times and 0 iters");
}

static void one_command_of_hyperfine_is_a_profile_of_it(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "{\"results\":[{\"command\":\"sleep 1\",\"mean\":1.5,"
		  "\"stddev\":null,\"times\":[1.000000001,2],"
		  "\"memory_usage_byte\":[4096,8192]}]}");
	assert_string_equal(pn_profile_text(&p, p.header.cmd), "sleep 1");
	has_metric(&p, 0, "wall", "ns", 2);
	assert_true(p.metrics[0].values[0] == 1000000001);
	has_metric(&p, 1, "max-rss", "bytes", 2);
	pn_profile_release(&p);
}

/* --parameter-list n 1,2 --prepare 'make N={n}': the command does not tell. */
static void parameters_tell_results_of_one_command_apart(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "{\"results\":[{\"command\":\"x\",\"mean\":1,\"times\":[1],"
		  "\"parameters\":{\"n\":\"1\",\"m\":\"a b\"}},"
		  "{\"command\":\"x\",\"mean\":2,\"times\":[2],"
		  "\"parameters\":{\"n\":\"2\",\"m\":\"a b\"}},"
		  "{\"command\":\"y 3\",\"mean\":3,\"times\":[3],"
		  "\"parameters\":{\"n\":\"3\"}}]}");
	assert_int_equal(p.metric_count, 3);
	has_metric(&p, 0, "x (n=1 m=a b) wall", "ns", 1);
	has_metric(&p, 1, "x (n=2 m=a b) wall", "ns", 1);
	has_metric(&p, 2, "y 3 wall", "ns", 1);
	pn_profile_release(&p);
	refuses_text(&pn_codec_hyperfine,
		     "{\"results\":[{\"command\":\"x\",\"parameters\":7}]}",
		     "results[0].parameters: expected an object, "
		     "have a number");
}

static void tests_that_did_not_pass_have_no_time(void **state)
{
	struct pn_profile p;

	(void)state;
	read_good(&p, NULL,
		  "<?xml version=\"1.0\"?>\n<testsuites><testsuite>"
		  "<testcase classname=\"a\" name=\"b\" time=\"1,234.5\"/>"
		  "<testcase name=\"c\" time=\"1\"><failure>x</failure>"
		  "</testcase><testcase name=\"d\"/><testcase name=\"e\" "
		  "time=\"2\"><skipped/></testcase></testsuite></testsuites>");
	assert_int_equal(p.metric_count, 1);
	has_metric(&p, 0, "a.b", "seconds", 1);
	assert_true(p.metrics[0].values[0] == 1234.5);
	pn_profile_release(&p);
}

static void iai_events_have_names(void **state)
{
	(void)state;
	refuses_text(
		&pn_codec_iai,
		"{\"module_path\":\"m\",\"profiles\":[{\"summaries\":{"
		"\"total\":"
		"{\"summary\":{\"Callgrind\":[{\"metrics\":{\"Left\":{\"Int\":"
		"1}"
		"}}]}}}}]}",
		"profiles[0].summaries.total.summary.Callgrind[0]: expected an "
		"event by its name");
}

static void xml_that_could_grow_is_refused(void **state)
{
	(void)state;
	refuses_text(&pn_codec_junit,
		     "<!DOCTYPE x [<!ENTITY a \"b\">]>\n<testsuite/>",
		     "line 1: a document type is not accepted");
	refuses_text(&pn_codec_junit, "<html/>",
		     "line 1: expected testsuites or testsuite");
	refuses_text(&pn_codec_junit, "<testsuite>\n<testcase time=\"1\"/>",
		     "line 2: a testcase without name");
	refuses_text(&pn_codec_junit,
		     "<testsuite>\n<testcase name=\"a\" time=\"-1\"/>",
		     "line 2: expected seconds as the time of a testcase");
	refuses_text(&pn_codec_junit, "<testsuite>\n</x>",
		     "line 2: mismatched tag");
	refuses_text(&pn_codec_junit, "<testsuite/>",
		     "expected a testcase that passed, with its time");
}

/* pytest says: 1 failed, 4 passed, 1 skipped. */
static void junit_of_pytest_has_what_passed(void **state)
{
	static const char *const names[] = {
		"test_b.test_sort", "test_b.test_sum[10]",
		"test_b.test_sum[100]", "test_b.test_ok"};
	struct pn_profile p;
	size_t i;

	(void)state;
	assert_ptr_equal(read_data(&p, "junit/pytest.xml"), &pn_codec_junit);
	assert_int_equal(p.metric_count, 4);
	for (i = 0; i < 4; i++)
		has_metric(&p, i, names[i], "seconds", 1);
	assert_true(p.metrics[0].values[0] == 1.047);
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(go_lines_among_others_are_results),
		cmocka_unit_test(repetitions_are_values_and_aggregates_are_not),
		cmocka_unit_test(aggregates_alone_are_a_summary),
		cmocka_unit_test(criterion_agrees_with_its_estimates),
		cmocka_unit_test(criterion_divides_by_iterations),
		cmocka_unit_test(one_command_of_hyperfine_is_a_profile_of_it),
		cmocka_unit_test(parameters_tell_results_of_one_command_apart),
		cmocka_unit_test(tests_that_did_not_pass_have_no_time),
		cmocka_unit_test(iai_events_have_names),
		cmocka_unit_test(xml_that_could_grow_is_refused),
		cmocka_unit_test(junit_of_pytest_has_what_passed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
