/* Collectors that load a runtime into the command. */
#include "collect/preload.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "collect/describe.h"
#include "collect/facts/environment.h"
#include "collect/names/symbolize.h"
#include "collect/repeat.h"
#include "collect/runtime.h"
#include "collect/said.h"
#include "collect/sample/control.h"
#include "collect/sample/live.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOOK_NS 1000000000 /* between two looks at the control */
#define LONG_NS 3000000000 /* runs that take more are no more than two */
#define DONE "run" /* before the name of a record, with the run's number */

/* What the kernel says of a run. */
enum cost { WALL, USER, SYS, MAX_RSS, COSTS };

static const struct {
	const char *name, *unit;
} costs[COSTS] = {
	{"wall", "ns"}, {"user", "ns"}, {"sys", "ns"}, {"max-rss", "bytes"}};

/* What is known of one job. */
struct state {
	struct pn_repeat repeat;
	struct pn_profile profile; /* of all runs, when they are over */
	double *costs[COSTS];
	size_t cost_cap;
	double lost;
	struct pn_live live; /* of the first run */
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
	struct pn_runtime_control *control; /* NULL: there is none */
	size_t job;			    /* that runs now, ... */
	struct pn_process_run *run;	    /* ... if it does */
	uint32_t snapshots; /* that were asked for and reported */
};

