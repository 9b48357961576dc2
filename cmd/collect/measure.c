/*
 * One measurement: a plan of what was asked, the steps of its collector, what
 * becomes of the results. Long, as it is where the repository, collectors, the
 * terminal and signals meet.
 */
#include "measure.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "collect/combine.h"
#include "context.h"
#include "interrupt.h"
#include "jobs/profiles/keep.h"
#include "render/measured/doubt.h"
#include "render/measured/results.h"
#include "render/measured/snapshot.h"
#include "render/progress.h"
#include "render/remark.h"
#include "render/terminal.h"
#include "storage/pending.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of one call. */
struct collect {
	struct options *o;
	char *machine, *collector, *runs; /* from the configuration */
	struct pn_keep keep;
	struct pn_text_pair *labels;
	struct pn_collect_pair *settings;
	const struct pn_collector *with;
	struct pn_collect_jobs jobs;
	struct pn_collect_plan plan;
	/* Of each job: */
	char **titles, **paths;
	struct pn_record *records;
	struct found *found;
	struct pn_buf said; /* by a command that failed */
};

/* What was doubtful of a job. */
struct found {
	struct pn_doubt doubts[PN_DOUBT_KINDS];
	size_t count;
};

static int read_settings(struct collect *c, struct pn_error *err)
{
	const char *runs = NULL;
	int code;

	/* settings are for what differs from run to run */
	c->plan.counting_runs = (uint64_t)c->o->runs;

	code = pn_setting_find(&c->o->machine, &c->machine, c->keep.repo,
			       "GIT_PERF_MACHINE", "perf.machine", err);
	if (!code)
		code = pn_setting_find(&c->o->collector, &c->collector,
				       c->keep.repo, "GIT_PERF_COLLECTOR",
				       "perf.collector", err);
	if (!code && !c->o->runs && c->o->min_runs == PN_COLLECT_MIN_RUNS &&
	    c->o->max_runs == PN_COLLECT_MAX_RUNS)
		code = pn_setting_find(&runs, &c->runs, c->keep.repo,
				       "GIT_PERF_RUNS", "perf.runs", err);
	if (!code && runs &&
	    (!pn_number_int(&c->o->runs, runs, strlen(runs)) || c->o->runs < 1))
		code = pn_error_set(err, PN_EINVAL,
				    "bad perf.runs '%s', need a whole number "
				    "of at least 1",
				    runs);
	return code;
}

static int read_repo(struct collect *c, struct pn_error *err)
{
	int code;

	code = open_repo(&c->keep.repo, err);
	if (code == PN_ENOTFOUND && !c->o->add) {
		/* figures are of use anywhere */
		c->o->keep = false;
		code = 0;
	}
	if (!code)
		code = read_settings(c, err);
	if (!code)
		code = pn_setting_body_bytes(&c->keep.max_bytes, c->keep.repo,
					     err);
	if (!code)
		code = pn_keep_init(&c->keep, err);
	if (!code && c->o->add && c->keep.head.unborn)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "there is no commit yet to list a profile "
				    "at: commit first, or leave --add out");
	return code;
}

static int64_t to_ns(double seconds)
{
	return seconds < 9e9 ? (int64_t)(seconds * 1e9) : INT64_MAX;
}

static void fill_plan(struct collect *c)
{
	const struct options *o = c->o;
	struct pn_collect_plan *plan = &c->plan;

	plan->jobs = c->jobs.items;
	plan->job_count = c->jobs.count;
	plan->shell = o->shell ? "sh" : NULL;
	plan->warmup = (uint64_t)o->warmup;
	plan->runs = (uint64_t)o->runs;
	plan->min_runs = (uint64_t)o->min_runs;
	plan->max_runs = (uint64_t)o->max_runs;
	plan->min_time_ns = to_ns(o->min_time);
	plan->max_time_ns = to_ns(o->max_time);
	plan->precision = o->precision;
	plan->in_turn = !o->interleave;
	plan->allow_failure = o->ignore_status || o->keep_failed;
	plan->input_path = o->stdin_path;
	plan->machine = o->machine;
	plan->source_top = c->keep.repo ? pn_repo_work_dir(c->keep.repo) : NULL;
	plan->report_ns = to_ns(o->live);
	plan->options = c->settings;
	plan->option_count = o->settings.count;
	if (!o->stdout_where || !strcmp(o->stdout_where, "null"))
		return;
	plan->output = PN_COLLECT_FILE;
	plan->output_path = o->stdout_where;
	if (!strcmp(o->stdout_where, "inherit"))
		plan->output = PN_COLLECT_INHERIT;
}

