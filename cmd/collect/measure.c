/*
 * One measurement: a plan of what was asked, the steps of its collector, what
 * becomes of the results. Long, as it is where the repository, collectors, the
 * terminal and signals meet.
 */
#include "measure.h"

#include "base/file.h"
#include "context.h"
#include "interrupt.h"
#include "render/measured/doubt.h"
#include "render/measured/live.h"
#include "render/measured/results.h"

#include <unistd.h>

/* Of one call. */
struct collect {
	const struct options *o;
	struct pn_collect_call all;
};

/* The run goes on: show it, or keep what somebody asked for. */
static int look_in(const struct collect *c, struct pn_live *live,
		   const struct pn_collect_progress *progress,
		   struct pn_error *err)
{
	struct pn_profile snapshot;
	struct pn_buf said = {0};
	int code;

	pn_profile_init(&snapshot);
	code = pn_measure_snapshot(&snapshot, c->all.measuring, progress->job,
				   err);
	if (!code && progress->asked) {
		pn_live_clear(live, stderr);
		code = pn_keep_snapshot(&said, &c->all.keep, &snapshot, err);
		say_lines(&said);
	} else if (!code) {
		code = pn_live_snapshot(live, stderr,
					c->all.titles[progress->job], &snapshot,
					err);
	}
	pn_profile_release(&snapshot);
	return code;
}

/* Steps to the end; the loop that a collector leaves to us. */
static int run_steps(const struct collect *c, struct pn_error *err)
{
	const struct pn_collect_plan *plan = &c->all.plan;
	bool show = isatty(STDERR_FILENO) && !c->o->quiet &&
		    plan->output != PN_COLLECT_INHERIT;
	struct pn_collect_progress progress;
	struct pn_runs_progress runs;
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
			runs = pn_collect_call_progress(&c->all, &progress);
			pn_live_progress(&live, stderr, pn_time_monotonic_ns(),
					 &runs);
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
	struct pn_results_options options = o->shown;
	struct pn_buf table = {0};
	struct output out;
	int code = 0;

	options.reference = o->ask.reference;
	if (options.export) {
		pn_results_table(&table, options.export, rows, count, &options);
		code = pn_file_write(options.export, pn_buf_text(&table),
				     table.len, false, err);
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

/* 128 when a run failed and that was not allowed. */
static int conclude(const struct collect *c, const struct global *global)
{
	struct pn_doubt_context context = {.precision = c->o->ask.precision,
					   .prepared = c->all.plan.warmup ||
						       c->o->ask.prepare};
	size_t count = c->all.jobs.count;
	struct pn_buf doubts = {0}, kept = {0};
	struct pn_error err = {0};
	int code = print_results(c, global, &err);

	if (code < 0)
		code = fail(&err);
	pn_results_doubts(&doubts, c->all.rows, count, &context);
	warn_lines(&doubts);
	if (!c->o->quiet && c->all.with->chooses_environment)
		say("%s gives a command a chosen environment; -O "
		    "env=<name>,... passes more of yours",
		    c->all.with->name);
	pn_results_kept(&kept, c->all.rows, count, c->all.keep.dirty);
	if (!c->o->quiet)
		say_lines(&kept);
	pn_buf_release(&kept);
	if (code != EXIT_DONE)
		return code;
	return pn_collect_call_failed(&c->all) && !c->o->ask.ignore_status
		       ? EXIT_FATAL
		       : EXIT_DONE;
}

/* To the results; what is wrong with them may be known before. */
static int collect(struct collect *c, struct pn_collect_asked *asked,
		   struct pn_error *err)
{
	int code = open_repo(&c->all.keep.repo, err);

	if (code == PN_ENOTFOUND && !c->o->ask.add)
		code = 0;
	if (!code)
		code = pn_collect_ask_read(&c->all, asked, &c->o->ask, err);
	if (!code && c->o->shown.export)
		code = pn_results_table_check(c->o->shown.export, err);
	if (code)
		return code;
	catch_interrupt();
	c->all.plan.stop = &interrupted;
	code = pn_collect_call_start(&c->all, err);
	if (!code)
		code = run_steps(c, err);
	return pn_collect_call_end(&c->all, code, err);
}

static int run_and_keep(struct collect *c, struct pn_collect_asked *asked,
			const struct command *command,
			const struct global *global)
{
	struct pn_error err = {0};
	struct pn_buf hints = {0};
	bool left = false;
	int code = collect(c, asked, &err);

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
	if (asked->misused)
		return usage(command, "%s", err.message);
	fail(&err);
	quote(pn_buf_text(&c->all.said));
	pn_collect_ask_hints(&hints, &c->o->ask, &c->all, code);
	say_lines(&hints);
	return EXIT_FATAL;
}

int measure(const struct command *command, const struct options *options,
	    const struct global *global)
{
	struct pn_collect_asked asked = {NULL};
	struct collect c = {.o = options};
	int code;

	pn_collect_plan_init(&c.all.plan);
	code = run_and_keep(&c, &asked, command, global);
	pn_collect_call_release(&c.all);
	pn_collect_asked_release(&asked, &c.all);
	pn_repo_free(c.all.keep.repo);
	return code;
}
