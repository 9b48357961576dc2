/* git perf collect: run a collector, keep what it measured. Long by its
 * table of options. */
#include "base/number.h"
#include "collect/collector.h"
#include "collect/sample/control.h"
#include "command.h"
#include "list.h"
#include "measure.h"
#include "options.h"

#include <string.h>

static const struct pn_opt opts[] = {
	{OPT_TABLE(struct pn_collect_ask, ask, pn_collect_opts)},
	{OPT_FLAG(list_collectors), 0, "list-collectors", NULL,
	 "list the collectors and their options"},
	{OPT_INT(calibrate), 0, "calibrate", "<n>",
	 "print what tracing a call costs", .min = 1,
	 .absent = CALIBRATE_ROUNDS},
	{OPT_TEXT(message), 0, "send", "<message>",
	 "tell a sampler that runs: pause, resume, stop, snapshot, ...",
	 .choices = "pause resume stop snapshot frequency= delay= threads="},
	{OPT_TABLE(struct pn_results_options, shown, pn_results_opts)},
	{OPT_FLAG(quiet), 'q', "quiet", NULL, "only warnings and errors"},
	{OPT_FLAG(json), 0, "json", NULL, "print the result as JSON"},
	{OPT_TEXT(path), 'o', "output", "<file>", "print the result to a file"},
	{0},
};

/* --send: tell a sampler that runs. */
static int send_message(const char *message, int argc, char **argv)
{
	struct pn_runtime_control *control = NULL;
	struct pn_error err;
	int64_t pid = 0;
	int code;

	if (argc > 1 ||
	    (argc &&
	     (!pn_number_int(&pid, argv[0], strlen(argv[0])) || pid < 1)))
		return usage(&cmd_collect, "--send takes no command, only the "
					   "number of a git-perf process");
	code = pn_sampler_control_find(&control, pid, &err);
	if (!code)
		code = pn_sampler_control_tell(control, message, &err);
	pn_sampler_control_release(control);
	return code ? fail(&err) : EXIT_DONE;
}

/* What measures nothing. */
static int run_aside(const struct options *o, const struct global *global,
		     int argc, char **argv)
{
	const struct list_call call = {global, o->path, o->json};

	if (o->message)
		return send_message(o->message, argc, argv);
	if (o->calibrate)
		return calibrate(&call, o->calibrate);
	if (argc)
		return usage(&cmd_collect,
			     "--list-collectors takes no argument");
	return list_collectors(&call, o->ask.collector);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	const char *fault;
	int code;

	pn_collect_ask_init(&o.ask);
	argc = opts_parse(&cmd_collect, &o, argc, argv, true);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	argv[argc] = NULL; /* the words are handed to exec */
	o.ask.words = (const char *const *)argv;
	o.ask.word_count = (size_t)argc;
	if (o.message || o.calibrate || o.list_collectors)
		code = run_aside(&o, global, argc, argv);
	else if ((fault = pn_collect_ask_fault(&o.ask)) ||
		 (fault = pn_results_fault(&o.shown)))
		code = usage(&cmd_collect, "%s", fault);
	else
		code = measure(&cmd_collect, &o, global);
	pn_opts_release(opts, &o);
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
	.colored = true,
	.run = run,
};