static struct pn_collect_values values_of(const struct pn_opt_list *list)
{
	return (struct pn_collect_values){list->values, list->count};
}

static struct pn_collect_request request_of(const struct options *o, int argc,
					    char **argv)
{
	return (struct pn_collect_request){
		.words = (const char *const *)argv,
		.word_count = (size_t)argc,
		.lines = values_of(&o->lines),
		.reference = o->reference,
		.scans = values_of(&o->scans),
		.lists = values_of(&o->lists),
		.shell = o->shell,
		.workload = o->workload,
		.setup = o->setup,
		.prepare = o->prepare,
		.conclude = o->conclude,
		.cleanup = o->cleanup,
	};
}

static int make_plan(struct collect *c, int argc, char **argv,
		     struct pn_error *err)
{
	const struct options *o = c->o;
	struct pn_collect_request request = request_of(o, argc, argv);
	struct pn_collect_values settings = values_of(&o->settings);
	int code;

	c->with = pn_collector_find(o->collector ? o->collector : "time", err);
	if (!c->with)
		return PN_ENOTFOUND;
	if (o->live > 0 && !c->with->snapshot)
		return pn_error_set(err, PN_EINVAL,
				    "--live: collector '%s' shows nothing "
				    "while it measures",
				    c->with->name);
	c->settings = pn_collect_pairs_of(&settings);
	code = pn_collector_check(c->with, c->settings, settings.count, err);
	if (!code && o->export)
		code = pn_results_table_check(o->export, err);
	if (!code)
		code = pn_setting_pairs(&c->labels, &c->keep.label_count,
					o->labels.values, o->labels.count, err);
	if (!code)
		code = pn_collect_jobs_of(&c->jobs, &request, err);
	c->keep.labels = c->labels;
	c->keep.name = o->name;
	if (!code)
		fill_plan(c);
	return code;
}

/* What is known so far is kept as a pending profile of its own. */
static int keep_snapshot(const struct collect *c, struct pn_profile *snapshot,
			 struct pn_error *err)
{
	char *path = NULL;
	int code = pn_keep_snapshot(&path, &c->keep, snapshot, err);

	if (!code)
		say("snapshot: %s", pn_file_basename(path));
	free(path);
	return code;
}

/* What is on the terminal. */
struct shown {
	struct pn_terminal_line line;
	struct pn_terminal_block top;
};

/* The heaviest functions so far. */
static int show_snapshot(const struct collect *c, struct shown *shown,
			 size_t job, struct pn_profile *snapshot,
			 struct pn_error *err)
{
	struct pn_buf text = {0};
	int code = pn_snapshot_text(&text, c->titles[job], snapshot,
				    pn_terminal_rows(stderr), err);

	if (!code)
		pn_terminal_block_show(&shown->top, stderr, &text);
	pn_buf_release(&text);
	return code;
}

/* The run goes on: show it, or keep what somebody asked for. */
static int look_in(const struct collect *c, struct pn_measure *measure,
		   const struct pn_collect_progress *progress,
		   struct shown *shown, struct pn_error *err)
{
	struct pn_profile snapshot;
	int code;

	pn_profile_init(&snapshot);
	code = pn_measure_snapshot(&snapshot, measure, progress->job, err);
	if (!code && progress->asked) {
		pn_terminal_block_clear(&shown->top, stderr);
		if (!c->keep.repo)
			say("no snapshot: there is no repository to keep it "
			    "in");
		else if (snapshot.sample_count)
			code = keep_snapshot(c, &snapshot, err);
		else
			say("no snapshot: no sample was taken yet");
	} else if (!code) {
		code = show_snapshot(c, shown, progress->job, &snapshot, err);
	}
	pn_profile_release(&snapshot);
	return code;
}

static void show_progress(const struct collect *c, struct shown *shown,
			  const struct pn_collect_progress *p)
{
	struct pn_runs_progress runs = {.done = p->done,
					.expected = p->expected,
					.left_ns = p->left_ns,
					.median_ns = p->median_ns,
					.warming_up = p->warming_up,
					.title = c->titles[p->job]};
	struct pn_buf text = {0};

	pn_terminal_block_clear(&shown->top, stderr);
	if (!pn_terminal_line_due(&shown->line, NULL, pn_time_monotonic_ns()))
		return;
	pn_runs_progress_text(&text, &runs);
	pn_terminal_line_show(&shown->line, stderr, &text);
	pn_buf_release(&text);
}

