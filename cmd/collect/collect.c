/* git perf collect: run a collector, keep what it measured. Long by its
 * table of options. */
#include "base/number.h"
#include "calibrate.h"
#include "collect/collector.h"
#include "collect/sample/control.h"
#include "command.h"
#include "list.h"
#include "measure.h"
#include "options.h"
#include "render/measured/time_unit.h"

#include <string.h>

static const struct pn_opt opts[] = {
	{OPT_TEXT(ask.collector), 'c', "collector", "<name>",
	 "what measures (time)", .names = pn_collector_names},
	{OPT_LIST(ask.settings), 'O', "option", "<key>=<value>",
	 "option of the collector, may be repeated",
	 .names = pn_collector_keys},
	{OPT_FLAG(list_collectors), 0, "list-collectors", NULL,
	 "list the collectors and their options"},
	{OPT_INT(calibrate), 0, "calibrate", "<n>",
	 "print what tracing a call costs", .min = 1,
	 .absent = CALIBRATE_ROUNDS},
	{OPT_INT(ask.runs), 'r', "runs", "<n>", "exactly so many runs",
	 .min = 1},
	{OPT_INT(ask.warmup), 'w', "warmup", "<n>",
	 "first so many that do not count"},
	{OPT_INT(ask.min_runs), 0, "min-runs", "<n>",
	 "at least so many runs (10)", .min = 1},
	{OPT_INT(ask.max_runs), 0, "max-runs", "<n>",
	 "at most so many runs (1000)", .min = 1},
	{OPT_DOUBLE(ask.min_time), 0, "min-time", "<s>",
	 "run for at least so long (3)"},
	{OPT_DOUBLE(ask.max_time), 0, "max-time", "<s>",
	 "give up precision after (10)"},
	{OPT_DOUBLE(ask.precision), 0, "precision", "<share>",
	 "stop when the median is known so well (0.01)"},
	{OPT_TEXT(ask.setup), 's', "setup", "<line>",
	 "run once before all runs"},
	{OPT_TEXT(ask.prepare), 'p', "prepare", "<line>",
	 "run before every run"},
	{OPT_TEXT(ask.conclude), 0, "conclude", "<line>",
	 "run after every run"},
	{OPT_TEXT(ask.cleanup), 0, "cleanup", "<line>",
	 "run once after all runs"},
	{OPT_LIST(ask.lines), 0, "command", "<line>",
	 "another command to compare with"},
	{OPT_LIST(ask.scans), 'P', "parameter-scan",
	 "<name>,<min>,<max>[,<step>]", "replace {<name>} by each number"},
	{OPT_LIST(ask.lists), 'L', "parameter-list", "<name>,<a>,<b>...",
	 "replace {<name>} by each text"},
	{OPT_FLAG(ask.interleave), 0, "interleave", NULL,
	 "alternate the runs of several commands (default)"},
	{OPT_FLAG(ask.shell), 'S', "shell", NULL,
	 "give the command to sh -c, take the shell's own time off"},
	{OPT_FLAG(ask.ignore_status), 'i', "ignore-status", NULL,
	 "go on when the command's status is not 0"},
	{OPT_FLAG(ask.keep_failed), 0, "keep-failed", NULL,
	 "as above, but exit with 128 in the end"},
	{OPT_TEXT(ask.stdin_path), 0, "stdin", "<file>",
	 "input of the command (nothing)"},
	{OPT_TEXT(ask.stdout_where), 0, "stdout", "null|inherit|<file>",
	 "where the command's output goes (null)", .choices = "null inherit"},
	{OPT_DOUBLE(ask.live), 0, "live", "<s>",
	 "show the heaviest functions so often, while it runs"},
	{OPT_TEXT(message), 0, "send", "<message>",
	 "tell a sampler that runs: pause, resume, stop, snapshot, ...",
	 .choices = "pause resume stop snapshot frequency= delay= threads="},
	{OPT_TEXT(ask.workload), 0, "workload", "<name>",
	 "what the command works on"},
	{OPT_TEXT(ask.name), 'n', "name", "<name>", "name to register"},
	{OPT_LIST(ask.labels), 'l', "label", "<key>=<value>",
	 "label, may be repeated"},
	{OPT_TEXT(ask.machine), 0, "machine", "<name>",
	 "name of this machine (perf.machine)"},
	{OPT_FLAG(ask.add), 0, "add", NULL,
	 "list it at HEAD at once, leave nothing pending"},
	{OPT_FLAG(ask.keep), 0, "keep", NULL,
	 "leave it pending (default; --no-keep prints and keeps nothing)"},
	{OPT_TEXT(ask.reference), 0, "reference", "<line>",
	 "another command, which the others are compared to"},
	{OPT_TEXT(sort), 0, "sort", "median|command",
	 "order of the comparison (median)", .choices = "median command"},
	{OPT_TEXT(unit), 'u', "unit", "us|ms|s", "unit of the times",
	 .names = pn_time_unit_names},
	{OPT_TEXT(export), 0, "export", "<file>.csv|<file>.md",
	 "write a table of the times, too"},
	{OPT_FLAG(quiet), 'q', "quiet", NULL, "only warnings and errors"},
	{OPT_FLAG(json), 0, "json", NULL, "print the result as JSON"},
	{OPT_TEXT(path), 'o', "output", "<file>", "print the result to a file"},
	{0},
};

/* What is wrong with how results are to be shown; NULL when nothing is. */
static const char *find_fault(const struct options *o)
{
	if (o->unit && strcmp(pn_time_unit_of(o->unit, 0).name, o->unit) != 0)
		return "--unit is us, ms or s";
	if (o->sort && strcmp(o->sort, "median") && strcmp(o->sort, "command"))
		return "--sort is median or command";
	return NULL;
}

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
	if (o->message)
		return send_message(o->message, argc, argv);
	if (o->calibrate)
		return calibrate(global, o->path, o->calibrate, o->json);
	if (argc)
		return usage(&cmd_collect,
			     "--list-collectors takes no argument");
	return list_collectors(global, o->path, o->ask.collector, o->json);
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
		 (fault = find_fault(&o)))
		code = usage(&cmd_collect, "%s", fault);
	else
		code = measure(&o, global);
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
