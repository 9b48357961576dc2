/* git perf collect: run a collector, keep what it measured. */
#include "base/alloc.h"
#include "base/file.h"
#include "base/number.h"
#include "collect/collector.h"
#include "collect_calibrate.h"
#include "collect_jobs.h"
#include "collect_live.h"
#include "collect_view.h"
#include "command.h"
#include "context.h"
#include "interrupt.h"
#include "jobs/measure.h"
#include "storage/pending.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	const char *collector, *workload, *name, *machine, *path;
	const char *setup, *prepare, *conclude, *cleanup;
	const char *stdin_path, *stdout_where, *message;
	const char *reference, *unit, *sort, *export;
	struct opt_list labels, lines, scans, lists, settings;
	int64_t calibrate, runs, warmup, min_runs, max_runs;
	double min_time, max_time, precision, live;
	bool shell, interleave, ignore_status, keep_failed, list_collectors;
	bool add, json, quiet;
};

#define AT(member) offsetof(struct options, member)

static const struct opt opts[] = {
	{OPT_TEXT, 'c', "collector", "<name>", "what measures (time)",
	 AT(collector),
	 "time counters sample memory trace perf callgrind cachegrind command",
	 0},
	{OPT_LIST, 'O', "option", "<key>=<value>",
	 "option of the collector, may be repeated", AT(settings)},
	{OPT_FLAG, 0, "list-collectors", NULL,
	 "list the collectors and their options", AT(list_collectors)},
	{OPT_INT, 0, "calibrate", "<n>", "print what tracing a call costs",
	 AT(calibrate), NULL, 1, CALIBRATE_ROUNDS},
	{OPT_INT, 'r', "runs", "<n>", "exactly so many runs", AT(runs), NULL,
	 1},
	{OPT_INT, 'w', "warmup", "<n>", "first so many that do not count",
	 AT(warmup)},
	{OPT_INT, 0, "min-runs", "<n>", "at least so many runs (10)",
	 AT(min_runs), NULL, 1},
	{OPT_INT, 0, "max-runs", "<n>", "at most so many runs (1000)",
	 AT(max_runs), NULL, 1},
	{OPT_DOUBLE, 0, "min-time", "<s>", "run for at least so long (3)",
	 AT(min_time)},
	{OPT_DOUBLE, 0, "max-time", "<s>", "give up precision after (10)",
	 AT(max_time)},
	{OPT_DOUBLE, 0, "precision", "<share>",
	 "stop when the median is known so well (0.01)", AT(precision)},
	{OPT_TEXT, 's', "setup", "<line>", "run once before all runs",
	 AT(setup)},
	{OPT_TEXT, 'p', "prepare", "<line>", "run before every run",
	 AT(prepare)},
	{OPT_TEXT, 0, "conclude", "<line>", "run after every run",
	 AT(conclude)},
	{OPT_TEXT, 0, "cleanup", "<line>", "run once after all runs",
	 AT(cleanup)},
	{OPT_LIST, 0, "command", "<line>", "another command to compare with",
	 AT(lines)},
	{OPT_LIST, 'P', "parameter-scan", "<name>,<min>,<max>[,<step>]",
	 "replace {<name>} by each number", AT(scans)},
	{OPT_LIST, 'L', "parameter-list", "<name>,<a>,<b>...",
	 "replace {<name>} by each text", AT(lists)},
	{OPT_FLAG, 0, "interleave", NULL,
	 "alternate the runs of several commands (default)", AT(interleave)},
	{OPT_FLAG, 'S', "shell", NULL,
	 "give the command to sh -c, take the shell's own time off", AT(shell)},
	{OPT_FLAG, 'i', "ignore-status", NULL,
	 "go on when the command's status is not 0", AT(ignore_status)},
	{OPT_FLAG, 0, "keep-failed", NULL,
	 "as above, but exit with 128 in the end", AT(keep_failed)},
	{OPT_TEXT, 0, "stdin", "<file>", "input of the command (nothing)",
	 AT(stdin_path)},
	{OPT_TEXT, 0, "stdout", "null|inherit|<file>",
	 "where the command's output goes (null)", AT(stdout_where),
	 "null inherit", 0},
	{OPT_DOUBLE, 0, "live", "<s>",
	 "show the heaviest functions so often, while it runs", AT(live)},
	{OPT_TEXT, 0, "send", "<message>",
	 "tell a sampler that runs: pause, resume, stop, snapshot, ...",
	 AT(message),
	 "pause resume stop snapshot frequency= delay= threads=", 0},
	{OPT_TEXT, 0, "workload", "<name>", "what the command works on",
	 AT(workload)},
	{OPT_TEXT, 'n', "name", "<name>", "name to register", AT(name)},
	{OPT_LIST, 'l', "label", "<key>=<value>", "label, may be repeated",
	 AT(labels)},
	{OPT_TEXT, 0, "machine", "<name>",
	 "name of this machine (perf.machine)", AT(machine)},
	{OPT_FLAG, 0, "add", NULL,
	 "list it at HEAD at once, leave nothing pending", AT(add)},
	{OPT_TEXT, 0, "reference", "<line>",
	 "another command, which the others are compared to", AT(reference)},
	{OPT_TEXT, 0, "sort", "mean|command", "order of the comparison (mean)",
	 AT(sort), "mean command", 0},
	{OPT_TEXT, 'u', "unit", "us|ms|s", "unit of the times", AT(unit),
	 "us ms s", 0},
	{OPT_TEXT, 0, "export", "<file>.csv|<file>.md",
	 "write a table of the times, too", AT(export)},
	{OPT_FLAG, 'q', "quiet", NULL, "only warnings and errors", AT(quiet)},
	{OPT_FLAG, 0, "json", NULL, "print the result as JSON", AT(json)},
	{OPT_TEXT, 'o', "output", "<file>", "print the result to a file",
	 AT(path)},
	{0},
};