/* Steps to the end; the loop that a collector leaves to us. */
static int run_steps(const struct collect *c, struct pn_measure *measure,
		     struct pn_error *err)
{
	bool show = isatty(STDERR_FILENO) && !c->o->quiet &&
		    c->plan.output != PN_COLLECT_INHERIT;
	struct pn_collect_progress progress;
	struct shown shown = {0};
	int code;

	if (show || c->plan.report_ns)
		follow_resize(&shown.line, &shown.top);
	while ((code = pn_measure_step(measure, &progress, err)) > 0 &&
	       !interrupted) {
		if (progress.running) {
			code = look_in(c, measure, &progress, &shown, err);
			if (code)
				break;
		} else if (show) {
			show_progress(c, &shown, &progress);
		}
	}
	follow_resize(NULL, NULL);
	pn_terminal_line_clear(&shown.line, stderr);
	pn_terminal_block_clear(&shown.top, stderr);
	return code < 0 ? code : 0;
}

static int run_jobs(struct collect *c, struct pn_error *err)
{
	struct pn_measure *measuring = NULL;
	size_t i, n = c->jobs.count;
	int code;

	c->titles = pn_calloc(n, sizeof(*c->titles));
	c->paths = pn_calloc(n, sizeof(*c->paths));
	c->records = pn_calloc(n, sizeof(*c->records));
	c->found = pn_calloc(n, sizeof(*c->found));
	for (i = 0; i < n; i++)
		c->titles[i] = pn_collect_job_title(&c->jobs.items[i]);
	catch_interrupt();
	c->plan.stop = &interrupted;
	code = pn_measure_open(&measuring, c->with, &c->plan, err);
	if (!code)
		code = run_steps(c, measuring, err);
	for (i = 0; !code && !interrupted && i < n; i++) {
		c->found[i].count =
			pn_measure_warnings(c->found[i].doubts, measuring, i);
		code = pn_keep_take(&c->records[i], &c->keep, measuring, i,
				    err);
	}
	if (code && measuring)
		pn_measure_said(&c->said, measuring);
	pn_measure_free(measuring);
	return code;
}

/* What was measured is not lost with the add. */
static int keep(struct collect *c, struct pn_error *err)
{
	struct pn_error why;

	if (!c->o->add && !c->o->keep)
		return 0;
	if (!c->o->add)
		return pn_keep_pending(c->paths, &c->keep, c->records,
				       c->jobs.count, err);
	if (!pn_store_append(c->keep.repo, c->records, c->jobs.count, err))
		return 0;
	if (!pn_keep_pending(c->paths, &c->keep, c->records, c->jobs.count,
			     &why))
		say("kept as pending: 'git perf add' adds it later");
	return err->code;
}

static struct pn_measured *rows_of(const struct collect *c, const char *origin)
{
	struct pn_measured *rows = pn_calloc(c->jobs.count, sizeof(*rows));
	size_t i;

	for (i = 0; i < c->jobs.count; i++)
		rows[i] = (struct pn_measured){
			.title = c->titles[i],
			.id = c->o->add ? c->records[i].id : NULL,
			.path = c->paths[i],
			.origin = origin,
			.profile = &c->records[i].profile,
			.doubts = c->found[i].doubts,
			.doubt_count = c->found[i].count};
	return rows;
}

static int print_results(const struct collect *c, const struct global *global,
			 const struct pn_measured *rows, struct pn_error *err)
{
	const struct options *o = c->o;
	struct pn_results_options options = {
		.unit = o->unit,
		.in_order = o->sort && !strcmp(o->sort, "command"),
		.reference = o->reference};
	struct pn_buf table = {0};
	struct output out;
	int code = 0;

	if (o->export) {
		pn_results_table(&table, o->export, rows, c->jobs.count,
				 &options);
		code = pn_file_write(o->export, pn_buf_text(&table), table.len,
				     false, err);
		pn_buf_release(&table);
	}
	if (code || (o->quiet && !o->json && !o->path))
		return code;
	code = open_output(&out, global, o->path, false, err);
	if (code)
		return code;
	options.palette = &out.palette;
	code = o->json ? pn_results_json(out.file, rows, c->jobs.count, err)
		       : pn_results_text(out.file, rows, c->jobs.count,
					 &options, err);
	if (!code)
		return close_output(&out, EXIT_DONE);
	discard_output(&out);
	return code;
}

