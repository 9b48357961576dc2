/*
 * The collector "time": what running a command costs, from the kernel's own
 * accounts (getrusage(2)). Runs go on until the median is known well enough
 * (Le Boudec, Performance Evaluation of Computer and Communication Systems
 * (2010), 2.2: intervals of the median need no normal distribution), and those
 * of several jobs alternate in random order, so that a drift of the machine
 * meets all of them.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "collect/collector.h"
#include "collect/describe.h"
#include "collect/facts/environment.h"
#include "collect/repeat.h"
#include "model/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CALIBRATION_RUNS 50 /* of an empty shell, as hyperfine */
#define SHORT_NS 5000000    /* below it a shell's own noise shows */
#define CONFIDENCE 0.95
/* Of fewer runs, more than one normal sample in a hundred would be blamed
 * (5: 3.5 %, 4: 2.2 %, 3: 11 %, found by simulation). */
#define OUTLIER_MIN_RUNS 6
#define CHECK_GROWTH 20 /* look again after a twentieth more runs */

enum metric {
	WALL,
	USER,
	SYS,
	MAX_RSS,
	MINOR_FAULTS,
	MAJOR_FAULTS,
	VOLUNTARY,
	INVOLUNTARY,
	METRICS
};

static const struct {
	const char *name, *unit;
} metrics[METRICS] = {
	{"wall", "ns"},
	{"user", "ns"},
	{"sys", "ns"},
	{"max-rss", "bytes"},
	{"minor-faults", "count"},
	{"major-faults", "count"},
	{"voluntary-switches", "count"},
	{"involuntary-switches", "count"},
};

/* What is known of one job. */
struct state {
	struct pn_repeat repeat;
	double *values[METRICS];
	size_t cap;
	size_t next_check;
	double median_ns, half_width; /* at the last check; share of median */
	bool done;
};

struct pn_collection {
	const struct pn_collect_plan *plan;
	struct pn_environment environment;
	struct state *jobs;
	double shell_ns[SYS + 1]; /* an empty shell's wall, user, sys */
	size_t first, last;	  /* the jobs whose runs alternate now */
	size_t *order;		  /* of this round */
	size_t at, count;
};

static void get_values(double out[METRICS], const struct pn_process_cost *cost)
{
	out[WALL] = (double)cost->wall_ns;
	out[USER] = (double)cost->user_ns;
	out[SYS] = (double)cost->sys_ns;
	out[MAX_RSS] = (double)cost->max_rss_bytes;
	out[MINOR_FAULTS] = (double)cost->minor_faults;
	out[MAJOR_FAULTS] = (double)cost->major_faults;
	out[VOLUNTARY] = (double)cost->voluntary_switches;
	out[INVOLUNTARY] = (double)cost->involuntary_switches;
}

static double median_of(const double *values, size_t n)
{
	double *sorted = pn_realloc_array(NULL, n, sizeof(*sorted)), median;

	memcpy(sorted, values, n * sizeof(*sorted));
	pn_summary_sort(sorted, n);
	median = pn_summary_quantile(sorted, n, 0.5);
	free(sorted);
	return median;
}

/* What the shell takes when it has nothing to do. */
static int calibrate(struct pn_collection *c, struct pn_error *err)
{
	const char *argv[] = {c->plan->shell, "-c", "", NULL};
	double all[SYS + 1][CALIBRATION_RUNS], values[METRICS];
	struct pn_iteration outcome;
	size_t i, m;
	int code;

	for (i = 0; i < CALIBRATION_RUNS; i++) {
		code = pn_iteration_measure(&outcome, c->plan, argv,
					    "GIT_PERF_ITERATION=calibration",
					    err);
		if (!code && outcome.status)
			code = pn_error_set(err, PN_EREFUSED,
					    "an empty line in '%s' exited with "
					    "status %d",
					    argv[0], outcome.status);
		if (code)
			return code;
		get_values(values, &outcome.cost);
		for (m = WALL; m <= SYS; m++)
			all[m][i] = values[m];
	}
	for (m = WALL; m <= SYS; m++)
		c->shell_ns[m] = median_of(all[m], CALIBRATION_RUNS);
	return 0;
}

/* The jobs from `first` on that alternate: all, unless one of them sets up
 * what another would overwrite. */
static void begin_group(struct pn_collection *c, size_t first)
{
	const struct pn_collect_plan *plan = c->plan;
	bool alone = plan->in_turn;
	size_t i;

	for (i = 0; i < plan->job_count; i++)
		alone |= plan->jobs[i].setup || plan->jobs[i].cleanup;
	c->first = first;
	c->last =
		alone && first < plan->job_count ? first + 1 : plan->job_count;
	c->at = c->count = 0;
}

