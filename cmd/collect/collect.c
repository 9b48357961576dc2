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
	{OPT_TEXT(collector), 'c', "collector", "<name>",
	 "what measures (time)", .names = pn_collector_names},
	{OPT_LIST(settings), 'O', "option", "<key>=<value>",
	 "option of the collector, may be repeated",
	 .names = pn_collector_keys},
	{OPT_FLAG(list_collectors), 0, "list-collectors", NULL,
	 "list the collectors and their options"},
	{OPT_INT(calibrate), 0, "calibrate", "<n>",
	 "print what tracing a call costs", .min = 1,
	 .absent = CALIBRATE_ROUNDS},
	{OPT_INT(runs), 'r', "runs", "<n>", "exactly so many runs", .min = 1},
	{OPT_INT(warmup), 'w', "warmup", "<n>",
	 "first so many that do not count"},
	{OPT_INT(min_runs), 0, "min-runs", "<n>", "at least so many runs (10)",
	 .min = 1},
	{OPT_INT(max_runs), 0, "max-runs", "<n>", "at most so many runs (1000)",
	 .min = 1},
	{OPT_DOUBLE(min_time), 0, "min-time", "<s>",
	 "run for at least so long (3)"},
	{OPT_DOUBLE(max_time), 0, "max-time", "<s>",
	 "give up precision after (10)"},
	{OPT_DOUBLE(precision), 0, "precision", "<share>",
	 "stop when the median is known so well (0.01)"},
	{OPT_TEXT(setup), 's', "setup", "<line>", "run once before all runs"},
	{OPT_TEXT(prepare), 'p', "prepare", "<line>", "run before every run"},
	{OPT_TEXT(conclude), 0, "conclude", "<line>", "run after every run"},
	{OPT_TEXT(cleanup), 0, "cleanup", "<line>", "run once after all runs"},
	{OPT_LIST(lines), 0, "command", "<line>",
	 "another command to compare with"},
	{OPT_LIST(scans), 'P', "parameter-scan", "<name>,<min>,<max>[,<step>]",
	 "replace {<name>} by each number"},
	{OPT_LIST(lists), 'L', "parameter-list", "<name>,<a>,<b>...",
	 "replace {<name>} by each text"},
	{OPT_FLAG(interleave), 0, "interleave", NULL,
	 "alternate the runs of several commands (default)"},
	{OPT_FLAG(shell), 'S', "shell", NULL,
	 "give the command to sh -c, take the shell's own time off"},
	{OPT_FLAG(ignore_status), 'i', "ignore-status", NULL,
	 "go on when the command's status is not 0"},
	{OPT_FLAG(keep_failed), 0, "keep-failed", NULL,
	 "as above, but exit with 128 in the end"},
	{OPT_TEXT(stdin_path), 0, "stdin", "<file>",
	 "input of the command (nothing)"},
	{OPT_TEXT(stdout_where), 0, "stdout", "null|inherit|<file>",
	 "where the command's output goes (null)", .choices = "null inherit"},
	{OPT_DOUBLE(live), 0, "live", "<s>",
	 "show the heaviest functions so often, while it runs"},
	{OPT_TEXT(message), 0, "send", "<message>",
	 "tell a sampler that runs: pause, resume, stop, snapshot, ...",
	 .choices = "pause resume stop snapshot frequency= delay= threads="},
	{OPT_TEXT(workload), 0, "workload", "<name>",
	 "what the command works on"},
	{OPT_TEXT(name), 'n', "name", "<name>", "name to register"},
	{OPT_LIST(labels), 'l', "label", "<key>=<value>",
	 "label, may be repeated"},
	{OPT_TEXT(machine), 0, "machine", "<name>",
	 "name of this machine (perf.machine)"},
	{OPT_FLAG(add), 0, "add", NULL,
	 "list it at HEAD at once, leave nothing pending"},
	{OPT_FLAG(keep), 0, "keep", NULL,
	 "leave it pending (default; --no-keep prints and keeps nothing)"},
	{OPT_TEXT(reference), 0, "reference", "<line>",
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

/* What is wrong with the arguments together; NULL when nothing is. */
static const char *find_fault(const struct options *o, int argc)
{
	if (!argc && !o->lines.count)
		return "need a command to measure";
	if (o->name && !*o->name)
		return "the name is empty";
	if (o->unit && strcmp(pn_time_unit_of(o->unit, 0).name, o->unit) != 0)
		return "--unit is us, ms or s";
	if (o->sort && strcmp(o->sort, "median") && strcmp(o->sort, "command"))
		return "--sort is median or command";
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
	return list_collectors(global, o->path, o->collector, o->json);
}

/* A bound that was given moves the other one, which was not. */
static void settle_bounds(struct options *o)
{
	if (o->max_runs < o->min_runs && o->min_runs == PN_COLLECT_MIN_RUNS)
		o->min_runs = o->max_runs;
	if (o->min_runs > o->max_runs && o->max_runs == PN_COLLECT_MAX_RUNS)
		o->max_runs = o->min_runs;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {
		.interleave = true,
		.keep = true,
		.min_runs = PN_COLLECT_MIN_RUNS,
		.max_runs = PN_COLLECT_MAX_RUNS,
		.min_time = PN_COLLECT_MIN_TIME_NS / 1e9,
		.max_time = PN_COLLECT_MAX_TIME_NS / 1e9,
		.precision = PN_COLLECT_PRECISION,
	};
	const char *fault;
	int code;

	argc = opts_parse(&cmd_collect, &o, argc, argv, true);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	argv[argc] = NULL; /* the words are handed to exec */
	settle_bounds(&o);
	if (o.message || o.calibrate || o.list_collectors)
		code = run_aside(&o, global, argc, argv);
	else if ((fault = find_fault(&o, argc)))
		code = usage(&cmd_collect, "%s", fault);
	else
		code = measure(&o, global, argc, argv);
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
