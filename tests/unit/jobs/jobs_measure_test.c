/* A measurement: how what a collector knows and what it left become one. */
#include "jobs/measure.h"

#include "base/buf.h"
#include "base/file.h"
#include "model/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A collector whose runs, one or two, leave a file each; what the plan's
 * options say. */
struct pn_collection {
	const struct pn_collect_plan *plan;
	char paths[2][4096];
	size_t runs;
};

static const char *last_folder; /* of the last one that was opened */

static int fake_open(struct pn_collection **out,
		     const struct pn_collect_plan *plan, struct pn_error *err)
{
	struct pn_collection *c = calloc(1, sizeof(*c));

	(void)err;
	c->plan = plan;
	free((char *)last_folder);
	last_folder = strdup(plan->folder);
	*out = c;
	return 0;
}

static int fake_step(struct pn_collection *c,
		     struct pn_collect_progress *progress, struct pn_error *err)
{
	static const char *const keys[] = {"text", "second"};
	const char *text =
		c->runs < 2 ? pn_collect_option(c->plan, keys[c->runs]) : NULL;
	char *path = c->paths[c->runs];

	if (!text)
		return 0;
	memset(progress, 0, sizeof(*progress));
	snprintf(path, sizeof(c->paths[0]), "%s/%s", c->plan->folder,
		 keys[c->runs++]);
	return pn_file_write(path, text, strlen(text), false, err) ? -1 : 1;
}

static int fake_result(struct pn_profile *out, struct pn_collection *c,
		       size_t job, struct pn_error *err)
{
	double wall[] = {5, 7}, samples[] = {99};

	(void)job;
	(void)err;
	out->header.cmd =
		pn_strtab_add_text(&out->strings, c->plan->jobs[0].line);
	out->header.collector.name = pn_strtab_add_text(&out->strings, "fake");
	out->header.exit_status = 3;
	pn_profile_set_environment(out, "env", "bench");
	out->time_ns = 1000;
	out->duration_ns = 12;
	pn_profile_add_metric(out, "wall", "ns", PN_BETTER_LESS, wall, 2);
	pn_profile_add_metric(out, "samples", "count", PN_BETTER_LESS, samples,
			      1);
	return 0;
}

static int fake_left(struct pn_collect_file *out, struct pn_collection *c,
		     size_t job, size_t run, struct pn_error *err)
{
	(void)job;
	(void)err;
	out->path = run < c->runs ? c->paths[run] : NULL;
	out->format = pn_collect_option(c->plan, "format");
	return 0;
}

static void fake_free(struct pn_collection *c)
{
	free(c);
}

static const struct pn_option fake_options[] = {
	{"text", "<text>", "what it leaves"},
	{"second", "<text>", "what a second run leaves"},
	{"format", "<name>", "what it says that is"},
	{"loud", NULL, "nothing"},
	{NULL},
};

static const struct pn_collector fake = {
	.name = "fake",
	.options = fake_options,
	.open = fake_open,
	.step = fake_step,
	.result = fake_result,
	.left = fake_left,
	.free = fake_free,
};

static int run_fake(struct pn_profile *out,
		    const struct pn_collect_pair *options, size_t count,
		    struct pn_error *err)
{
	struct pn_collect_job job = {.line = "prog"};
	struct pn_collect_progress progress;
	struct pn_collect_plan plan;
	struct pn_measure *measure = NULL;
	int code;

	pn_collect_plan_init(&plan);
	plan.jobs = &job;
	plan.job_count = 1;
	plan.options = options;
	plan.option_count = count;
	pn_profile_init(out);
	code = pn_measure_open(&measure, &fake, &plan, err);
	while (!code && (code = pn_measure_step(measure, &progress, err)) > 0)
		code = 0;
	if (!code)
		code = pn_measure_result(out, measure, 0, err);
	pn_measure_free(measure);
	return code;
}

static const char *metric_name(const struct pn_profile *p, size_t at)
{
	return pn_profile_text(p, p->metrics[at].name);
}

