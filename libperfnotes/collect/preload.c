/* Collectors that load a runtime into the command. */
#include "collect/preload.h"

#include "base/alloc.h"
#include "base/file.h"
#include "collect/describe.h"
#include "collect/environment.h"
#include "collect/runtime.h"
#include "collect/symbolize.h"
#include "collect/trial.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITERATION "GIT_PERF_ITERATION="
#define MAX_METRICS 16

/* What is known of one job. */
struct state {
	struct pn_profile profile; /* of the last run */
	double *values[MAX_METRICS];
	size_t n, cap;	 /* runs that count */
	uint64_t warmed; /* and those that do not */
	int64_t begin_ns, end_ns, elapsed_ns;
	uint64_t failed;
	int exit_status; /* the first that was not 0 */
	double lost;
	bool set_up, done;
};

struct pn_collection {
	const struct pn_preload *kind;
	const struct pn_collect_plan *plan;
	struct pn_collect_plan command; /* the same with our variables */
	struct pn_runtime runtime;
	struct pn_buf texts[PN_PRELOAD_MAX_ENV];
	const char *env[PN_PRELOAD_MAX_ENV + 3];
	struct pn_environment environment;
	struct state *jobs;
	size_t job; /* that runs now */
};

void pn_preload_free(struct pn_collection *c)
{
	size_t i, m;

	if (!c)
		return;
	for (i = 0; i < c->plan->job_count; i++) {
		if (c->jobs[i].set_up)
			pn_trial_hook(c->plan, "cleanup",
				      c->plan->jobs[i].cleanup, NULL, NULL);
		pn_profile_release(&c->jobs[i].profile);
		for (m = 0; m < MAX_METRICS; m++)
			free(c->jobs[i].values[m]);
	}
	for (i = 0; i < PN_PRELOAD_MAX_ENV; i++)
		pn_buf_release(&c->texts[i]);
	pn_runtime_release(&c->runtime);
	free(c->jobs);
	free(c);
}

static void fill_env(struct pn_collection *c)
{
	size_t n = 0, i;

	for (i = 0; c->runtime.env[i]; i++)
		c->env[n++] = c->runtime.env[i];
	for (i = 0; i < PN_PRELOAD_MAX_ENV; i++)
		if (c->texts[i].len)
			c->env[n++] = pn_buf_text(&c->texts[i]);
	c->command = *c->plan;
	c->command.command_env = c->env;
}

int pn_preload_open(struct pn_collection **out, const struct pn_preload *kind,
		    const struct pn_collect_plan *plan, struct pn_error *err)
{
	struct pn_collection *c = pn_calloc(1, sizeof(*c));
	size_t i;
	int code = 0;

	c->kind = kind;
	c->plan = plan;
	c->jobs = pn_calloc(plan->job_count, sizeof(*c->jobs));
	for (i = 0; i < plan->job_count; i++)
		pn_profile_init(&c->jobs[i].profile);
	if (kind->variables)
		code = kind->variables(c->texts, plan, err);
	if (!code)
		code = pn_runtime_open(&c->runtime, kind->name, err);
	if (code) {
		pn_preload_free(c);
		return code;
	}
	fill_env(c);
	pn_environment_read(&c->environment, plan->machine, "");
	*out = c;
	return 0;
}

static int no_record(const struct pn_collect_job *job, struct pn_error *err)
{
	return pn_error_set(err, PN_EREFUSED,
			    "'%s' left no record: nothing can be loaded into "
			    "a program that is linked statically, has "
			    "privileges, or is of another architecture",
			    job->line ? job->line : job->argv[0]);
}

static void keep_metrics(struct state *s)
{
	struct pn_profile *p = &s->profile;
	size_t m, cap = s->cap;

	for (m = 0; m < p->metric_count && m < MAX_METRICS; m++) {
		cap = s->cap;
		s->values[m] = pn_grow(s->values[m], &cap, s->n + 1,
				       sizeof(*s->values[m]));
		s->values[m][s->n] = p->metrics[m].values[0];
	}
	s->cap = cap;
	s->n++;
}

/* The records of a run that counts. */
static int take_records(struct pn_collection *c, struct state *s,
			struct pn_error *err)
{
	struct pn_preload_run run = {.plan = c->plan};
	char **paths;
	size_t i;
	int code;

	code = pn_runtime_list(&paths, &run.count, &c->runtime, c->kind->name,
			       err);
	if (code)
		return code;
	run.paths = paths;
	pn_profile_release(&s->profile);
	pn_profile_init(&s->profile);
	if (!run.count)
		code = no_record(&c->plan->jobs[c->job], err);
	else
		code = c->kind->read(&s->profile, &s->lost, &run, err);
	for (i = 0; i < run.count; i++)
		free(paths[i]);
	free(paths);
	if (!code)
		keep_metrics(s);
	return code;
}

/* The command with the runtime in it, and what goes around it without. */
static int run_once(struct pn_collection *c, struct pn_trial *trial,
		    const char *iteration, struct pn_error *err)
{
	const struct pn_collect_plan *plan = c->plan;
	const struct pn_collect_job *job = &plan->jobs[c->job];
	const char *shell[] = {plan->shell, "-c", job->line, NULL};
	int code;

	code = pn_trial_hook(plan, "prepare", job->prepare, iteration, err);
	if (!code)
		code = pn_trial_measure(trial, &c->command,
					job->line ? shell : job->argv,
					iteration, err);
	if (!code)
		code = pn_trial_hook(plan, "conclude", job->conclude, iteration,
				     err);
	if (!code && trial->status && !plan->allow_failure)
		code = pn_trial_refuse(job, trial->status, err);
	return code;
}

