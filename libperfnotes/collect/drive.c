/* Collectors that drive a tool. */
#include "collect/drive.h"

#include "base/alloc.h"
#include "base/file.h"
#include "collect/describe.h"
#include "collect/environment.h"
#include "collect/trial.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ITERATION "GIT_PERF_ITERATION="

enum metric { WALL, USER, SYS, MAX_RSS, METRICS };

static const struct pn_drive_metric metrics[METRICS] = {
	{"wall", "ns"}, {"user", "ns"}, {"sys", "ns"}, {"max-rss", "bytes"}};

struct state {
	double **values; /* of the kind's metrics, then of those above */
	size_t n, cap;
	uint64_t warmed;
	int64_t begin_ns, end_ns, elapsed_ns;
	uint64_t failed;
	int exit_status;    /* the first that was not 0 */
	struct pn_buf path; /* of the last run's file */
	bool set_up, done;
};

struct pn_collection {
	const struct pn_drive *kind;
	const struct pn_collect_plan *plan;
	struct pn_collect_plan own; /* the same, as the tool needs it */
	struct pn_environment environment;
	void *counters;
	const struct pn_drive_metric *metrics;
	size_t metric_count;
	double *counted; /* values of this run */
	struct state *jobs;
	size_t at;
};

const char *const *pn_drive_words(struct pn_arena *arena,
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

const char *pn_drive_join(struct pn_arena *arena, const char *first,
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

	if (s->set_up)
		pn_trial_hook(c->plan, "cleanup", c->plan->jobs[job].cleanup,
			      NULL, NULL);
	for (m = 0; s->values && m < c->metric_count + METRICS; m++)
		free(s->values[m]);
	free(s->values);
	pn_buf_release(&s->path);
}

void pn_drive_free(struct pn_collection *c)
{
	size_t i;

	if (!c)
		return;
	for (i = 0; c->jobs && i < c->plan->job_count; i++)
		release_job(c, i);
	if (c->kind->close)
		c->kind->close(c->counters);
	free(c->counted);
	free(c->jobs);
	free(c);
}

/* Room for the values of each job. */
static void make_jobs(struct pn_collection *c)
{
	size_t i;

	if (c->kind->metrics)
		c->metric_count = c->kind->metrics(&c->metrics, c->counters);
	c->counted = pn_calloc(c->metric_count + 1, sizeof(*c->counted));
	c->jobs = pn_calloc(c->plan->job_count, sizeof(*c->jobs));
	for (i = 0; i < c->plan->job_count; i++)
		c->jobs[i].values = pn_calloc(c->metric_count + METRICS,
					      sizeof(*c->jobs[i].values));
}

int pn_drive_open(struct pn_collection **out, const struct pn_drive *kind,
		  const struct pn_collect_plan *plan, struct pn_error *err)
{
	struct pn_collection *c = pn_calloc(1, sizeof(*c));
	int code = 0;

	c->kind = kind;
	c->plan = plan;
	c->own = *plan;
	c->own.fixed_stack |= kind->counts;
	if (kind->check)
		code = kind->check(plan, err);
	if (!code && kind->open)
		code = kind->open(&c->counters, plan, err);
	if (code) {
		pn_error_context(err, "collector '%s'", kind->name);
		pn_drive_free(c);
		return code;
	}
	make_jobs(c);
	pn_environment_read(&c->environment, plan->machine, "");
	*out = c;
	return 0;
}

static void keep_values(struct pn_collection *c, const struct pn_trial *trial)
{
	const double costs[METRICS] = {
		(double)trial->cost.wall_ns, (double)trial->cost.user_ns,
		(double)trial->cost.sys_ns, (double)trial->cost.max_rss_bytes};
	struct state *s = &c->jobs[c->at];
	size_t m, cap = s->cap;

	for (m = 0; m < c->metric_count + METRICS; m++) {
		cap = s->cap;
		s->values[m] = pn_grow(s->values[m], &cap, s->n + 1,
				       sizeof(*s->values[m]));
		s->values[m][s->n] = m < c->metric_count
					     ? c->counted[m]
					     : costs[m - c->metric_count];
	}
	s->cap = cap;
	s->n++;
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
		c->kind->name, job->line ? job->line : job->argv[0]);
}