static void unites_weights_and_run(void **state)
{
	struct pn_collect_pair options[] = {{"text", "main;a 3\nmain;b 4\n"}};
	struct pn_profile p;

	(void)state;
	assert_int_equal(setenv("GIT_PERF_QUIET", "others:0.5", 1), 0);
	assert_int_equal(run_fake(&p, options, 1, NULL), 0);
	assert_int_equal(p.sample_count, 2);
	assert_string_equal(pn_profile_text(&p, p.header.cmd), "prog");
	assert_string_equal(pn_profile_text(&p, p.header.collector.name),
			    "fake");
	assert_int_equal(p.header.exit_status, 3);
	assert_int_equal(p.time_ns, 1000);
	assert_int_equal(p.duration_ns, 12);
	assert_int_equal(p.header.environment_count, 2);
	assert_string_equal(pn_profile_text(&p, p.header.environment[1].key),
			    "quiet");
	assert_string_equal(pn_profile_text(&p, p.header.environment[1].value),
			    "others:0.5");
	assert_true(p.complete);
	/* 3 + 4 samples; the total goes before a metric of its name */
	assert_int_equal(p.metric_count, 2);
	assert_string_equal(metric_name(&p, 0), "samples");
	assert_int_equal(p.metrics[0].value_count, 1);
	assert_float_equal(p.metrics[0].values[0], 7, 0);
	assert_string_equal(metric_name(&p, 1), "wall");
	assert_int_equal(p.metrics[1].value_count, 2);
	assert_float_equal(p.metrics[1].values[1], 7, 0);
	pn_profile_release(&p);
}

/* a takes 3 and 5 in the two runs, b takes 4 in the first. */
static void two_runs_are_one_profile_that_tells_them_apart(void **state)
{
	struct pn_collect_pair options[] = {{"text", "main;a 3\nmain;b 4\n"},
					    {"second", "main;a 5\n"}};
	int64_t sum = 0, by_run[2] = {0};
	struct pn_profile p;
	uint32_t *runs;
	size_t i;

	(void)state;
	assert_int_equal(run_fake(&p, options, 2, NULL), 0);
	assert_int_equal(p.header.runs, 2);
	runs = pn_runs_of_sets(&p);
	assert_non_null(runs);
	for (i = 0; i < p.sample_count; i++) {
		assert_in_range(runs[p.samples[i].labels], 0, 1);
		sum += p.values[i].i;
		by_run[runs[p.samples[i].labels]] += p.values[i].i;
	}
	free(runs);
	assert_int_equal(sum, 12);
	assert_int_equal(by_run[0], 7);
	assert_int_equal(by_run[1], 5);
	assert_string_equal(metric_name(&p, 0), "samples");
	assert_int_equal(p.metrics[0].value_count, 2);
	assert_float_equal(p.metrics[0].values[0], 7, 0);
	assert_float_equal(p.metrics[0].values[1], 5, 0);
	assert_true(p.complete);
	pn_profile_release(&p);
}

static void leaves_nothing_in_the_private_folder(void **state)
{
	struct pn_collect_pair good[] = {{"text", "main 1\n"}};
	struct pn_collect_pair bad[] = {{"text", "main 1\n"},
					{"format", "pprof"}};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(run_fake(&p, good, 1, NULL), 0);
	pn_profile_release(&p);
	assert_int_equal(access(last_folder, F_OK), -1);
	assert_true(run_fake(&p, bad, 2, &err) < 0);
	assert_non_null(strstr(err.message, "cannot read '"));
	pn_profile_release(&p);
	assert_int_equal(access(last_folder, F_OK), -1);
}

static void refuses_options_that_are_not_there(void **state)
{
	struct pn_collect_pair unknown[] = {{"freq", "9"}};
	struct pn_collect_pair empty[] = {{"format", ""}};
	struct pn_collect_pair flag[] = {{"loud", "yes"}};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(run_fake(&p, unknown, 1, &err), PN_EINVAL);
	assert_string_equal(err.message,
			    "collector 'fake' has no option 'freq'; there are: "
			    "text, second, format, loud");
	assert_int_equal(run_fake(&p, empty, 1, &err), PN_EINVAL);
	assert_string_equal(err.message,
			    "option 'format' of collector 'fake' needs a "
			    "value: format=<name>");
	assert_int_equal(run_fake(&p, flag, 1, &err), PN_EINVAL);
	assert_string_equal(err.message,
			    "option 'loud' of collector 'fake' takes no value");
}

static void an_unknown_format_is_named(void **state)
{
	struct pn_collect_pair options[] = {{"text", "main 1\n"},
					    {"format", "none-such"}};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	assert_int_equal(run_fake(&p, options, 2, &err), PN_ENOTFOUND);
	assert_non_null(strstr(err.message, "'none-such'"));
	pn_profile_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unites_weights_and_run),
		cmocka_unit_test(
			two_runs_are_one_profile_that_tells_them_apart),
		cmocka_unit_test(leaves_nothing_in_the_private_folder),
		cmocka_unit_test(refuses_options_that_are_not_there),
		cmocka_unit_test(an_unknown_format_is_named),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free((char *)last_folder);
	return failed;
}
