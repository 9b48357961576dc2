/*
 * One measurement: a plan of what was asked, the steps of its collector, what
 * becomes of the results. Long, as it is where the repository, collectors, the
 * terminal and signals meet.
 */
#include "measure.h"

#include "base/file.h"
#include "context.h"
#include "interrupt.h"
#include "jobs/profiles/collect_call.h"
#include "jobs/settings.h"
#include "render/measured/doubt.h"
#include "render/measured/live.h"
#include "render/measured/results.h"
#include "render/remark.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of one call. */
struct collect {
	struct options *o;
	char *machine, *collector; /* from the configuration */
	struct pn_text_pair *labels;
	struct pn_collect_pair *settings;
	struct pn_collect_call all;
};

static int read_settings(struct collect *c, struct pn_error *err)
{
	struct pn_repo *repo = c->all.keep.repo;
	int code;

	/* settings are for what differs from run to run */
	c->all.plan.counting_runs = (uint64_t)c->o->runs;

	code = pn_setting_find(&c->o->machine, &c->machine, repo,
			       "GIT_PERF_MACHINE", "perf.machine", err);
	if (!code)
		code = pn_setting_find(&c->o->collector, &c->collector, repo,
				       "GIT_PERF_COLLECTOR", "perf.collector",
				       err);
	if (!code && !c->o->runs && c->o->min_runs == PN_COLLECT_MIN_RUNS &&
	    c->o->max_runs == PN_COLLECT_MAX_RUNS)
		code = pn_setting_runs(&c->o->runs, repo, err);
	return code;
}

static int read_repo(struct collect *c, struct pn_error *err)
{
	int code;

	code = open_repo(&c->all.keep.repo, err);
	if (code == PN_ENOTFOUND && !c->o->add) {
		/* figures are of use anywhere */
		c->o->keep = false;
		code = 0;
	}
	c->all.add = c->o->add;
	c->all.keep_pending = c->o->keep;
	if (!code)
		code = read_settings(c, err);
	return code ? code : pn_collect_call_open(&c->all, err);
}

static int64_t to_ns(double seconds)
{
	return seconds < 9e9 ? (int64_t)(seconds * 1e9) : INT64_MAX;
}

static void fill_plan(struct collect *c)
{
	const struct options *o = c->o;
	struct pn_collect_plan *plan = &c->all.plan;

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
	if (c->all.keep.repo)
		plan->source_top = pn_repo_work_dir(c->all.keep.repo);
	plan->stop = &interrupted;
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

	c->all.with =
		pn_collector_find(o->collector ? o->collector : "time", err);
	if (!c->all.with)
		return PN_ENOTFOUND;
	if (o->live > 0 && !c->all.with->snapshot)
		return pn_error_set(err, PN_EINVAL,
				    "--live: collector '%s' shows nothing "
				    "while it measures",
				    c->all.with->name);
	c->settings = pn_collect_pairs_of(&settings);
	code = pn_collector_check(c->all.with, c->settings, settings.count,
				  err);
	if (!code && o->export)
		code = pn_results_table_check(o->export, err);
	if (!code)
		code = pn_setting_pairs(&c->labels, &c->all.keep.label_count,
					o->labels.values, o->labels.count, err);
	if (!code)
		code = pn_collect_jobs_of(&c->all.jobs, &request, err);
	c->all.keep.labels = c->labels;
	c->all.keep.name = o->name;
	if (!code)
		fill_plan(c);
	return code;
}

/* What is known so far is kept as a pending profile of its own. */
static int keep_snapshot(const struct collect *c, struct pn_profile *snapshot,
			 struct pn_error *err)
{
	char *path = NULL;
	int code = 0;

	if (!c->all.keep.repo)
		say("no snapshot: there is no repository to keep it in");
	else if (!snapshot->sample_count)
		say("no snapshot: no sample was taken yet");
	else if (!(code = pn_keep_snapshot(&path, &c->all.keep, snapshot, err)))
		say("snapshot: %s", pn_file_basename(path));
	free(path);
	return code;
}

/* The run goes on: show it, or keep what somebody asked for. */
static int look_in(const struct collect *c, struct pn_live *live,
		   const struct pn_collect_progress *progress,
		   struct pn_error *err)
{
	struct pn_profile snapshot;
	int code;

	pn_profile_init(&snapshot);
	code = pn_measure_snapshot(&snapshot, c->all.measuring, progress->job,
				   err);
	if (!code && progress->asked) {
		pn_live_clear(live, stderr);
		code = keep_snapshot(c, &snapshot, err);
	} else if (!code) {
		code = pn_live_snapshot(live, stderr,
					c->all.titles[progress->job], &snapshot,
					err);
	}
	pn_profile_release(&snapshot);
	return code;
}

static void show_progress(const struct collect *c, struct pn_live *live,
			  const struct pn_collect_progress *p)
{
	struct pn_runs_progress runs = {.done = p->done,
					.expected = p->expected,
					.left_ns = p->left_ns,
					.median_ns = p->median_ns,
					.warming_up = p->warming_up,
					.title = c->all.titles[p->job]};

	pn_live_progress(live, stderr, pn_time_monotonic_ns(), &runs);
}

