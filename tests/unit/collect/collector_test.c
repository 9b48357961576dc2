/* The time collector by its interface: steps, counts, order, failures. */
#include "collect/collector.h"

#include "base/buf.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that commands write letters to. */
static int make_log(void **state)
{
	char name[] = "/tmp/collector_test.XXXXXX";
	int fd = mkstemp(name);

	if (fd < 0)
		return -1;
	close(fd);
	setenv("LOG", name, 1);
	*state = strdup(name);
	return 0;
}

static int remove_log(void **state)
{
	unlink(*state);
	free(*state);
	return 0;
}

static void assert_log(const char *path, const char *expected)
{
	struct pn_buf text = {0};

	assert_int_equal(pn_file_read(&text, path, 4096, NULL), 0);
	assert_string_equal(pn_buf_text(&text), expected);
	pn_buf_release(&text);
}

#define WRITE(letter)                                                          \
	(const char *const[])                                                  \
	{                                                                      \
		"sh", "-c", "printf " letter " >>$LOG", NULL                   \
	}

static struct pn_collect_plan plan_of(const struct pn_collect_job *jobs,
				      size_t count)
{
	struct pn_collect_plan plan;

	pn_collect_plan_init(&plan);
	plan.jobs = jobs;
	plan.job_count = count;
	return plan;
}

/* All steps; the number of them, or the code of the failure. */
static int run_all(struct pn_collection **out,
		   const struct pn_collect_plan *plan,
		   struct pn_collect_progress *last, struct pn_error *err)
{
	int steps = 0, code;

	code = pn_collector_time.open(out, plan, err);
	if (code)
		return code;
	while ((code = pn_collector_time.step(*out, last, err)) > 0)
		steps++;
	return code ? code : steps;
}

static void runs_what_belongs_around_a_run(void **state)
{
	const struct pn_collect_job job = {.argv = WRITE("r"),
					   .setup = "printf s >>$LOG",
					   .cleanup = "printf c >>$LOG",
					   .prepare = "printf '(' >>$LOG",
					   .conclude = "printf ')' >>$LOG"};
	struct pn_collect_plan plan = plan_of(&job, 1);
	struct pn_collect_progress last;
	struct pn_collection *c = NULL;
	struct pn_profile p;

	plan.runs = 3;
	plan.warmup = 1;
	assert_int_equal(run_all(&c, &plan, &last, NULL), 4);
	assert_log(*state, "s(r)(r)(r)(r)c");
	assert_true(last.done == 4 && last.expected == 4 && !last.left_ns);
	pn_profile_init(&p);
	assert_int_equal(pn_collector_time.result(&p, c, 0, NULL), 0);
	assert_int_equal(p.metric_count, 8);
	assert_int_equal(p.metrics[7].value_count, 3);
	assert_string_equal(pn_profile_text(&p, p.metrics[3].unit), "bytes");
	assert_string_equal(pn_profile_text(&p, p.header.cmd), "sh");
	assert_string_equal(pn_profile_text(&p, p.header.args),
			    "-c 'printf r >>$LOG'");
	assert_string_equal(
		pn_profile_text(&p, p.header.collector.params),
		"{\"runs\":3,\"warmup\":1,\"setup\":\"printf s >>$LOG\","
		"\"prepare\":\"printf '(' >>$LOG\","
		"\"conclude\":\"printf ')' >>$LOG\","
		"\"cleanup\":\"printf c >>$LOG\"}");
	assert_int_equal(p.header.exit_status, 0);
	assert_true(p.time_ns > 0 && p.duration_ns > 0);
	pn_profile_release(&p);
	pn_collector_time.free(c);
	assert_log(*state, "s(r)(r)(r)(r)c");
}

static void gives_every_job_its_run_in_each_round(void **state)
{
	const struct pn_collect_job jobs[] = {{.argv = WRITE("a")},
					      {.argv = WRITE("b")},
					      {.argv = WRITE("c")}};
	struct pn_collect_plan plan = plan_of(jobs, 3);
	struct pn_collect_progress last;
	struct pn_collection *c = NULL;
	struct pn_buf text = {0};
	size_t i;

	plan.runs = 4;
	assert_int_equal(run_all(&c, &plan, &last, NULL), 12);
	pn_collector_time.free(c);
	assert_int_equal(pn_file_read(&text, *state, 4096, NULL), 0);
	assert_int_equal(text.len, 12);
	/* three different letters of abc are all three */
	for (i = 0; i < 12; i += 3)
		assert_true(text.data[i] != text.data[i + 1] &&
			    text.data[i] != text.data[i + 2] &&
			    text.data[i + 1] != text.data[i + 2]);
	pn_buf_release(&text);
}

static void does_not_alternate_what_has_a_setup(void **state)
{
	const struct pn_collect_job jobs[] = {
		{.argv = WRITE("a"), .setup = "printf 1 >>$LOG"},
		{.argv = WRITE("b"), .setup = "printf 2 >>$LOG"}};
	struct pn_collect_plan plan = plan_of(jobs, 2);
	struct pn_collect_progress last;
	struct pn_collection *c = NULL;

	plan.runs = 2;
	assert_int_equal(run_all(&c, &plan, &last, NULL), 4);
	pn_collector_time.free(c);
	assert_log(*state, "1aa2bb");
}

