/* git perf run: measure the jobs of .gitperf, here (the rest of this file) or
 * at other commits (past.c). Long by its options, and as listing, measuring and
 * what is said at the end differ in what may be missing. */
#include "jobs/run.h"
#include "base/alloc.h"
#include "command.h"
#include "context.h"
#include "interrupt.h"
#include "jobs/functions/affected.h"
#include "jobs/rows.h"
#include "jobs/trust.h"
#include "past.h"
#include "progress.h"
#include "render/run/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MAX_S 86400

struct options {
	struct pn_opt_list jobs;
	const char *config, *machine, *shard, *path, *affected;
	bool again, missing, list, json, in_place, nice;
	int64_t steps;
	double when_quiet;
};

static const struct pn_opt opts[] = {
	{OPT_LIST(jobs), 0, "job", "<name>", "only this one, by name or id"},
	{OPT_TEXT(config), 0, "config", "<file>",
	 "job file, trusted by being named"},
	{OPT_TEXT(affected), 0, "affected", "<range>",
	 "only jobs whose profiles see a touched file"},
	{OPT_FLAG(missing), 0, "missing", NULL,
	 "only what is not measured at the commit (default)"},
	{OPT_FLAG(again), 0, "again", NULL, "what is measured already, too"},
	{OPT_FLAG(in_place), 0, "in-place", NULL,
	 "commits are checked out in this work tree"},
	{OPT_INT(steps), 0, "steps", "<n>",
	 "at most so many commits, evenly spread", .min = 1},
	{OPT_FLAG(nice), 0, "nice", NULL, "builds give way to other programs"},
	{OPT_DOUBLE(when_quiet), 0, "when-quiet", "<s>",
	 "wait at most so long for a quiet machine (0)"},
	{OPT_TEXT(shard), 0, "shard", "<k>/<n>", "only the k-th of n parts"},
	{OPT_FLAG(list), 0, "list", NULL, "list the jobs, run nothing"},
	{OPT_TEXT(machine), 0, "machine", "<name>",
	 "name of this machine (perf.machine)"},
	{OPT_FLAG(json), 0, "json", NULL, "print the result as JSON"},
	{OPT_TEXT(path), 'o', "output", "<file>", "print the result to a file"},
	{0},
};

/* Of one call. */
struct job_run {
	struct options o;
	struct pn_repo *repo;
	struct pn_head head;
	char *machine; /* from the configuration */
	struct pn_matrix matrix;
	struct pn_run_options run;
	struct pn_run *jobs;
	struct pn_affected affected;
};

/* Everything but where to measure. */
static int read_jobs(struct job_run *r, struct pn_error *err)
{
	const struct options *o = &r->o;
	int code;

	r->run.machine = o->machine;
	code = open_repo(&r->repo, err);
	if (!code)
		code = pn_setting_find(&r->run.machine, &r->machine, r->repo,
				       "GIT_PERF_MACHINE", "perf.machine", err);
	if (!code)
		code = pn_trust_load(&r->matrix, r->repo, o->config, !o->list,
				     err);
	r->run.nice_builds = o->nice;
	/* who tells how quiet it is need not be waited for */
	if (!getenv("GIT_PERF_QUIET"))
		r->run.patience_ns = (int64_t)(o->when_quiet * 1e9);
	r->run.again = o->again || o->list;
	r->run.names = o->jobs.values;
	r->run.name_count = o->jobs.count;
	r->run.stop = &interrupted;
	return code;
}

static int expand(struct job_run *r, struct pn_error *err)
{
	r->run.dir = pn_repo_work_dir(r->repo);
	catch_interrupt();
	return pn_matrix_expand(&r->matrix, r->run.dir, !r->o.list,
				&interrupted, err);
}

static int prepare(struct job_run *r, struct pn_error *err)
{
	int code = read_jobs(r, err);

	if (!code)
		code = pn_run_at_head(&r->run, &r->head, r->repo, r->o.list,
				      err);
	if (!code)
		code = expand(r, err);
	if (!code)
		code = pn_run_open(&r->jobs, r->repo, &r->matrix, &r->run, err);
	return code;
}

/* The file of the present checkout counts at every commit. */
static int run_there(struct job_run *r, const struct global *global,
		     char **revs, int count)
{
	struct past_call call = {.path = r->o.path, .json = r->o.json};
	struct pn_error err = {0};
	int code = read_jobs(r, &err);

	if (!code)
		code = expand(r, &err);
	if (code)
		return interrupted ? EXIT_INTERRUPTED : fail(&err);
	call.repo = r->repo;
	call.matrix = &r->matrix;
	call.options.revs = (const char *const *)revs;
	call.options.rev_count = (size_t)count;
	call.options.steps = (uint64_t)r->o.steps;
	call.options.in_place = r->o.in_place;
	call.options.run = r->run;
	return run_past(global, &call);
}

static void write_list(struct pn_buf *out, struct job_run *r)
{
	struct pn_arena arena = {0};
	struct pn_planned *jobs;
	size_t count;

	jobs = pn_rows_list(&count, &arena, &r->matrix, r->jobs);
	if (r->o.json)
		pn_planned_list_json(out, jobs, count);
	else
		pn_planned_list_text(out, jobs, count);
	pn_arena_release(&arena);
}