/* The command between the counters. */
static int run_counted(struct pn_collection *c, struct pn_trial *trial,
		       const struct pn_collect_plan *plan,
		       const char *const *argv, const char *iteration,
		       struct pn_error *err)
{
	const struct pn_drive *kind = c->kind;
	int code = 0;

	if (kind->before)
		code = kind->before(c->counters, err);
	if (!code)
		code = pn_trial_measure(trial, plan, argv, iteration, err);
	if (kind->after && code)
		kind->after(NULL, c->counters, NULL);
	else if (kind->after)
		code = kind->after(c->counted, c->counters, err);
	return code;
}

/* The command, in the tool unless it only warms up. */
static int run_tool(struct pn_collection *c, struct pn_trial *trial,
		    const struct pn_drive_run *run, const char *iteration,
		    struct pn_error *err)
{
	const struct pn_collect_job *job = run->job;
	const char *shell[] = {c->plan->shell, "-c", job->line, NULL};
	const char *const *argv = job->line ? shell : job->argv;
	const char *option = c->kind->stdout_option;
	struct pn_collect_plan plan = c->own;
	int code = 0;

	if (c->kind->wrap)
		code = c->kind->wrap(&argv, run, argv, err);
	if (option && pn_collect_option(c->plan, option)) {
		plan.output = PN_COLLECT_FILE;
		plan.output_path = run->file;
	}
	/* Only what is forked after them inherits the counters. */
	if (c->kind->before)
		plan.launcher = NULL;
	if (!code)
		code = run_counted(c, trial, &plan, argv, iteration, err);
	if (code == PN_ENOTFOUND && c->kind->wrap)
		pn_error_context(err, "collector '%s'", c->kind->name);
	return code;
}

static int run_once(struct pn_collection *c, struct pn_trial *trial,
		    const struct pn_drive_run *run, bool warming_up,
		    struct pn_error *err)
{
	const struct pn_collect_job *job = run->job;
	const struct state *s = &c->jobs[c->at];
	char name[64];
	int code;

	snprintf(name, sizeof(name), ITERATION "%s%" PRIu64,
		 warming_up ? "warmup-" : "",
		 warming_up ? s->warmed : (uint64_t)s->n);
	if (warming_up && !c->kind->is_command) {
		code = pn_trial_run(trial, &c->own, job, true, s->warmed, err);
	} else {
		code = pn_trial_hook(c->plan, "prepare", job->prepare, name,
				     err);
		if (!code)
			code = run_tool(c, trial, run, name, err);
		if (!code)
			code = pn_trial_hook(c->plan, "conclude", job->conclude,
					     name, err);
	}
	if (!code && trial->status && !c->plan->allow_failure)
		code = pn_trial_refuse(job, trial->status, err);
	return code;
}

/* What the run left takes the place of what the one before it did. */
static int take_file(struct pn_collection *c, const struct pn_drive_run *run,
		     struct pn_error *err)
{
	struct state *s = &c->jobs[c->at];
	struct pn_buf path = {0};
	int code = 0;

	if (!c->kind->wrap)
		return 0;
	pn_buf_add_text(&path, run->file);
	if (c->kind->finish)
		code = c->kind->finish(&path, run, err);
	if (!code)
		code = check_file(c, &path, err);
	if (code) {
		pn_buf_release(&path);
		return code;
	}
	if (s->path.len && strcmp(pn_buf_text(&s->path), pn_buf_text(&path)))
		remove(pn_buf_text(&s->path));
	pn_buf_release(&s->path);
	s->path = path;
	return 0;
}

static int run_job(struct pn_collection *c, bool *warming_up,
		   struct pn_error *err)
{
	struct state *s = &c->jobs[c->at];
	struct pn_arena arena = {0};
	struct pn_buf file = {0};
	struct pn_drive_run run = {
		.plan = c->plan, .job = &c->plan->jobs[c->at], .arena = &arena};
	struct pn_trial trial = {0};
	int64_t start_ns = pn_time_now_ns();
	int code;

