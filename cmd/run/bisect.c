/* git perf bisect: the commit that changed a metric. */
#include "command.h"
#include "interrupt.h"
#include "jobs/bisect/bisection.h"
#include "progress.h"
#include "render/judged/bisected.h"
#include "render/terminal.h"

struct options {
	struct pn_bisect_ask ask;
	const char *path;
	bool abort, json;
};

static const struct pn_opt opts[] = {
	{OPT_TABLE(struct pn_bisect_ask, ask, pn_bisect_opts)},
	{OPT_FLAG(abort), 0, "abort", NULL, "forget the one that was begun"},
	{OPT_FLAG(json), 0, "json", NULL, "print the result as JSON"},
	{OPT_TEXT(path), 'o', "output", "<file>", "print the result to a file"},
	{0},
};

static int loop(struct pn_bisection *b, const struct pn_bisect_asked *a,
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
		run_say_faults(run, a->matrix.job_count);
		pn_bisected_step(&text, pn_bisection_told(b),
				 pn_bisection_last(b));
		say("%s", pn_buf_text(&text));
		pn_buf_clear(&text);
	}
	pn_buf_release(&text);
	return code;
}

static int print(struct pn_bisection *b, const struct pn_bisect_asked *asked,
		 const struct options *o, const struct global *global,
		 struct pn_error *err)
{
	const struct pn_bisected *told;
	struct pn_buf text = {0};
	int code;

	pn_bisection_explain(b);
	told = pn_bisection_told(b);
	if (o->json)
		pn_bisected_json(&text, told);
	else
		pn_bisected_text(&text, told,
				 pn_terminal_columns(o->path ? NULL : stdout));
	code = write_output(global, o->path, &text, 0, err);
	pn_buf_release(&text);
	if (!code && told->look->state != PN_BISECT_ENDS &&
	    told->look->state != PN_BISECT_GOING &&
	    pn_bisect_session_remove(NULL, asked->repo, err))
		code = fail(err);
	return code				      ? code
	       : told->look->state == PN_BISECT_FOUND ? EXIT_DONE
						      : EXIT_NO_VERDICT;
}

static int bisect(struct pn_bisect_asked *asked, const struct options *o,
		  const struct global *global, struct pn_error *err)
{
	struct pn_bisection *b = NULL;
	bool had = false;
	int done = EXIT_DONE, code;

	catch_interrupt();
	code = pn_bisect_ask_read(asked, &had, &o->ask, &interrupted, err);
	if (code)
		return interrupted ? EXIT_INTERRUPTED : code;
	if (had)
		say("going on with the bisection that was begun");
	code = pn_bisection_open(&b, asked->repo, &asked->matrix,
				 &asked->session, &asked->run, err);
	if (!code)
		code = loop(b, asked, err);
	if (!code && !interrupted)
		done = print(b, asked, o, global, err);
	pn_bisection_close(b, NULL);
	if (interrupted) {
		say("interrupted: all runs that ended are kept; 'git perf "
		    "bisect' goes on");
		return EXIT_INTERRUPTED;
	}
	return code ? code : done;
}

static int abort_it(struct pn_bisect_asked *asked, struct pn_error *err)
{
	bool had = false;
	int code = pn_bisect_session_lock(&asked->lock, asked->repo, err);

	if (!code)
		code = pn_bisect_session_remove(&had, asked->repo, err);
	if (!code)
		say(had ? "the bisection is forgotten, its runs are kept"
			: "no bisection was begun");
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct pn_bisect_asked asked = {.lock = -1};
	struct options o = {.path = NULL};
	struct pn_error err = {0};
	int code;

	argc = opts_parse(&cmd_bisect, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc == 1 || argc > 3 || (argc && o.abort))
		return usage(&cmd_bisect,
			     o.abort ? "--abort takes no commits"
				     : "need a good and a bad commit, and at "
				       "most one job");
	o.ask.good = argc ? argv[0] : NULL;
	o.ask.bad = argc ? argv[1] : NULL;
	if (argc > 2)
		o.ask.job = argv[2];
	code = open_repo(&asked.repo, &err);
	if (!code)
		code = o.abort ? abort_it(&asked, &err)
			       : bisect(&asked, &o, global, &err);
	pn_bisect_asked_release(&asked);
	pn_repo_free(asked.repo);
	return code < 0 ? fail(&err) : code;
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