static void write_results(struct pn_buf *out, struct job_run *r)
{
	struct pn_arena arena = {0};
	char hex[PN_OID_HEX + 1];
	struct pn_ran *rows;
	size_t count;

	pn_oid_hex(hex, &r->head.commit);
	rows = pn_rows_ran(&count, &arena, r->jobs, r->matrix.job_count);
	if (r->o.json)
		pn_ran_document(out, hex, rows, count);
	else
		pn_ran_text(out, rows, count);
	pn_arena_release(&arena);
}

static int print(struct job_run *r, const struct global *global)
{
	struct pn_error err = {0};
	struct pn_buf text = {0};
	int code;

	if (r->o.list)
		write_list(&text, r);
	else
		write_results(&text, r);
	code = write_output(global, r->o.path, &text, 0, &err);
	pn_buf_release(&text);
	return code;
}

static void report(const struct job_run *r)
{
	size_t done = pn_run_in_state(r->jobs, PN_RUN_DONE);
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &r->head.commit);
	if (done)
		say("added %zu profile%s to %.10s%s", done,
		    done == 1 ? "" : "s", hex,
		    r->run.dirty ? " (the tree was dirty)" : "");
}

/* 125 when there is nothing to judge by, so that a bisection goes on beside
 * this commit. */
static int conclude(struct job_run *r, const struct global *global)
{
	size_t bad = pn_run_in_state(r->jobs, PN_RUN_NOT_BUILT) +
		     pn_run_in_state(r->jobs, PN_RUN_FAILED);
	int code = print(r, global);

	run_say_faults(r->jobs, r->matrix.job_count);
	report(r);
	if (code != EXIT_DONE || !bad)
		return code;
	return pn_run_in_state(r->jobs, PN_RUN_DONE) ? EXIT_FATAL
						     : EXIT_NO_VERDICT;
}

static int store(struct job_run *r, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	int code = pn_run_store(r->jobs, err);

	pn_oid_hex(hex, &r->head.commit);
	if (code && code != PN_ESTOPPED)
		run_leave_pending(r->jobs, hex);
	return code;
}

static int run_here(struct job_run *r, const struct global *global)
{
	struct pn_error err = {0};
	int code;

	code = prepare(r, &err);
	if (!code && r->o.list)
		return print(r, global);
	if (!code && !pn_run_count(r->jobs))
		say(pn_run_selects(r->jobs)
			    ? "nothing to do: all is measured at this commit "
			      "(--again measures once more)"
			    : "nothing to do: no job is for this machine or "
			      "shard");
	if (!code)
		code = run_steps(r->jobs, NULL, &err);
	if (interrupted) {
		say("interrupted: nothing is kept");
		return EXIT_INTERRUPTED;
	}
	if (!code)
		code = store(r, &err);
	if (code == PN_ESTOPPED) {
		say("interrupted: nothing is kept");
		return EXIT_INTERRUPTED;
	}
	return code ? fail(&err) : conclude(r, global);
}

static int run_chosen(struct job_run *r, const struct global *global, int argc,
		      char **argv)
{
	return argc ? run_there(r, global, argv, argc) : run_here(r, global);
}

/* The names of the jobs take the place of those that may be given. */
static int run_affected(struct job_run *r, const struct global *global,
			int argc, char **argv)
{
	struct pn_repo *repo = NULL;
	struct pn_error err = {0};
	int code = open_repo(&repo, &err);

	if (!code)
		code = pn_affected_read(&r->affected, repo, r->o.config,
					r->o.affected, &err);
	pn_repo_free(repo);
	if (code)
		return fail(&err);
	r->o.jobs.values = r->affected.names;
	r->o.jobs.count = r->affected.count;
	quote(pn_buf_text(&r->affected.left_out));
	if (r->affected.count)
		return run_chosen(r, global, argc, argv);
	say("nothing to do: '%s' touches no file of a job", r->o.affected);
	return EXIT_DONE;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct job_run r = {.repo = NULL};
	int code;

	argc = opts_parse(&cmd_run, &r.o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc && r.o.list)
		code = usage(&cmd_run, "--list takes no commits");
	else if (!argc && (r.o.in_place || r.o.steps))
		code = usage(&cmd_run, "need commits for %s",
			     r.o.in_place ? "--in-place" : "--steps");
	else if (!(r.o.when_quiet >= 0) || r.o.when_quiet > PATIENCE_MAX_S)
		code = usage(&cmd_run, "--when-quiet is 0 to %d seconds",
			     PATIENCE_MAX_S);
	else if (r.o.again && r.o.missing)
		code = usage(&cmd_run, "--again and --missing are opposites");
	else if (!pn_run_shard(&r.run, r.o.shard))
		code = usage(&cmd_run,
			     "option '--shard' needs <k>/<n> with k from 1 "
			     "to n, not '%s'",
			     r.o.shard);
	else if (r.o.affected && r.o.jobs.count)
		code = usage(&cmd_run, "--affected chooses the jobs: no --job");
	else
		code = (r.o.affected ? run_affected : run_chosen)(&r, global,
								  argc, argv);
	pn_run_free(r.jobs);
	pn_affected_release(&r.affected);
	pn_matrix_release(&r.matrix);
	free(r.machine);
	pn_repo_free(r.repo);
	pn_opts_release(opts, &r.o);
	return code;
}

const struct command cmd_run = {
	.name = "run",
	.summary = "measure the jobs of .gitperf, here or over the history",
	.synopsis = "run [<options>]\n"
		    "run [<options>] (<rev> | <range>)...\n"
		    "run --list [<options>]",
	.opts = opts,
	.run = run,
};