static int run_job(struct pn_collection *c, bool *warming_up,
		   struct pn_error *err)
{
	struct state *s = &c->jobs[c->job];
	struct pn_trial trial = {0};
	char iteration[64];
	int code;

	*warming_up = s->warmed < c->plan->warmup;
	snprintf(iteration, sizeof(iteration), ITERATION "%s%" PRIu64,
		 *warming_up ? "warmup-" : "",
		 *warming_up ? s->warmed : (uint64_t)s->n);
	if (!s->begin_ns)
		s->begin_ns = pn_time_now_ns();
	code = run_once(c, &trial, iteration, err);
	s->end_ns = pn_time_now_ns();
	if (!code && *warming_up)
		s->warmed++;
	else if (!code)
		code = take_records(c, s, err);
	pn_runtime_clear(&c->runtime, c->kind->name);
	if (code || *warming_up)
		return code;
	s->elapsed_ns += trial.cost.wall_ns;
	if (trial.status && !s->failed++)
		s->exit_status = trial.status;
	return 0;
}

static uint64_t wanted_runs(const struct pn_collect_plan *plan)
{
	return plan->runs ? plan->runs : 1;
}

static void report(struct pn_collect_progress *p, const struct pn_collection *c,
		   size_t job, bool warming_up)
{
	const struct pn_collect_plan *plan = c->plan;
	uint64_t runs = wanted_runs(plan);
	size_t i;

	*p = (struct pn_collect_progress){
		.job = job, .warming_up = warming_up, .median_ns = NAN};
	for (i = 0; i < plan->job_count; i++) {
		const struct state *s = &c->jobs[i];

		p->done += s->warmed + s->n;
		p->expected += plan->warmup + runs;
		if (s->n)
			p->left_ns += s->elapsed_ns / (int64_t)s->n *
				      (int64_t)(runs - s->n);
	}
}

int pn_preload_step(struct pn_collection *c, struct pn_collect_progress *p,
		    struct pn_error *err)
{
	const struct pn_collect_plan *plan = c->plan;
	const struct pn_collect_job *job = &plan->jobs[c->job];
	struct state *s = &c->jobs[c->job];
	size_t at = c->job;
	bool warming_up;
	int code = 0;

	if (c->job == plan->job_count)
		return 0;
	if (!s->set_up)
		code = pn_trial_hook(plan, "setup", job->setup, NULL, err);
	s->set_up = !code;
	if (!code)
		code = run_job(c, &warming_up, err);
	if (!code && s->n >= wanted_runs(plan)) {
		s->set_up = false;
		code = pn_trial_hook(plan, "cleanup", job->cleanup, NULL, err);
		c->job++;
	}
	if (code)
		return code;
	report(p, c, at, warming_up);
	return 1;
}

/* Each metric with the values of all runs in place of the last one's. */
static void put_metrics(struct pn_profile *out, const struct state *s)
{
	size_t count = out->metric_count, m;

	for (m = 0; m < count && m < MAX_METRICS; m++) {
		struct pn_metric *metric = pn_profile_add_metric(
			out, pn_profile_text(out, out->metrics[m].name),
			pn_profile_text(out, out->metrics[m].unit),
			(enum pn_better)out->metrics[m].better, s->values[m],
			s->n);
		struct pn_metric all = *metric;

		*metric = out->metrics[m];
		out->metrics[m] = all;
	}
	for (m = count; m < out->metric_count; m++)
		free(out->metrics[m].values);
	out->metric_count = count;
}

int pn_preload_result(struct pn_profile *out, struct pn_collection *c,
		      size_t job, struct pn_error *err)
{
	struct state *s = &c->jobs[job];
	int code;

	if (!s->n)
		return pn_error_set(err, PN_ERANGE, "no run was measured");
	pn_profile_release(out);
	*out = s->profile;
	pn_profile_init(&s->profile);
	put_metrics(out, s);
	code = pn_symbolize(out, err);
	pn_collect_describe(out, c->kind->name, c->plan, &c->plan->jobs[job],
			    &c->environment);
	out->header.kind = pn_strtab_add_text(&out->strings, c->kind->kind);
	out->header.exit_status = s->exit_status;
	out->time_ns = s->begin_ns;
	out->duration_ns =
		s->end_ns > s->begin_ns ? s->end_ns - s->begin_ns : 0;
	out->complete = true;
	s->n = 0;
	return code;
}

size_t pn_preload_warnings(struct pn_collect_warning out[PN_COLLECT_DOUBTS],
			   struct pn_collection *c, size_t job)
{
	const struct state *s = &c->jobs[job];
	size_t n = 0;

	if (s->failed)
		out[n++] = (struct pn_collect_warning){PN_COLLECT_FAILED,
						       (double)s->failed};
	if (s->lost > 0)
		out[n++] =
			(struct pn_collect_warning){PN_COLLECT_LOST, s->lost};
	return n;
}