static void ends_at_the_first_failure_and_cleans_up(void **state)
{
	const struct pn_collect_job job = {
		.argv = (const char *const[]){"sh", "-c",
					      "printf r >>$LOG; exit 3", NULL},
		.setup = "printf s >>$LOG",
		.cleanup = "printf c >>$LOG"};
	struct pn_collect_plan plan = plan_of(&job, 1);
	struct pn_collect_progress last;
	struct pn_collection *c = NULL;
	struct pn_error err;

	assert_int_equal(run_all(&c, &plan, &last, &err), PN_EREFUSED);
	assert_string_equal(err.message, "'sh' exited with status 3");
	pn_collector_time.free(c);
	assert_log(*state, "src");
}

static void keeps_the_first_status_when_failing_is_allowed(void **state)
{
	const struct pn_collect_job job = {
		.argv = (const char *const[]){
			"sh", "-c", "exit $GIT_PERF_ITERATION", NULL}};
	struct pn_collect_plan plan = plan_of(&job, 1);
	struct pn_doubt warnings[PN_DOUBT_KINDS];
	struct pn_collect_progress last;
	struct pn_collection *c = NULL;
	struct pn_profile p;
	size_t n;

	(void)state;
	plan.runs = 5;
	plan.allow_failure = true;
	assert_int_equal(run_all(&c, &plan, &last, NULL), 5);
	pn_profile_init(&p);
	assert_int_equal(pn_collector_time.result(&p, c, 0, NULL), 0);
	/* the runs end with 0, 1, 2, 3 and 4 */
	assert_int_equal(p.header.exit_status, 1);
	n = pn_collector_time.warnings(warnings, c, 0);
	assert_int_equal(n, 1);
	assert_int_equal(warnings[0].kind, PN_DOUBT_FAILED);
	assert_true(warnings[0].value == 4);
	pn_profile_release(&p);
	pn_collector_time.free(c);
}

static void goes_on_until_a_bound_is_met(void **state)
{
	const struct pn_collect_job job = {
		.argv = (const char *const[]){"true", NULL}};
	struct pn_collect_plan plan = plan_of(&job, 1);
	struct pn_collect_progress last;
	struct pn_collection *c = NULL;

	(void)state;
	plan.min_runs = 2;
	plan.max_runs = 30;
	plan.min_time_ns = INT64_MAX;
	assert_int_equal(run_all(&c, &plan, &last, NULL), 30);
	pn_collector_time.free(c);

	/* an interval of the median needs six values */
	plan.min_time_ns = 0;
	plan.precision = HUGE_VAL;
	assert_int_equal(run_all(&c, &plan, &last, NULL), 6);
	pn_collector_time.free(c);

	plan.precision = 0;
	plan.max_time_ns = 0;
	assert_int_equal(run_all(&c, &plan, &last, NULL), 2);
	pn_collector_time.free(c);
}

static void takes_the_empty_shell_off(void **state)
{
	const struct pn_collect_job job = {.line = "printf r >>$LOG"};
	struct pn_collect_plan plan = plan_of(&job, 1);
	struct pn_collect_progress last;
	struct pn_collection *c = NULL;
	struct pn_profile p;
	size_t i;

	plan.runs = 3;
	plan.shell = "sh";
	assert_int_equal(run_all(&c, &plan, &last, NULL), 3);
	assert_log(*state, "rrr");
	pn_profile_init(&p);
	assert_int_equal(pn_collector_time.result(&p, c, 0, NULL), 0);
	assert_string_equal(pn_profile_text(&p, p.header.cmd), job.line);
	assert_string_equal(pn_profile_text(&p, p.header.args), "");
	for (i = 0; i < 3; i++)
		assert_true(p.metrics[0].values[i] >= 0);
	pn_profile_release(&p);
	pn_collector_time.free(c);
	plan.shell = "false";
	assert_int_equal(run_all(&c, &plan, &last, NULL), PN_EREFUSED);
}

static void lists_the_collectors_when_it_finds_none(void **state)
{
	struct pn_error err;

	(void)state;
	assert_ptr_equal(pn_collector_find("time", NULL), &pn_collector_time);
	assert_null(pn_collector_find("tim", &err));
	assert_ptr_equal(
		strstr(err.message, "no collector 'tim'; there are: time"),
		err.message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(runs_what_belongs_around_a_run,
						make_log, remove_log),
		cmocka_unit_test_setup_teardown(
			gives_every_job_its_run_in_each_round, make_log,
			remove_log),
		cmocka_unit_test_setup_teardown(
			does_not_alternate_what_has_a_setup, make_log,
			remove_log),
		cmocka_unit_test_setup_teardown(
			ends_at_the_first_failure_and_cleans_up, make_log,
			remove_log),
		cmocka_unit_test(
			keeps_the_first_status_when_failing_is_allowed),
		cmocka_unit_test(goes_on_until_a_bound_is_met),
		cmocka_unit_test_setup_teardown(takes_the_empty_shell_off,
						make_log, remove_log),
		cmocka_unit_test(lists_the_collectors_when_it_finds_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
