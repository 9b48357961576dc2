/* Collectors that put a tool around the command. */
#include "collect/tool.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "collect/describe.h"
#include "collect/facts/environment.h"
#include "collect/repeat.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum metric { WALL, USER, SYS, MAX_RSS, METRICS };

static const struct pn_tool_metric metrics[METRICS] = {
	{"wall", "ns"}, {"user", "ns"}, {"sys", "ns"}, {"max-rss", "bytes"}};

struct state {
	struct pn_repeat repeat;
	double **values; /* of the tool's metrics, then of those above */
	size_t cap;
	char **paths; /* of the files, one a run */
	size_t path_count, path_cap;
};

struct pn_collection {
	const struct pn_tool *tool;
	const struct pn_collect_plan *plan;
	struct pn_collect_plan own; /* the same, as the tool needs it */
	struct pn_environment environment;
	void *counters;
	const struct pn_tool_metric *metrics;
	size_t metric_count;
	double *counted; /* values of this run */
	struct state *jobs;
	size_t at;
	uint64_t counting_runs;
};

const char *const *pn_tool_words(struct pn_arena *arena,
				 const char *const *before,
				 const char *const *words)
{
	size_t n = 0, m = 0;
	const char **all;

	while (before[n])
		n++;
	while (words[m])
		m++;
	all = pn_arena_alloc(arena, (n + m + 1) * sizeof(*all));
	memcpy(all, before, n * sizeof(*all));
	memcpy(all + n, words, (m + 1) * sizeof(*all));
	return all;
}

const char *pn_tool_join(struct pn_arena *arena, const char *first,
			 const char *second)
{
	struct pn_buf text = {0};
	const char *kept;

	pn_buf_printf(&text, "%s%s", first, second);
	kept = pn_arena_copy(arena, pn_buf_text(&text), text.len);
	pn_buf_release(&text);
	return kept;
}

static void release_job(struct pn_collection *c, size_t job)
{
	struct state *s = &c->jobs[job];
	size_t m;

	pn_repeat_finish(&s->repeat, c->plan, &c->plan->jobs[job], NULL);
	for (m = 0; s->values && m < c->metric_count + METRICS; m++)
		free(s->values[m]);
	free(s->values);
	for (m = 0; m < s->path_count; m++)
		free(s->paths[m]);
	free(s->paths);
}

void pn_tool_free(struct pn_collection *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; c->jobs && i < c->plan->job_count; i++)
		release_job(c, i);
	if (c->tool->close)
		c->tool->close(c->counters);
	free(c->counted);
	free(c->jobs);
	free(c);
}

/* Room for the values of each job. */
static void make_jobs(struct pn_collection *c)
{
	size_t i;

	if (c->tool->metrics)
		c->metric_count = c->tool->metrics(&c->metrics, c->counters);
	c->counted = pn_calloc(c->metric_count + 1, sizeof(*c->counted));
	c->jobs = pn_calloc(c->plan->job_count, sizeof(*c->jobs));
	for (i = 0; i < c->plan->job_count; i++)
		c->jobs[i].values = pn_calloc(c->metric_count + METRICS,
					      sizeof(*c->jobs[i].values));
}

/* An option of the collector, so that a job of several collectors can ask for
 * it; then what the plan asks for. */
static int find_counting_runs(struct pn_collection *c, struct pn_error *err)
{
	const char *runs = pn_collect_option(c->plan, "runs");

	c->counting_runs = c->plan->counting_runs ? c->plan->counting_runs : 1;
	if (!c->tool->counts || !runs ||
	    (pn_number_uint(&c->counting_runs, runs, strlen(runs)) &&
	     c->counting_runs >= 1 && c->counting_runs <= PN_COLLECT_MAX_RUNS))
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "bad runs '%s', need a whole number of 1 to %d",
			    runs, PN_COLLECT_MAX_RUNS);
}

int pn_tool_open(struct pn_collection **out, const struct pn_tool *tool,
		 const struct pn_collect_plan *plan, struct pn_error *err)
{
	struct pn_collection *c = pn_calloc(1, sizeof(*c));
	int code = 0;

	c->tool = tool;
	c->plan = plan;
	c->own = *plan;
	c->own.fixed_stack |= tool->counts;
	code = find_counting_runs(c, err);
	if (!code && tool->check)
		code = tool->check(plan, err);
	if (!code && tool->open)
		code = tool->open(&c->counters, plan, err);
	if (code) {
		pn_error_context(err, "collector '%s'", tool->name);
		pn_tool_free(c);
		return code;
	}
	make_jobs(c);
	pn_environment_read(&c->environment, plan->machine, "");
	*out = c;
	return 0;
}

