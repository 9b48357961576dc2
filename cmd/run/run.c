/* git perf run: measure the jobs of .gitperf, here (the rest of this file) or
 * at other commits (past.c). Long, as a list, results and what is said at the
 * end differ in what may be missing. */
#include "render/run/run.h"
#include "command.h"
#include "interrupt.h"
#include "jobs/rows.h"
#include "jobs/runs/ask.h"
#include "past.h"
#include "progress.h"
#include "render/run/totals.h"
#include "render/terminal.h"

struct options {
	struct pn_run_ask ask;
	const char *path;
	bool json;
};

static const struct pn_opt opts[] = {
	{OPT_TABLE(struct pn_run_ask, ask, pn_run_opts)},
	{OPT_FLAG(json), 0, "json", NULL, "print the result as JSON"},
	{OPT_TEXT(path), 'o', "output", "<file>", "print the result to a file"},
	{0},
};

/* The jobs, or what became of them. */
static int print(struct pn_run *jobs, const struct pn_run_asked *asked,
		 const struct options *o, const struct global *global)
{
	size_t count, all = asked->matrix.job_count;
	struct pn_arena arena = {0};
	struct pn_error err = {0};
	struct pn_buf text = {0};
	size_t columns = pn_terminal_columns(o->path ? NULL : stdout);
	char hex[PN_OID_HEX + 1];
	int code;

	pn_oid_hex(hex, &asked->head.commit);
	if (o->ask.list) {
		struct pn_planned *rows =
			pn_rows_list(&count, &arena, &asked->matrix, jobs);

		if (o->json)
			pn_planned_list_json(&text, rows, count);
		else
			pn_planned_list_text(&text, rows, count, columns);
	} else {
		struct pn_ran *rows = pn_rows_ran(&count, &arena, jobs, all);

		if (o->json)
			pn_ran_document(&text, hex, rows, count);
		else
			pn_ran_text(&text, rows, count, columns);
	}
	code = write_output(global, o->path, &text, 0, &err);
	pn_buf_release(&text);
	pn_arena_release(&arena);
	return code;
}

/* 125 when there is nothing to judge by, so that a bisection goes on beside
 * this commit. */
static int conclude(struct pn_run *jobs, const struct pn_run_asked *asked,
		    const struct options *o, const struct global *global)
{
	struct pn_run_totals totals = {0};
	struct pn_buf text = {0};
	char hex[PN_OID_HEX + 1];
	int code = print(jobs, asked, o, global);

	run_say_faults(jobs, asked->matrix.job_count);
	pn_rows_add_totals(&totals, jobs, asked->matrix.job_count);
	pn_oid_hex(hex, &asked->head.commit);
	pn_run_stored_text(&text, totals.done, hex, asked->run.dirty);
	say_lines(&text);
	if (code != EXIT_DONE || !totals.bad)
		return code;
	return totals.done ? EXIT_FATAL : EXIT_NO_VERDICT;
}

static int measure(struct pn_run *jobs, const struct pn_run_asked *asked,
		   struct pn_error *err)
{
	struct pn_run_totals before = {.done_before = pn_run_selects(jobs)};
	struct pn_buf text = {0};
	char hex[PN_OID_HEX + 1];
	int code;

	if (!pn_run_count(jobs))
		pn_run_idle_text(&text, 1, &before);
	say_lines(&text);
	code = run_steps(jobs, NULL, err);
	if (code || interrupted)
		return interrupted ? PN_ESTOPPED : code;
	code = pn_run_store(jobs, err);
	pn_oid_hex(hex, &asked->head.commit);
	if (code && code != PN_ESTOPPED)
		run_leave_pending(jobs, hex);
	return code;
}

static int run_here(struct pn_run_asked *asked, const struct options *o,
		    const struct global *global, struct pn_error *err)
{
	struct pn_run *jobs = NULL;
	int code = pn_run_ask_here(&jobs, asked, err);

	if (!code && o->ask.list) {
		code = print(jobs, asked, o, global);
	} else {
		if (!code)
			code = measure(jobs, asked, err);
		if (!code)
			code = conclude(jobs, asked, o, global);
	}
	pn_run_free(jobs);
	return code;
}

/* The file of the present checkout counts at every commit. */
static int run_asked(struct pn_run_asked *asked, const struct options *o,
		     const struct global *global, struct pn_error *err)
{
	struct past_call call = {asked->repo, &asked->matrix, .path = o->path,
				 .json = o->json};
	int code = pn_run_ask_read(asked, &o->ask, err);

	quote(pn_buf_text(&asked->affected.left_out));
	if (!code && asked->idle) {
		say("nothing to do: '%s' touches no file of a job",
		    o->ask.affected);
		return EXIT_DONE;
	}
	catch_interrupt();
	if (!code)
		code = pn_run_ask_expand(asked, &o->ask, &interrupted, err);
	if (code)
		return interrupted ? PN_ESTOPPED : code;
	call.options = pn_run_ask_there(asked, &o->ask);
	return o->ask.rev_count ? run_past(global, &call)
				: run_here(asked, o, global, err);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.path = NULL};
	struct pn_run_asked asked = {.repo = NULL};
	struct pn_error err = {0};
	int code;

	argc = opts_parse(&cmd_run, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	o.ask.revs = (const char *const *)argv;
	o.ask.rev_count = (size_t)argc;
	if (pn_run_ask_check(&o.ask, &err)) {
		code = usage(&cmd_run, "%s", err.message);
	} else {
		code = open_repo(&asked.repo, &err);
		if (!code)
			code = run_asked(&asked, &o, global, &err);
		if (code == PN_ESTOPPED) {
			say("interrupted: nothing is kept");
			code = EXIT_INTERRUPTED;
		}
		code = code < 0 ? fail(&err) : code;
	}
	pn_run_asked_release(&asked);
	pn_repo_free(asked.repo);
	pn_opts_release(opts, &o);
	return code;
}

const struct command cmd_run = {
	.name = "run",
	.summary = "measure the jobs of .gitperf, here or over the history",
	.synopsis = "run [<options>] [<rev> | <range>]...\n"
		    "run --list [<options>]",
	.opts = opts,
	.run = run,
};