/* Steps to the end; the loop that a collector leaves to us. */
static int run_steps(const struct collect *c, struct pn_error *err)
{
	const struct pn_collect_plan *plan = &c->all.plan;
	bool show = isatty(STDERR_FILENO) && !c->o->quiet &&
		    plan->output != PN_COLLECT_INHERIT;
	struct pn_collect_progress progress;
	struct pn_live live = {0};
	int code;

	if (show || plan->report_ns)
		follow_resize(&live.line, &live.top);
	while ((code = pn_measure_step(c->all.measuring, &progress, err)) > 0 &&
	       !interrupted) {
		if (progress.running) {
			code = look_in(c, &live, &progress, err);
			if (code)
				break;
		} else if (show) {
			show_progress(c, &live, &progress);
		}
	}
	follow_resize(NULL, NULL);
	pn_live_clear(&live, stderr);
	return code < 0 ? code : 0;
}

static int print_results(const struct collect *c, const struct global *global,
			 struct pn_error *err)
{
	const struct options *o = c->o;
	const struct pn_measured *rows = c->all.rows;
	size_t count = c->all.jobs.count;
	struct pn_results_options options = {
		.unit = o->unit,
		.in_order = o->sort && !strcmp(o->sort, "command"),
		.reference = o->reference};
	struct pn_buf table = {0};
	struct output out;
	int code = 0;

	if (o->export) {
		pn_results_table(&table, o->export, rows, count, &options);
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
	code = o->json ? pn_results_json(out.file, rows, count, err)
		       : pn_results_text(out.file, rows, count, &options, err);
	if (!code)
		return close_output(&out, EXIT_DONE);
	discard_output(&out);
	return code;
}

/* What became of each: its id in HEAD's list, or the pending file. */
static void say_kept(const struct collect *c)
{
	const char *doubt = c->all.keep.dirty ? " (the tree was dirty)" : "";
	char hex[PN_OID_HEX + 1];
	size_t i;

	pn_oid_hex(hex, &c->all.keep.head.commit);
	for (i = 0; i < c->all.jobs.count; i++)
		if (!c->o->add && !c->all.paths[i])
			continue;
		else if (c->o->add)
			say("added %s to %.10s%s", c->all.records[i].id, hex,
			    doubt);
		else
			say("pending: %s%s", pn_file_basename(c->all.paths[i]),
			    doubt);
}

static void warn_of_doubts(const struct collect *c, size_t job)
{
	const struct pn_measured *row = &c->all.rows[job];
	struct pn_doubt_context context = {.precision = c->all.plan.precision,
					   .prepared = c->all.plan.warmup ||
						       c->o->prepare};
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < row->doubt_count; i++) {
		pn_buf_clear(&text);
		pn_doubt_text(&text, &row->doubts[i], &context);
		warn("'%s': %s", row->title, pn_buf_text(&text));
	}
	for (i = 0; i < PN_REMARKS; i++) {
		pn_buf_clear(&text);
		pn_remark_warning(&text, i, row->profile);
		if (text.len)
			warn("'%s': %s", row->title, pn_buf_text(&text));
	}
	pn_buf_release(&text);
}

/* 128 when a run failed and that was not allowed. */
static int conclude(const struct collect *c, const struct global *global)
{
	struct pn_error err = {0};
	int code = print_results(c, global, &err);
	size_t i;

	if (code < 0)
		code = fail(&err);
	for (i = 0; i < c->all.jobs.count; i++)
		warn_of_doubts(c, i);
	if (!c->o->quiet && c->all.with->chooses_environment)
		say("%s gives a command a chosen environment; -O "
		    "env=<name>,... passes more of yours",
		    c->all.with->name);
	if (!c->o->quiet)
		say_kept(c);
	if (code != EXIT_DONE)
		return code;
	return pn_collect_call_failed(&c->all) && !c->o->ignore_status
		       ? EXIT_FATAL
		       : EXIT_DONE;
}

static int run_and_keep(struct collect *c, const struct global *global,
			int argc, char **argv)
{
	struct pn_error err = {0};
	bool left = false;
	int code;

	code = read_repo(c, &err);
	if (!code)
		code = make_plan(c, argc, argv, &err);
	if (!code) {
		catch_interrupt();
		code = pn_collect_call_start(&c->all, &err);
		if (!code)
			code = run_steps(c, &err);
		code = pn_collect_call_end(&c->all, code, &err);
	}
	if (interrupted) {
		say("interrupted: nothing is kept");
		return EXIT_INTERRUPTED;
	}
	if (!code)
		code = pn_collect_call_keep(&left, &c->all, &err);
	if (left)
		say("kept as pending: 'git perf add' adds it later");
	if (!code)
		return conclude(c, global);
	fail(&err);
	quote(pn_buf_text(&c->all.said));
	if (code == PN_EREFUSED && !c->all.plan.allow_failure && c->all.titles)
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
	int code;

	pn_collect_plan_init(&c.all.plan);
	code = run_and_keep(&c, global, argc, argv);
	pn_collect_call_release(&c.all);
	free(c.machine);
	free(c.collector);
	pn_setting_pairs_free(c.labels, c.all.keep.label_count);
	pn_collect_pairs_free(c.settings, options->settings.count);
	pn_collect_jobs_release(&c.all.jobs);
	pn_repo_free(c.all.keep.repo);
	return code;
}