static void keep_values(struct pn_collection *c,
			const struct pn_iteration *outcome)
{
	const double costs[METRICS] = {(double)outcome->cost.wall_ns,
				       (double)outcome->cost.user_ns,
				       (double)outcome->cost.sys_ns,
				       (double)outcome->cost.max_rss_bytes};
	struct state *s = &c->jobs[c->at];
	size_t m, cap = s->cap;

	for (m = 0; m < c->metric_count + METRICS; m++) {
		cap = s->cap;
		s->values[m] = pn_grow(s->values[m], &cap, s->repeat.n + 1,
				       sizeof(*s->values[m]));
		s->values[m][s->repeat.n] =
			m < c->metric_count ? c->counted[m]
					    : costs[m - c->metric_count];
	}
	s->cap = cap;
	pn_repeat_count(&s->repeat, outcome);
}

/* A tool may fail without a word by its status, or by one that is allowed. */
static int check_file(const struct pn_collection *c, const struct pn_buf *path,
		      struct pn_error *err)
{
	const struct pn_collect_job *job = &c->plan->jobs[c->at];
	struct stat st;

	if (!stat(pn_buf_text(path), &st) && st.st_size > 0)
		return 0;
	return pn_error_set(
		err, PN_ENOTFOUND, "collector '%s': '%s' left no profile",
		c->tool->name, job->line ? job->line : job->argv[0]);
}

/* The command between the counters. */
static int run_counted(struct pn_collection *c, struct pn_iteration *outcome,
		       const struct pn_collect_plan *plan,
		       const char *const *argv, const char *iteration,
		       struct pn_error *err)
{
	const struct pn_tool *tool = c->tool;
	int code = 0;

	if (tool->before)
		code = tool->before(c->counters, err);
	if (!code)
		code = pn_iteration_measure(outcome, plan, argv, iteration,
					    err);
	if (tool->after && code)
		tool->after(NULL, c->counters, NULL);
	else if (tool->after)
		code = tool->after(c->counted, c->counters, err);
	return code;
}

/* The command, in the tool unless it only warms up. */
static int run_tool(struct pn_collection *c, struct pn_iteration *outcome,
		    const struct pn_tool_run *run, const char *iteration,
		    struct pn_error *err)
{
	const struct pn_collect_job *job = run->job;
	const char *shell[] = {c->plan->shell, "-c", job->line, NULL};
	const char *const *argv = job->line ? shell : job->argv;
	const char *option = c->tool->stdout_option;
	struct pn_collect_plan plan = c->own;
	int code = 0;

	plan.stack_argv = job->line ? NULL : argv;
	if (c->tool->wrap)
		code = c->tool->wrap(&argv, run, argv, err);
	if (option && pn_collect_option(c->plan, option)) {
		plan.output = PN_COLLECT_FILE;
		plan.output_path = run->file;
	}
	/* Only what is forked after them inherits the counters. */
	if (c->tool->before)
		plan.launcher = NULL;
	if (!code)
		code = run_counted(c, outcome, &plan, argv, iteration, err);
	if (code == PN_ENOTFOUND && c->tool->wrap)
		pn_error_context(err, "collector '%s'", c->tool->name);
	return code;
}

static int run_once(struct pn_collection *c, struct pn_iteration *outcome,
		    const struct pn_tool_run *run, struct pn_error *err)
{
	const struct pn_collect_job *job = run->job;
	const struct pn_repeat *r = &c->jobs[c->at].repeat;
	int code;

	if (r->warming_up && !c->tool->is_command)
		return pn_iteration_run(outcome, &c->own, job, r->iteration,
					err);
	code = pn_iteration_line(c->plan, "prepare", job->prepare, r->iteration,
				 err);
	if (!code)
		code = run_tool(c, outcome, run, r->iteration, err);
	if (!code)
		code = pn_iteration_line(c->plan, "conclude", job->conclude,
					 r->iteration, err);
	return code;
}

/* What the run left, beside what those before it did. */
static int take_file(struct pn_collection *c, const struct pn_tool_run *run,
		     struct pn_error *err)
{
	struct state *s = &c->jobs[c->at];
	struct pn_buf path = {0};
	int code = 0;

	if (!c->tool->wrap)
		return 0;
	pn_buf_add_text(&path, run->file);
	if (c->tool->finish)
		code = c->tool->finish(&path, run, err);
	if (!code)
		code = check_file(c, &path, err);
	if (code) {
		pn_buf_release(&path);
		return code;
	}
	s->paths = pn_grow(s->paths, &s->path_cap, s->path_count + 1,
			   sizeof(*s->paths));
	s->paths[s->path_count++] = pn_buf_detach(&path);
	return 0;
}