/* Of one call. */
struct collect {
	struct options o;
	char *machine, *collector, *runs; /* from the configuration */
	struct pn_repo *repo;
	struct pn_head head;
	struct pn_commit_facts facts; /* of HEAD */
	bool dirty;
	struct pn_text_pair *labels;
	size_t label_count;
	struct pn_collect_pair *settings;
	const struct pn_collector *with;
	struct job_set jobs;
	struct pn_collect_plan plan;
	uint64_t max_body_bytes;
	struct view_result *results;
	struct pn_record *records;
};

static int read_settings(struct collect *c, struct pn_error *err)
{
	const char *runs = NULL;
	int code;

	code = get_setting(&c->o.machine, &c->machine, c->repo,
			   "GIT_PERF_MACHINE", "perf.machine", err);
	if (!code)
		code = get_setting(&c->o.collector, &c->collector, c->repo,
				   "GIT_PERF_COLLECTOR", "perf.collector", err);
	if (!code && !c->o.runs && c->o.min_runs == PN_COLLECT_MIN_RUNS &&
	    c->o.max_runs == PN_COLLECT_MAX_RUNS)
		code = get_setting(&runs, &c->runs, c->repo, "GIT_PERF_RUNS",
				   "perf.runs", err);
	if (!code && runs &&
	    (!pn_number_int(&c->o.runs, runs, strlen(runs)) || c->o.runs < 1))
		code = pn_error_set(err, PN_EINVAL,
				    "bad perf.runs '%s', need a whole number "
				    "of at least 1",
				    runs);
	return code;
}

static int read_repo(struct collect *c, struct pn_error *err)
{
	int code;

	code = open_repo(&c->repo, err);
	if (!code)
		code = read_settings(c, err);
	if (!code)
		code = max_body_bytes(&c->max_body_bytes, c->repo, err);
	if (!code)
		code = pn_repo_head(&c->head, c->repo, err);
	if (!code && c->o.add && c->head.unborn)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "there is no commit yet to list a profile "
				    "at: commit first, or leave --add out");
	if (!code && !c->head.unborn)
		code = pn_repo_commit_facts(&c->facts, c->repo, &c->head.commit,
					    err);
	if (!code && !c->head.unborn && pn_repo_work_dir(c->repo))
		code = pn_repo_is_dirty(&c->dirty, c->repo, err);
	return code;
}

static int64_t to_ns(double seconds)
{
	return seconds < 9e9 ? (int64_t)(seconds * 1e9) : INT64_MAX;
}