	*warming_up = s->warmed < c->plan->warmup;
	pn_buf_printf(&file, "%s/%zu-%" PRIu64, c->plan->folder, c->at,
		      s->warmed + s->n);
	run.file = pn_buf_text(&file);
	if (!s->begin_ns)
		s->begin_ns = start_ns;
	code = run_once(c, &trial, &run, *warming_up, err);
	s->end_ns = pn_time_now_ns();
	if (!code && *warming_up) {
		s->warmed++;
	} else if (!code && !(code = take_file(c, &run, err))) {
		if (trial.status && !s->failed++)
			s->exit_status = trial.status;
		keep_values(c, &trial);
		s->elapsed_ns += s->end_ns - start_ns;
	}
	pn_buf_release(&file);
	pn_arena_release(&arena);
	return code;
}

static uint64_t wanted_runs(const struct pn_collection *c)
{
	if (c->plan->runs)
		return c->plan->runs;
	return c->kind->runs ? c->kind->runs : 1;
}

static void report(struct pn_collect_progress *p, const struct pn_collection *c,
		   size_t job, bool warming_up)
{
	uint64_t runs = wanted_runs(c);
	size_t i;

	*p = (struct pn_collect_progress){
		.job = job, .warming_up = warming_up, .median_ns = (double)NAN};
	for (i = 0; i < c->plan->job_count; i++) {
		const struct state *s = &c->jobs[i];

		p->done += s->warmed + s->n;
		p->expected += c->plan->warmup + runs;
		if (s->n)
			p->left_ns += s->elapsed_ns / (int64_t)s->n *
				      (int64_t)(runs - s->n);
	}
}

int pn_drive_step(struct pn_collection *c, struct pn_collect_progress *progress,
		  struct pn_error *err)
{
	const struct pn_collect_plan *plan = c->plan;
	struct state *s = &c->jobs[c->at];
	size_t job = c->at;
	bool warming_up = false;
	int code = 0;

	if (job == plan->job_count)
		return 0;
	if (!s->set_up) {
		code = pn_trial_hook(plan, "setup", plan->jobs[job].setup, NULL,
				     err);
		s->set_up = !code;
	}
	if (!code)
		code = run_job(c, &warming_up, err);
	if (!code && s->n >= wanted_runs(c)) {
		s->set_up = false;
		c->at++;
		code = pn_trial_hook(plan, "cleanup", plan->jobs[job].cleanup,
				     NULL, err);
	}
	if (code)
		return code;
	report(progress, c, job, warming_up);
	return 1;
}

int pn_drive_result(struct pn_profile *out, struct pn_collection *c, size_t job,
		    struct pn_error *err)
{
	const struct state *s = &c->jobs[job];
	size_t m;

	if (!s->n)
		return pn_error_set(err, PN_ERANGE, "no run was measured");
	if (c->kind->kind)
		out->header.kind =
			pn_strtab_add_text(&out->strings, c->kind->kind);
	pn_collect_describe(out, c->kind->name, c->plan, &c->plan->jobs[job],
			    &c->environment);
	out->header.exit_status = s->exit_status;
	out->time_ns = s->begin_ns;
	if (s->end_ns > s->begin_ns && !c->kind->hides_run)
		out->duration_ns = s->end_ns - s->begin_ns;
	for (m = 0; m < c->metric_count; m++)
		pn_profile_add_metric(out, c->metrics[m].name,
				      c->metrics[m].unit, PN_BETTER_LESS,
				      s->values[m], s->n);
	if (c->kind->counts || c->kind->hides_run)
		return 0;
	for (m = 0; m < METRICS; m++)
		pn_profile_add_metric(out, metrics[m].name, metrics[m].unit,
				      PN_BETTER_LESS,
				      s->values[c->metric_count + m], s->n);
	return 0;
}

int pn_drive_left(struct pn_collect_file *out, struct pn_collection *c,
		  size_t job, struct pn_error *err)
{
	(void)err;
	out->path = pn_buf_text(&c->jobs[job].path);
	out->format = c->kind->format;
	if (!out->format)
		out->format = pn_collect_option(c->plan, "format");
	return 0;
}

size_t pn_drive_warnings(struct pn_collect_warning out[PN_COLLECT_DOUBTS],
			 struct pn_collection *c, size_t job)
{
	size_t n = 0;

	if (c->jobs[job].failed) {
		out[n].kind = PN_COLLECT_FAILED;
		out[n++].value = (double)c->jobs[job].failed;
	}
	if (c->kind->doubts)
		n += c->kind->doubts(out + n, c->counters);
	return n;
}