static void time_free(struct pn_collection *c)
{
	size_t i, m;

	if (!c)
		return;
	for (i = 0; i < c->plan->job_count; i++) {
		pn_repeat_finish(&c->jobs[i].repeat, c->plan, &c->plan->jobs[i],
				 NULL);
		for (m = 0; m < METRICS; m++)
			free(c->jobs[i].values[m]);
	}
	free(c->jobs);
	free(c->order);
	free(c);
}

static int time_open(struct pn_collection **out,
		     const struct pn_collect_plan *plan, struct pn_error *err)
{
	struct pn_collection *c = pn_calloc(1, sizeof(*c));
	size_t i;
	int code = 0;

	c->plan = plan;
	c->jobs = pn_calloc(plan->job_count, sizeof(*c->jobs));
	c->order = pn_calloc(plan->job_count, sizeof(*c->order));
	for (i = 0; i < plan->job_count; i++)
		c->jobs[i].median_ns = c->jobs[i].half_width = NAN;
	pn_environment_read(&c->environment, plan->machine, "");
	begin_group(c, 0);
	if (plan->shell)
		code = calibrate(c, err);
	if (code)
		time_free(c);
	else
		*out = c;
	return code;
}

static void keep_run(struct pn_collection *c, struct state *s,
		     const struct pn_iteration *outcome)
{
	double values[METRICS];
	size_t m, cap;

	get_values(values, &outcome->cost);
	for (m = 0; m < METRICS; m++) {
		cap = s->cap;
		s->values[m] = pn_grow(s->values[m], &cap, s->repeat.n + 1,
				       sizeof(*s->values[m]));
		if (m <= SYS)
			values[m] = fmax(values[m] - c->shell_ns[m], 0);
		s->values[m][s->repeat.n] = values[m];
	}
	s->cap = cap;
	pn_repeat_count(&s->repeat, outcome);
}

/* Median and its interval, as far as n allows. */
static void look(struct state *s)
{
	double *sorted = pn_realloc_array(NULL, s->repeat.n, sizeof(*sorted));
	struct pn_interval interval;

	memcpy(sorted, s->values[WALL], s->repeat.n * sizeof(*sorted));
	pn_summary_sort(sorted, s->repeat.n);
	s->median_ns = pn_summary_quantile(sorted, s->repeat.n, 0.5);
	if (!pn_summary_median_interval(&interval, sorted, s->repeat.n,
					CONFIDENCE, NULL))
		s->half_width = s->median_ns > 0
					? (interval.high - interval.low) / 2 /
						  s->median_ns
					: 0;
	s->next_check = s->repeat.n + 1 + s->repeat.n / CHECK_GROWTH;
	free(sorted);
}

static bool is_enough(const struct pn_collect_plan *plan, struct state *s)
{
	if (plan->runs)
		return s->repeat.n >= plan->runs;
	if (plan->max_runs && s->repeat.n >= plan->max_runs)
		return true;
	if (s->repeat.n < plan->min_runs ||
	    s->repeat.elapsed_ns < plan->min_time_ns)
		return false;
	return s->repeat.elapsed_ns >= plan->max_time_ns ||
	       s->half_width <= plan->precision;
}

static int run_job(struct pn_collection *c, size_t job, struct pn_error *err)
{
	const struct pn_collect_plan *plan = c->plan;
	const struct pn_collect_job *j = &plan->jobs[job];
	struct state *s = &c->jobs[job];
	struct pn_iteration outcome = {0};
	int code = pn_repeat_begin(&s->repeat, plan, j, err);

	if (!code)
		code = pn_iteration_run(&outcome, plan, j, s->repeat.iteration,
					err);
	if (!code)
		code = pn_repeat_end(&s->repeat, plan, j, &outcome, err);
	if (code || s->repeat.warming_up)
		return code;
	keep_run(c, s, &outcome);
	s->done = is_enough(plan, s);
	if (s->repeat.n >= s->next_check || s->done) {
		look(s);
		s->done = is_enough(plan, s);
	}
	return s->done ? pn_repeat_finish(&s->repeat, plan, j, err) : 0;
}

/* The jobs of a group that are not done, shuffled: Fisher & Yates (1938). */
static void begin_round(struct pn_collection *c)
{
	size_t i, j, swap;

	c->at = c->count = 0;
	for (i = c->first; i < c->last; i++)
		if (!c->jobs[i].done)
			c->order[c->count++] = i;
	for (i = c->count; i > 1; i--) {
		j = (size_t)(pn_hash_random() % i);
		swap = c->order[i - 1];
		c->order[i - 1] = c->order[j];
		c->order[j] = swap;
	}
}

