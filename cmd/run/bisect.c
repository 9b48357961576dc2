/* git perf bisect: the commit that changed a metric. Long, as one may begin,
 * go on, give up and interrupt. */
#include "command.h"
#include "context.h"
#include "interrupt.h"
#include "jobs/bisect/bisection.h"
#include "jobs/trust.h"
#include "progress.h"
#include "render/judged/bisected.h"
#include "render/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	const char *metric, *config, *machine, *path;
	int64_t max_runs;
	bool nice, abort, json;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(metric), 0, "metric", "<name>",
	 "the one that changed (first, or user time)"},
	{OPT_INT(max_runs), 0, "max-runs", "<n>", "make no more runs",
	 .min = 1},
	{OPT_FLAG(abort), 0, "abort", NULL, "forget the one that was begun"},
	{OPT_TEXT(config), 0, "config", "<file>",
	 "job file, trusted by being named"},
	{OPT_FLAG(nice), 0, "nice", NULL, "builds give way to other programs"},
	{OPT_TEXT(machine), 0, "machine", "<name>",
	 "name of this machine (perf.machine)"},
	{OPT_FLAG(json), 0, "json", NULL, "print the result as JSON"},
	{OPT_TEXT(path), 'o', "output", "<file>", "print the result to a file"},
	{0},
};

struct call {
	struct options o;
	struct pn_repo *repo;
	struct pn_matrix matrix;
	struct pn_run_options run;
	char *machine; /* from the configuration */
	struct pn_bisect_ask ask;
	struct pn_bisect_session session;
	int lock; /* of the session; -1: not ours */
};

static int open_session(struct call *c, struct pn_error *err)
{
	int code = open_repo(&c->repo, err);

	return code ? code : pn_bisect_session_lock(&c->lock, c->repo, err);
}

static int prepare(struct call *c, int argc, struct pn_error *err)
{
	bool had = false;
	int code = open_session(c, err);

	c->run.machine = c->o.machine;
	c->run.nice_builds = c->o.nice;
	c->run.stop = &interrupted;
	if (!code)
		code = pn_setting_find(&c->run.machine, &c->machine, c->repo,
				       "GIT_PERF_MACHINE", "perf.machine", err);
	if (!code && !argc)
		code = pn_bisection_go_on(&c->session, &c->matrix, c->repo,
					  c->o.config, err);
	else if (!code)
		code = pn_trust_load(&c->matrix, c->repo, c->o.config, true,
				     err);
	catch_interrupt();
	if (!code)
		code = pn_matrix_expand(&c->matrix, pn_repo_work_dir(c->repo),
					true, &interrupted, err);
	if (!code && argc)
		code = pn_bisection_begin(&c->session, &had, c->repo,
					  &c->matrix, &c->ask, err);
	if (had)
		say("going on with the bisection that was begun");
	if (!code && c->o.max_runs)
		c->session.most = (uint64_t)c->o.max_runs;
	return code;
}

static int loop(struct pn_bisection *b, const struct call *c,
		struct pn_error *err)
{
	struct pn_buf text = {0};
	struct pn_run *run;
	int code = 0;

	while (!interrupted && (code = pn_bisection_next(&run, b, err)) > 0) {
		code = run_steps(run, NULL, err);
		if (!code && !interrupted)
			code = pn_bisection_store(b, err);
		if (code || interrupted)
			break;
		run_say_faults(run, c->matrix.job_count);
		pn_bisected_step(&text, pn_bisection_told(b),
				 pn_bisection_last(b));
		say("%s", pn_buf_text(&text));
		pn_buf_clear(&text);
	}
	pn_buf_release(&text);
	return code;
}

static int print(struct pn_bisection *b, const struct call *c,
		 const struct global *global, struct pn_error *err)
{
	const struct pn_bisected *told;
	struct pn_buf text = {0};
	int code;

	pn_bisection_explain(b);
	told = pn_bisection_told(b);
	if (c->o.json)
		pn_bisected_json(&text, told);
	else
		pn_bisected_text(
			&text, told,
			pn_terminal_columns(c->o.path ? NULL : stdout));
	code = write_output(global, c->o.path, &text, 0, err);
	pn_buf_release(&text);
	if (!code && told->look->state != PN_BISECT_ENDS &&
	    told->look->state != PN_BISECT_GOING &&
	    pn_bisect_session_remove(NULL, c->repo, err))
		code = fail(err);
	return code				      ? code
	       : told->look->state == PN_BISECT_FOUND ? EXIT_DONE
						      : EXIT_NO_VERDICT;
}

static int bisect(struct call *c, const struct global *global)
{
	struct pn_bisection *b = NULL;
	struct pn_error err = {0};
	int done = EXIT_DONE;
	int code = pn_bisection_open(&b, c->repo, &c->matrix, &c->session,
				     &c->run, &err);

	if (!code)
		code = loop(b, c, &err);
	if (!code && !interrupted)
		done = print(b, c, global, &err);
	pn_bisection_close(b, NULL);
	if (interrupted) {
		say("interrupted: all runs that ended are kept; 'git perf "
		    "bisect' goes on");
		return EXIT_INTERRUPTED;
	}
	return code ? fail(&err) : done;
}

static int abort_it(struct call *c)
{
	struct pn_error err = {0};
	bool had = false;
	int code = open_session(c, &err);

	if (!code)
		code = pn_bisect_session_remove(&had, c->repo, &err);
	if (!code)
		say(had ? "the bisection is forgotten, its runs are kept"
			: "no bisection was begun");
	return code ? fail(&err) : EXIT_DONE;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct call c = {.lock = -1};
	struct pn_error err = {0};
	int code;

	argc = opts_parse(&cmd_bisect, &c.o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc == 1 || argc > 3 || (argc && c.o.abort))
		return usage(&cmd_bisect,
			     c.o.abort ? "--abort takes no commits"
				       : "need a good and a bad commit, and at "
					 "most one job");
	c.ask = (struct pn_bisect_ask){
		argc ? argv[0] : NULL, argc ? argv[1] : NULL,
		argc > 2 ? argv[2] : NULL, c.o.metric, c.o.config};
	if (c.o.abort)
		code = abort_it(&c);
	else if (prepare(&c, argc, &err))
		code = interrupted ? EXIT_INTERRUPTED : fail(&err);
	else
		code = bisect(&c, global);
	pn_bisect_session_release(&c.session);
	pn_matrix_release(&c.matrix);
	free(c.machine);
	pn_repo_free(c.repo);
	if (c.lock >= 0)
		close(c.lock);
	return code;
}

const struct command cmd_bisect = {
	.name = "bisect",
	.summary = "find the commit that changed a metric",
	.synopsis = "bisect [<options>] <good> <bad> [<job>]\n"
		    "bisect [<options>]\n"
		    "bisect --abort",
	.opts = opts,
	.run = run,
};