/* What became of each: its id in HEAD's list, or the pending file. */
static void say_kept(const struct collect *c)
{
	const char *doubt = c->keep.dirty ? " (the tree was dirty)" : "";
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_oid_hex(hex, &c->keep.head.commit);
	for (i = 0; i < c->jobs.count; i++)
		if (!c->o->add && !c->paths[i])
			continue;
		else if (c->o->add)
			say("added %s to %.10s%s", c->records[i].id, hex,
			    doubt);
		else
			say("pending: %s%s", pn_file_basename(c->paths[i]),
			    doubt);
}

static void warn_of_doubts(const struct collect *c, size_t job)
{
	const struct found *found = &c->found[job];
	struct pn_doubt_context context = {.precision = c->plan.precision,
					   .prepared = c->plan.warmup ||
						       c->o->prepare};
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < found->count; i++) {
		pn_buf_clear(&text);
		pn_doubt_text(&text, &found->doubts[i], &context);
		warn("'%s': %s", c->titles[job], pn_buf_text(&text));
	}
	for (i = 0; i < PN_REMARKS; i++) {
		pn_buf_clear(&text);
		pn_remark_warning(&text, i, &c->records[job].profile);
		if (text.len)
			warn("'%s': %s", c->titles[job], pn_buf_text(&text));
	}
	pn_buf_release(&text);
}

/* 128 when a run failed and that was not allowed. */
static int conclude(const struct collect *c, const struct global *global)
{
	char origin[PN_OID_HEX + 1] = "";
	struct pn_measured *rows;
	struct pn_error err = {0};
	bool failed = false;
	size_t i;
	int code;

	if (!c->keep.head.unborn)
		pn_oid_hex(origin, &c->keep.head.commit);
	rows = rows_of(c, origin);
	code = print_results(c, global, rows, &err);
	if (code < 0)
		code = fail(&err);
	for (i = 0; i < c->jobs.count; i++) {
		warn_of_doubts(c, i);
		failed |= rows[i].profile->header.exit_status > 0;
	}
	free(rows);
	if (!c->o->quiet && c->with->chooses_environment)
		say("%s gives a command a chosen environment; -O "
		    "env=<name>,... passes more of yours",
		    c->with->name);
	if (!c->o->quiet)
		say_kept(c);
	if (code != EXIT_DONE)
		return code;
	return failed && !c->o->ignore_status ? EXIT_FATAL : EXIT_DONE;
}

/* Where a result cannot be kept is known before hours are spent on it. */
static int prepare(const struct collect *c, struct pn_error *err)
{
	if (!c->o->keep && !c->o->add)
		return 0;
	return pn_pending_prepare(c->keep.repo, err);
}

static int run_and_keep(struct collect *c, const struct global *global,
			int argc, char **argv)
{
	struct pn_error err = {0};
	int code;

	code = read_repo(c, &err);
	if (!code)
		code = make_plan(c, argc, argv, &err);
	if (!code)
		code = prepare(c, &err);
	if (!code)
		code = run_jobs(c, &err);
	if (interrupted) {
		say("interrupted: nothing is kept");
		return EXIT_INTERRUPTED;
	}
	if (!code)
		code = keep(c, &err);
	if (!code)
		return conclude(c, global);
	fail(&err);
	quote(pn_buf_text(&c->said));
	if (code == PN_EREFUSED && !c->plan.allow_failure && c->titles)
		say("hint: --ignore-status measures it all the same, "
		    "--stdout=inherit shows all that it says");
	if (code == PN_ENOTFOUND && argc == 1 && strchr(argv[0], ' '))
		say("hint: a command line in one argument is for --command "
		    "or --shell");
	return EXIT_FATAL;
}

int measure(struct options *options, const struct global *global, int argc,
	    char **argv)
{
	struct collect c = {.o = options};
	size_t i;
	int code;

	pn_collect_plan_init(&c.plan);
	code = run_and_keep(&c, global, argc, argv);
	for (i = 0; c.titles && i < c.jobs.count; i++) {
		pn_record_release(&c.records[i]);
		free(c.titles[i]);
		free(c.paths[i]);
	}
	free(c.titles);
	free(c.paths);
	free(c.records);
	free(c.found);
	free(c.machine);
	free(c.collector);
	free(c.runs);
	pn_setting_pairs_free(c.labels, c.keep.label_count);
	pn_collect_pairs_free(c.settings, options->settings.count);
	pn_collect_jobs_release(&c.jobs);
	pn_repo_free(c.keep.repo);
	pn_buf_release(&c.said);
	return code;
}