/* How many runs of a job there will be, as far as one can say. */
static uint64_t expected_runs(const struct pn_collect_plan *plan,
			      const struct state *s)
{
	double each, runs;

	if (s->done)
		return s->repeat.n;
	if (plan->runs)
		return plan->runs;
	if (!s->repeat.n || !s->repeat.elapsed_ns)
		return plan->min_runs > s->repeat.n ? plan->min_runs
						    : s->repeat.n + 1;
	each = (double)s->repeat.elapsed_ns / (double)s->repeat.n;
	runs = (double)plan->min_time_ns / each;
	/* the interval narrows with the square root of n */
	if (s->half_width > plan->precision && plan->precision > 0)
		runs = fmax(runs,
			    (double)s->repeat.n *
				    pow(s->half_width / plan->precision, 2));
	runs = fmin(runs, (double)plan->max_time_ns / each);
	runs = fmax(ceil(runs), (double)plan->min_runs);
	if (plan->max_runs)
		runs = fmin(runs, (double)plan->max_runs);
	return (uint64_t)fmax(runs, (double)s->repeat.n + 1);
}

static void report(struct pn_collect_progress *p, const struct pn_collection *c,
		   size_t job)
{
	const struct pn_collect_plan *plan = c->plan;
	size_t i;

	*p = (struct pn_collect_progress){
		.job = job,
		.warming_up = c->jobs[job].repeat.warming_up,
		.median_ns = c->jobs[job].median_ns,
	};
	for (i = 0; i < plan->job_count; i++)
		pn_repeat_report(p, &c->jobs[i].repeat, plan,
				 expected_runs(plan, &c->jobs[i]));
}

static int time_step(struct pn_collection *c,
		     struct pn_collect_progress *progress, struct pn_error *err)
{
	size_t job;
	int code;

	if (c->at == c->count)
		begin_round(c);
	if (!c->count)
		return 0;
	job = c->order[c->at++];
	code = run_job(c, job, err);
	if (code)
		return code;
	report(progress, c, job);
	if (c->jobs[job].done && c->last < c->plan->job_count)
		begin_group(c, c->last);
	return 1;
}

static int time_result(struct pn_profile *out, struct pn_collection *c,
		       size_t job, struct pn_error *err)
{
	const struct pn_collect_job *j = &c->plan->jobs[job];
	const struct state *s = &c->jobs[job];
	size_t m;

	if (!s->repeat.n)
		return pn_error_set(err, PN_ERANGE, "no run was measured");
	out->header.kind = pn_strtab_add_text(&out->strings, "time");
	pn_collect_describe(out, "time", c->plan, j, &c->environment);
	out->header.exit_status = s->repeat.exit_status;
	out->time_ns = s->repeat.begin_ns;
	out->duration_ns = s->repeat.end_ns > s->repeat.begin_ns
				   ? s->repeat.end_ns - s->repeat.begin_ns
				   : 0;
	for (m = 0; m < METRICS; m++)
		pn_profile_add_metric(out, metrics[m].name, metrics[m].unit,
				      PN_BETTER_LESS, s->values[m],
				      s->repeat.n);
	out->complete = true;
	return 0;
}

static size_t add_warning(struct pn_doubt *out, size_t n,
			  enum pn_doubt_kind kind, double value)
{
	out[n].kind = kind;
	out[n].value = value;
	return n + 1;
}

static size_t time_warnings(struct pn_doubt out[PN_DOUBT_KINDS],
			    struct pn_collection *c, size_t job)
{
	const struct state *s = &c->jobs[job];
	bool *is_outlier =
		pn_calloc(s->repeat.n ? s->repeat.n : 1, sizeof(*is_outlier));
	size_t n = 0, outliers = 0;

	if (s->repeat.n >= OUTLIER_MIN_RUNS)
		outliers = pn_summary_outliers(is_outlier, s->values[WALL],
					       s->repeat.n);
	if (outliers && is_outlier[0] && s->values[WALL][0] > s->median_ns) {
		n = add_warning(out, n, PN_DOUBT_SLOW_FIRST,
				s->values[WALL][0]);
		outliers--;
	}
	free(is_outlier);
	if (outliers)
		n = add_warning(out, n, PN_DOUBT_OUTLIERS, (double)outliers);
	if (c->plan->shell && s->median_ns < SHORT_NS)
		n = add_warning(out, n, PN_DOUBT_TOO_SHORT, s->median_ns);
	if (s->repeat.failed)
		n = add_warning(out, n, PN_DOUBT_FAILED,
				(double)s->repeat.failed);
	if (!c->plan->runs && s->half_width > c->plan->precision)
		n = add_warning(out, n, PN_DOUBT_WIDE, s->half_width);
	return n;
}

const struct pn_collector pn_collector_time = {
	.name = "time",
	.summary = "wall and processor time, peak memory, faults, switches",
	.open = time_open,
	.step = time_step,
	.result = time_result,
	.warnings = time_warnings,
	.free = time_free,
};