static int run_job(struct pn_collection *c, struct pn_error *err)
{
	struct state *s = &c->jobs[c->at];
	struct pn_arena arena = {0};
	struct pn_buf file = {0};
	struct pn_tool_run run = {
		.plan = c->plan, .job = &c->plan->jobs[c->at], .arena = &arena};
	struct pn_iteration outcome = {0};
	int64_t start_ns;
	int code = pn_repeat_begin(&s->repeat, c->plan, run.job, err);

	pn_buf_printf(&file, "%s/%zu-%" PRIu64, c->plan->folder, c->at,
		      s->repeat.warmed + s->repeat.n);
	run.file = pn_buf_text(&file);
	start_ns = pn_time_now_ns();
	if (!code)
		code = run_once(c, &outcome, &run, err);
	if (!code)
		code = pn_repeat_end(&s->repeat, c->plan, run.job, &outcome,
				     err);
	if (!code && !s->repeat.warming_up)
		code = take_file(c, &run, err);
	outcome.elapsed_ns = s->repeat.end_ns - start_ns;
	if (!code && !s->repeat.warming_up)
		keep_values(c, &outcome);
	pn_buf_release(&file);
	pn_arena_release(&arena);
	return code;
}

static uint64_t wanted_runs(const struct pn_collection *c)
{
	if (c->tool->counts)
		return c->counting_runs;
	if (c->plan->runs)
		return c->plan->runs;
	return c->tool->runs ? c->tool->runs : 1;
}

static void report(struct pn_collect_progress *p, const struct pn_collection *c,
		   size_t job)
{
	size_t i;

	*p = (struct pn_collect_progress){
		.job = job,
		.warming_up = c->jobs[job].repeat.warming_up,
		.median_ns = (double)NAN,
	};
	for (i = 0; i < c->plan->job_count; i++)
		pn_repeat_report(p, &c->jobs[i].repeat, c->plan,
				 wanted_runs(c));
}

int pn_tool_step(struct pn_collection *c, struct pn_collect_progress *progress,
		 struct pn_error *err)
{
	const struct pn_collect_plan *plan = c->plan;
	size_t job = c->at;
	int code;

	if (job == plan->job_count)
		return 0;
	code = run_job(c, err);
	if (!code && c->jobs[job].repeat.n >= wanted_runs(c)) {
		c->at++;
		code = pn_repeat_finish(&c->jobs[job].repeat, plan,
					&plan->jobs[job], err);
	}
	if (code)
		return code;
	report(progress, c, job);
	return 1;
}

int pn_tool_result(struct pn_profile *out, struct pn_collection *c, size_t job,
		   struct pn_error *err)
{
	const struct state *s = &c->jobs[job];
	size_t m;

	if (!s->repeat.n)
		return pn_error_set(err, PN_ERANGE, "no run was measured");
	if (c->tool->kind)
		out->header.kind =
			pn_strtab_add_text(&out->strings, c->tool->kind);
	pn_collect_describe(out, c->tool->name, c->plan, &c->plan->jobs[job],
			    &c->environment);
	out->header.exit_status = s->repeat.exit_status;
	out->time_ns = s->repeat.begin_ns;
	if (s->repeat.end_ns > s->repeat.begin_ns && !c->tool->hides_run)
		out->duration_ns = s->repeat.end_ns - s->repeat.begin_ns;
	for (m = 0; m < c->metric_count; m++)
		pn_profile_add_metric(out, c->metrics[m].name,
				      c->metrics[m].unit, PN_BETTER_LESS,
				      s->values[m], s->repeat.n);
	if (c->tool->counts || c->tool->hides_run)
		return 0;
	for (m = 0; m < METRICS; m++)
		pn_profile_add_metric(
			out, metrics[m].name, metrics[m].unit, PN_BETTER_LESS,
			s->values[c->metric_count + m], s->repeat.n);
	return 0;
}

int pn_tool_left(struct pn_collect_file *out, struct pn_collection *c,
		 size_t job, size_t run, struct pn_error *err)
{
	(void)err;
	if (run >= c->jobs[job].path_count)
		return 0;
	out->path = c->jobs[job].paths[run];
	out->format = c->tool->format;
	if (!out->format)
		out->format = pn_collect_option(c->plan, "format");
	return 0;
}

size_t pn_tool_warnings(struct pn_doubt out[PN_DOUBT_KINDS],
			struct pn_collection *c, size_t job)
{
	size_t n = 0;

	if (c->jobs[job].repeat.failed) {
		out[n].kind = PN_DOUBT_FAILED;
		out[n++].value = (double)c->jobs[job].repeat.failed;
	}
	if (c->tool->doubts)
		n += c->tool->doubts(out + n, c->counters);
	return n;
}