static void fill_plan(struct collect *c)
{
	const struct options *o = &c->o;
	struct pn_collect_plan *plan = &c->plan;

	plan->jobs = c->jobs.jobs;
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

static int make_plan(struct collect *c, int argc, char **argv,
		     struct pn_error *err)
{
	const struct options *o = &c->o;
	struct job_texts texts = {
		.words = argv,
		.word_count = (size_t)argc,
		.lines = &o->lines,
		.reference = o->reference,
		.scans = &o->scans,
		.lists = &o->lists,
		.shell = o->shell,
		.workload = o->workload,
		.setup = o->setup,
		.prepare = o->prepare,
		.conclude = o->conclude,
		.cleanup = o->cleanup,
	};
	int code;

	c->with = pn_collector_find(o->collector ? o->collector : "time", err);
	if (!c->with)
		return PN_ENOTFOUND;
	if (o->live > 0 && !c->with->snapshot)
		return pn_error_set(err, PN_EINVAL,
				    "--live: collector '%s' shows nothing "
				    "while it measures",
				    c->with->name);
	c->settings = parse_settings(&o->settings);
	code = pn_collector_check(c->with, c->settings, o->settings.count, err);
	if (!code && o->export)
		code = view_export_check(o->export, err);
	if (!code)
		code = parse_pairs(&c->labels, &c->label_count, &o->labels,
				   err);
	if (!code)
		code = make_jobs(&c->jobs, &texts, err);
	if (!code)
		fill_plan(c);
	return code;
}

static int make_record(struct pn_record *out, const struct collect *c,
		       struct pn_profile *profile, struct pn_error *err)
{
	struct pn_record_options options = {.name = c->o.name,
					    .max_bytes = c->max_body_bytes};
	int64_t time_ns = profile->time_ns;
	int code;

	code = pn_record_from_profile(out, profile, &options, err);
	if (code)
		return code;
	out->commit = c->head.commit;
	out->tree = c->facts.tree;
	out->time_ns = time_ns;
	return 0;
}

/* What only we know of a profile. */
static void add_own(struct pn_profile *profile, const struct collect *c)
{
	size_t i;

	profile->header.dirty = c->dirty;
	for (i = 0; i < c->label_count; i++)
		pn_profile_set_label(profile, c->labels[i].key,
				     c->labels[i].value);
}

/* A job's profile, with what only we know of it, as a record. */
static int take_result(struct collect *c, struct pn_measure *measure,
		       size_t job, struct pn_error *err)
{
	struct view_result *r = &c->results[job];
	struct pn_profile profile;
	int code;

	r->warning_count = pn_measure_warnings(r->warnings, measure, job);
	if (!c->head.unborn)
		pn_oid_hex(r->origin, &c->head.commit);
	pn_profile_init(&profile);
	code = pn_measure_result(&profile, measure, job, err);
	add_own(&profile, c);
	if (!code)
		code = make_record(&c->records[job], c, &profile, err);
	r->profile = &c->records[job].profile;
	pn_profile_release(&profile);
	return code;
}

/* What is known so far is kept as a pending profile of its own. */
static int keep_snapshot(const struct collect *c, struct pn_profile *snapshot,
			 struct pn_error *err)
{
	struct pn_record record = {0};
	char *path = NULL;
	int code;

	add_own(snapshot, c);
	pn_profile_set_label(snapshot, "snapshot", "true");
	code = make_record(&record, c, snapshot, err);
	if (!code)
		code = pn_pending_save(&path, c->repo, &record, err);
	if (!code)
		say("snapshot: %s", pn_file_basename(path));
	pn_record_release(&record);
	free(path);
	return code;
}

/* The run goes on: show it, or keep what somebody asked for. */
static int look_in(const struct collect *c, struct pn_measure *measure,
		   const struct pn_collect_progress *progress,
		   struct live *live, struct pn_error *err)
{
	struct pn_profile snapshot;
	int code;

	pn_profile_init(&snapshot);
	code = pn_measure_snapshot(&snapshot, measure, progress->job, err);
	if (!code && progress->asked) {
		live_clear(live);
		if (snapshot.sample_count)
			code = keep_snapshot(c, &snapshot, err);
		else
			say("no snapshot: no sample was taken yet");
	} else if (!code) {
		code = live_show(live, c->results[progress->job].title,
				 &snapshot, err);
	}
	pn_profile_release(&snapshot);
	return code;
}

/* Steps to the end; the loop that a collector leaves to us. */
static int run_steps(const struct collect *c, struct pn_measure *measure,
		     struct pn_error *err)
{
	bool show = isatty(STDERR_FILENO) && !c->o.quiet &&
		    c->plan.output != PN_COLLECT_INHERIT;
	struct pn_collect_progress progress;
	struct view_progress view = {0};
	struct live live = {0};
	int code;

	while ((code = pn_measure_step(measure, &progress, err)) > 0 &&
	       !interrupted) {
		if (progress.running) {
			code = look_in(c, measure, &progress, &live, err);
			if (code)
				break;
		} else if (show) {
			live_clear(&live);
			view_progress_show(&view, &progress,
					   c->results[progress.job].title);
		}
	}
	view_progress_clear(&view);
	live_clear(&live);
	return code < 0 ? code : 0;
}

static int measure(struct collect *c, struct pn_error *err)
{
	struct pn_measure *measure = NULL;
	size_t i;
	int code;

	c->results = pn_calloc(c->jobs.count, sizeof(*c->results));
	c->records = pn_calloc(c->jobs.count, sizeof(*c->records));
	for (i = 0; i < c->jobs.count; i++)
		c->results[i].title = view_title(&c->jobs.jobs[i]);
	catch_interrupt();
	c->plan.stop = &interrupted;
	code = pn_measure_open(&measure, c->with, &c->plan, err);
	if (!code)
		code = run_steps(c, measure, err);
	for (i = 0; !code && !interrupted && i < c->jobs.count; i++)
		code = take_result(c, measure, i, err);
	pn_measure_free(measure);
	return code;
}

static int keep_pending(struct collect *c, struct pn_error *err)
{
	char *path;
	size_t i;

	for (i = 0; i < c->jobs.count; i++) {
		if (pn_pending_save(&path, c->repo, &c->records[i], err))
			return err->code;
		c->results[i].path = path;
	}
	return 0;
}

/* What was measured is not lost with the add. */
static int keep_added(struct collect *c, struct pn_error *err)
{
	struct pn_error why;
	size_t i;

	if (pn_store_append(c->repo, c->records, c->jobs.count, err)) {
		if (!keep_pending(c, &why))
			say("kept as pending: 'git perf add' adds it later");
		return err->code;
	}
	for (i = 0; i < c->jobs.count; i++)
		c->results[i].id = pn_strdup(c->records[i].id);
	return 0;
}

/* 128 when a run failed and that was not allowed. */
static int conclude(const struct collect *c, const struct global *global)
{
	const struct view_options options = {
		.json = c->o.json,
		.quiet = c->o.quiet,
		.unit = c->o.unit,
		.in_order = c->o.sort && !strcmp(c->o.sort, "command"),
		.reference = c->o.reference,
		.path = c->o.path,
		.export = c->o.export};
	int code = view_results(global, c->results, c->jobs.count, &options);
	bool failed = false;
	size_t i;

	for (i = 0; i < c->jobs.count; i++) {
		view_warnings(&c->results[i], &c->plan, c->o.prepare != NULL);
		failed |= c->results[i].profile->header.exit_status > 0;
	}
	if (!c->o.quiet)
		view_kept(c->results, c->jobs.count, &c->head.commit, c->dirty);
	if (code != EXIT_DONE)
		return code;
	return failed && !c->o.ignore_status ? EXIT_FATAL : EXIT_DONE;
}

static int collect(struct collect *c, const struct global *global, int argc,
		   char **argv)
{
	struct pn_error err = {0};
	int code;

	code = read_repo(c, &err);
	if (!code)
		code = make_plan(c, argc, argv, &err);
	if (!code)
		code = pn_pending_prepare(c->repo, &err);
	if (!code)
		code = measure(c, &err);
	if (interrupted) {
		say("interrupted: nothing is kept");
		return EXIT_INTERRUPTED;
	}
	if (!code)
		code = c->o.add ? keep_added(c, &err) : keep_pending(c, &err);
	if (!code)
		return conclude(c, global);
	fail(&err);
	if (code == PN_EREFUSED && !c->plan.allow_failure && c->results)
		say("hint: --ignore-status measures it all the same, "
		    "--stdout=inherit shows what it says");
	if (code == PN_ENOTFOUND && argc == 1 && strchr(argv[0], ' '))
		say("hint: a command line in one argument is for --command "
		    "or --shell");
	return EXIT_FATAL;
}

static void release(struct collect *c)
{
	size_t i;

	for (i = 0; c->results && i < c->jobs.count; i++) {
		pn_record_release(&c->records[i]);
		free(c->results[i].title);
		free(c->results[i].id);
		free(c->results[i].path);
	}
	free(c->results);
	free(c->records);
	free(c->machine);
	free(c->collector);
	free(c->runs);
	free_pairs(c->labels, c->label_count);
	free_settings(c->settings, c->o.settings.count);
	release_jobs(&c->jobs);
	pn_repo_free(c->repo);
	opts_release(opts, &c->o);
}

/* What is wrong with the arguments together; NULL when nothing is. */
static const char *find_fault(const struct options *o, int argc)
{
	if (!argc && !o->lines.count)
		return "need a command to measure";
	if (o->name && !*o->name)
		return "the name is empty";
	if (o->unit && strcmp(view_unit_of(o->unit, 0).name, o->unit) != 0)
		return "--unit is us, ms or s";
	if (o->sort && strcmp(o->sort, "mean") && strcmp(o->sort, "command"))
		return "--sort is mean or command";
	if (argc > 1 && o->shell)
		return "--shell takes one argument; more go by --command";
	if (o->runs && (o->min_runs != PN_COLLECT_MIN_RUNS ||
			o->max_runs != PN_COLLECT_MAX_RUNS))
		return "--runs is exact: --min-runs and --max-runs do not go "
		       "with it";
	if (o->min_runs > o->max_runs)
		return "--min-runs is above --max-runs";
	if (!(o->live >= 0) || !(o->min_time >= 0) || !(o->max_time >= 0) ||
	    !(o->precision >= 0))
		return "times and --precision cannot be negative";
	return NULL;
}

/* What measures nothing. */
static int run_aside(const struct options *o, const struct global *global,
		     int argc, char **argv)
{
	if (o->message)
		return live_send(o->message, argc, argv);
	if (o->calibrate)
		return calibrate(global, o->path, o->calibrate, o->json);
	if (argc)
		return usage(&cmd_collect,
			     "--list-collectors takes no argument");
	return view_collectors(global, o->path, o->collector);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct collect c = {
		.o = {.interleave = true,
		      .min_runs = PN_COLLECT_MIN_RUNS,
		      .max_runs = PN_COLLECT_MAX_RUNS,
		      .min_time = PN_COLLECT_MIN_TIME_NS / 1e9,
		      .max_time = PN_COLLECT_MAX_TIME_NS / 1e9,
		      .precision = PN_COLLECT_PRECISION},
	};
	const char *fault;
	int code;

	argc = opts_parse(&cmd_collect, &c.o, argc, argv, true);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	argv[argc] = NULL; /* the words are handed to exec */
	if (c.o.message || c.o.calibrate || c.o.list_collectors) {
		code = run_aside(&c.o, global, argc, argv);
		opts_release(opts, &c.o);
		return code;
	}
	if (c.o.max_runs < c.o.min_runs && c.o.min_runs == PN_COLLECT_MIN_RUNS)
		c.o.min_runs = c.o.max_runs;
	if (c.o.min_runs > c.o.max_runs && c.o.max_runs == PN_COLLECT_MAX_RUNS)
		c.o.max_runs = c.o.min_runs;
	fault = find_fault(&c.o, argc);
	if (fault) {
		opts_release(opts, &c.o);
		return usage(&cmd_collect, "%s", fault);
	}
	pn_collect_plan_init(&c.plan);
	code = collect(&c, global, argc, argv);
	release(&c);
	return code;
}

const struct command cmd_collect = {
	.name = "collect",
	.summary = "measure a command, leave a pending profile",
	.synopsis = "collect [<options>] [--] <command> [<argument>...]\n"
		    "collect [<options>] --command=<line>...\n"
		    "collect --list-collectors\n"
		    "collect --calibrate[=<n>]\n"
		    "collect --send=<message> [<pid>]",
	.opts = opts,
	.run = run,
};