void pn_preload_free(struct pn_collection *c)
{
	struct pn_process_cost cost;
	size_t i, m;
	int status;

	if (!c)
		return;
	if (c->run)
		pn_process_measure_stop(c->run);
	if (c->run)
		pn_process_measure_finish(&cost, &status, c->run, NULL);
	for (i = 0; i < c->plan->job_count; i++) {
		pn_repeat_finish(&c->jobs[i].repeat, c->plan, &c->plan->jobs[i],
				 NULL);
		pn_profile_release(&c->jobs[i].profile);
		for (m = 0; m < COSTS; m++)
			free(c->jobs[i].costs[m]);
	}
	/* what a command left running need not go on */
	if (c->control)
		pn_sampler_control_tell(c->control, "stop", NULL);
	pn_sampler_control_release(c->control);
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

static int make_control(struct pn_collection *c, struct pn_error *err)
{
	struct pn_runtime_control settings = {0};
	int code;

	if (!c->kind->control)
		return 0;
	code = c->kind->control(&settings, c->plan, err);
	if (!code)
		code = pn_sampler_control_make(&c->control, c->runtime.folder,
					       &settings, err);
	return code;
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
	if (!code)
		code = make_control(c, err);
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
	return pn_error_set(err, PN_ENOTFOUND,
			    "'%s' left no record: nothing can be loaded into "
			    "a program that is linked statically, has "
			    "privileges, or is of another architecture",
			    job->line ? job->line : job->argv[0]);
}

static void keep_costs(struct state *s, const struct pn_process_cost *cost)
{
	const double of[COSTS] = {(double)cost->wall_ns, (double)cost->user_ns,
				  (double)cost->sys_ns,
				  (double)cost->max_rss_bytes};
	size_t cap, i;

	for (i = 0; i < COSTS; i++) {
		cap = s->cost_cap;
		s->costs[i] = pn_grow(s->costs[i], &cap, s->repeat.n + 1,
				      sizeof(*s->costs[i]));
		s->costs[i][s->repeat.n] = of[i];
	}
	s->cost_cap = cap;
}

/* The run that a record is of: what stands before its name, else the one that
 * goes on. */
static size_t run_of(const char *path, const struct state *s)
{
	const char *name = pn_file_basename(path);
	const char *end = strchr(name, '-');
	uint64_t run;

	if (strncmp(name, DONE, strlen(DONE)) || !end ||
	    !pn_number_uint(&run, name + strlen(DONE),
			    (size_t)(end - name) - strlen(DONE)))
		return s->repeat.n;
	return (size_t)run;
}

/* Out of the way of the next run. */
static int put_by(struct pn_collection *c, size_t run, struct pn_error *err)
{
	struct pn_buf to = {0};
	char **paths;
	size_t count, i;
	int code;

	code = pn_runtime_list(&paths, &count, &c->runtime, c->kind->name, err);
	for (i = 0; !code && i < count; i++) {
		pn_buf_clear(&to);
		pn_buf_printf(&to, "%s/" DONE "%zu-%s", c->runtime.folder, run,
			      pn_file_basename(paths[i]));
		if (rename(paths[i], pn_buf_text(&to)))
			code = pn_error_system(err, "cannot rename '%s'",
					       paths[i]);
	}
	for (i = 0; i < count; i++)
		free(paths[i]);
	free(paths);
	pn_buf_release(&to);
	return code;
}

/* Whether the runtime told that it is there, though it left nothing. */
static bool was_loaded(const struct pn_collection *c)
{
	return c->control &&
	       __atomic_load_n(&c->control->images, __ATOMIC_RELAXED) > 0;
}

/* Without what is no record: the control, a link to the object. */
static size_t keep_records(char **paths, size_t count,
			   const struct pn_collection *c)
{
	size_t kept = 0, i;
	const char *name;

	for (i = 0; i < count; i++) {
		name = pn_file_basename(paths[i]);
		if (!strncmp(name, DONE, strlen(DONE)) ||
		    !strncmp(name, c->kind->name, strlen(c->kind->name)))
			paths[kept++] = paths[i];
		else
			free(paths[i]);
	}
	return kept;
}

/* The records of these runs, into a profile that is initialised. */
static int read_records(struct pn_profile *out, struct pn_collection *c,
			struct pn_preload_run *run, const char *prefix,
			struct pn_error *err)
{
	struct state *s = &c->jobs[c->job];
	size_t *runs;
	char **paths;
	size_t i;
	int code;

	code = pn_runtime_list(&paths, &run->count, &c->runtime, prefix, err);
	if (code)
		return code;
	run->count = keep_records(paths, run->count, c);
	runs = pn_calloc(run->count + 1, sizeof(*runs));
	for (i = 0; i < run->count; i++)
		runs[i] = run_of(paths[i], s);
	run->plan = c->plan;
	run->job = &c->plan->jobs[c->job];
	run->object = c->runtime.file;
	run->paths = paths;
	run->runs = runs;
	out->header.runs = (uint32_t)run->run_count;
	if (!run->count && !run->goes_on && !was_loaded(c))
		code = no_record(run->job, err);
	else
		code = c->kind->read(out, &s->lost, run, err);
	for (i = 0; i < run->count; i++)
		free(paths[i]);
	free(paths);
	free(runs);
	return code;
}

/* As many as were asked for, else those of the kind, of which two will do when
 * they take long. */
static uint64_t wanted_runs(const struct pn_collection *c,
			    const struct pn_repeat *r)
{
	const struct pn_collect_plan *plan = c->plan;
	uint64_t usual = c->kind->runs ? c->kind->runs(plan) : 1;

	if (plan->runs)
		return plan->runs;
	return r->n > 1 && r->n < usual && r->elapsed_ns >= LONG_NS ? r->n
								    : usual;
}

/* The records of all runs, which are over. */
static int read_runs(struct pn_collection *c, struct state *s,
		     struct pn_error *err)
{
	struct pn_preload_run run = {.run_count = s->repeat.n};

	pn_profile_release(&s->profile);
	pn_profile_init(&s->profile);
	return read_records(&s->profile, c, &run, DONE, err);
}

/* Pauses and the end are those of the run before. */
static void reset_control(struct pn_collection *c)
{
	if (!c->control)
		return;
	c->control->paused = c->control->stopped = 0;
	c->control->images = c->control->ticks = 0;
	c->control->debt_ns = c->control->unseen_ns = 0;
	c->control->generation++;
}

/* The command with the runtime in it, and what goes before without. */
static int begin_run(struct pn_collection *c, struct pn_error *err)
{
	const struct pn_collect_plan *plan = c->plan;
	const struct pn_collect_job *job = &plan->jobs[c->job];
	const char *shell[] = {plan->shell, "-c", job->line, NULL};
	struct state *s = &c->jobs[c->job];
	const char *iteration = s->repeat.iteration;
	int code = pn_repeat_begin(&s->repeat, plan, job, err);

	reset_control(c);
	if (!code)
		code = pn_iteration_line(plan, "prepare", job->prepare,
					 iteration, err);
	if (!code)
		code = pn_iteration_start(&c->run, &c->command,
					  job->line ? shell : job->argv,
					  iteration, err);
	return code;
}

/* Whether somebody asks for a snapshot since the last time. */
static bool is_asked(struct pn_collection *c)
{
	uint32_t asked;

	if (!c->control)
		return false;
	asked = __atomic_load_n(&c->control->snapshots, __ATOMIC_RELAXED);
	if (asked == c->snapshots)
		return false;
	c->snapshots = asked;
	return true;
}

/* Until the run has ended (true), or it is time to report. */
static bool wait_for_run(struct pn_collection *c, bool *asked)
{
	int64_t pause_ns = c->plan->report_ns;

	*asked = false;
	if (!c->control)
		return pn_said_wait(c->plan->said, c->run, 0);
	if (!pause_ns || pause_ns > LOOK_NS)
		pause_ns = LOOK_NS;
	while (!pn_said_wait(c->plan->said, c->run, pause_ns)) {
		*asked = is_asked(c);
		if (*asked || c->plan->report_ns)
			return false;
	}
	return true;
}

static int end_run(struct pn_collection *c, struct pn_error *err)
{
	const struct pn_collect_plan *plan = c->plan;
	const struct pn_collect_job *job = &plan->jobs[c->job];
	struct state *s = &c->jobs[c->job];
	struct pn_iteration outcome = {0};
	int code = pn_process_measure_finish(&outcome.cost, &outcome.status,
					     c->run, err);

	c->run = NULL;
	outcome.elapsed_ns = outcome.cost.wall_ns;
	if (!code)
		code = pn_iteration_line(plan, "conclude", job->conclude,
					 s->repeat.iteration, err);
	if (!code)
		code = pn_repeat_end(&s->repeat, plan, job, &outcome, err);
	if (!code && !s->repeat.warming_up) {
		keep_costs(s, &outcome.cost);
		code = put_by(c, s->repeat.n, err);
	}
	if (!code && !s->repeat.warming_up)
		pn_repeat_count(&s->repeat, &outcome);
	pn_runtime_clear(&c->runtime, c->kind->name);
	return code;
}

static void report(struct pn_collect_progress *p, const struct pn_collection *c,
		   size_t job)
{
	const struct pn_collect_plan *plan = c->plan;
	size_t i;

	*p = (struct pn_collect_progress){
		.job = job,
		.warming_up = c->jobs[job].repeat.warming_up,
		.median_ns = NAN,
	};
	for (i = 0; i < plan->job_count; i++)
		pn_repeat_report(p, &c->jobs[i].repeat, plan,
				 wanted_runs(c, &c->jobs[i].repeat));
}

static int end_job(struct pn_collection *c, struct pn_error *err)
{
	struct state *s = &c->jobs[c->job];
	int code = read_runs(c, s, err);

	if (code)
		return code;
	pn_runtime_clear(&c->runtime, DONE);
	return pn_repeat_finish(&s->repeat, c->plan, &c->plan->jobs[c->job],
				err);
}

int pn_preload_step(struct pn_collection *c, struct pn_collect_progress *p,
		    struct pn_error *err)
{
	size_t at = c->job;
	bool ended, asked;
	int code = 0;

	if (c->job == c->plan->job_count)
		return 0;
	if (!c->run)
		code = begin_run(c, err);
	if (code)
		return code;
	ended = wait_for_run(c, &asked);
	if (ended)
		code = end_run(c, err);
	if (!code &&
	    c->jobs[at].repeat.n >= wanted_runs(c, &c->jobs[at].repeat)) {
		code = end_job(c, err);
		c->job++;
	}
	if (code)
		return code;
	report(p, c, at);
	p->running = !ended;
	p->asked = asked;
	return 1;
}

static void put_costs(struct pn_profile *out, const struct state *s)
{
	size_t i;

	for (i = 0; i < COSTS; i++)
		pn_profile_add_metric(out, costs[i].name, costs[i].unit,
				      PN_BETTER_LESS, s->costs[i], s->repeat.n);
}

static int complete(struct pn_profile *out, struct pn_collection *c, size_t job,
		    struct pn_error *err)
{
	const struct state *s = &c->jobs[job];
	int64_t end_ns = s->repeat.end_ns ? s->repeat.end_ns : pn_time_now_ns();

	pn_collect_describe(out, c->kind->name, c->plan, &c->plan->jobs[job],
			    &c->environment);
	out->header.kind = pn_strtab_add_text(&out->strings, c->kind->kind);
	out->time_ns = s->repeat.begin_ns;
	out->duration_ns =
		end_ns > s->repeat.begin_ns ? end_ns - s->repeat.begin_ns : 0;
	out->complete = true;
	return pn_symbolize(out, err);
}

int pn_preload_result(struct pn_profile *out, struct pn_collection *c,
		      size_t job, struct pn_error *err)
{
	struct state *s = &c->jobs[job];
	int code;

	if (!s->repeat.n)
		return pn_error_set(err, PN_ERANGE, "no run was measured");
	pn_profile_release(out);
	*out = s->profile;
	pn_profile_init(&s->profile);
	if (c->kind->costs)
		put_costs(out, s);
	if (s->repeat.n == 1)
		pn_live_put(out, &s->live);
	code = complete(out, c, job, err);
	out->header.exit_status = s->repeat.exit_status;
	s->repeat.n = 0;
	return code;
}

int pn_preload_snapshot(struct pn_profile *out, struct pn_collection *c,
			size_t job, struct pn_error *err)
{
	struct state *s = &c->jobs[job];
	struct pn_preload_run run = {.run_count = s->repeat.n + 1,
				     .goes_on = true};
	int code;

	if (!c->run || job != c->job)
		return pn_error_set(err, PN_ERANGE, "it does not run");
	code = read_records(out, c, &run, "", err);
	if (!code && !s->repeat.n)
		pn_live_add(&s->live, out,
			    pn_time_now_ns() - s->repeat.begin_ns);
	return code ? code : complete(out, c, job, err);
}

size_t pn_preload_warnings(struct pn_doubt out[PN_DOUBT_KINDS],
			   struct pn_collection *c, size_t job)
{
	const struct state *s = &c->jobs[job];
	size_t n = 0;

	if (s->repeat.failed)
		out[n++] = (struct pn_doubt){PN_DOUBT_FAILED,
					     (double)s->repeat.failed};
	if (s->lost > 0)
		out[n++] = (struct pn_doubt){PN_DOUBT_LOST, s->lost};
	return n;
}
