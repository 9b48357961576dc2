/*
 * The collector "perf": Linux perf records samples of the command and prints
 * them; codec/ reads what it prints. perf-record(1), perf-script(1).
 */
#include "base/number.h"
#include "base/process/process.h"
#include "collect/tool.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FREQUENCY "999" /* not in step with a timer of 1000 Hz */
#define SAID_BYTES 4096
#define MAX_WORDS 16

/* What perf says on standard error goes to a file; its first line is why. */
static int probe(const char *folder, struct pn_error *err)
{
	struct pn_buf path = {0}, said = {0};
	const char *argv[] = {"perf", "record", "-q",	"-N", "-o",
			      NULL,   "--",	"true", NULL};
	struct pn_process_options options = {.in = -1, .out = -1};
	char text[1024] = "";
	int status = 0, code;

	pn_buf_printf(&path, "%s/probe", folder);
	argv[5] = pn_buf_text(&path);
	code = pn_process_capture(&said, text, &status, argv, &options,
				  SAID_BYTES, err);
	if (!code && status) {
		text[strcspn(text, "\n")] = '\0';
		code = pn_error_set(err, PN_EIO,
				    "perf cannot record here: %s (see "
				    "/proc/sys/kernel/perf_event_paranoid)",
				    *text ? text : "it does not say why");
	}
	remove(pn_buf_text(&path));
	pn_buf_release(&path);
	pn_buf_release(&said);
	return code;
}

static int check(const struct pn_collect_plan *plan, struct pn_error *err)
{
	static const char *const modes[] = {"fp", "dwarf", "lbr", "none"};
	const char *frequency = pn_collect_option(plan, "frequency");
	const char *mode = pn_collect_option(plan, "call-graph");
	const char *event = pn_collect_option(plan, "event");
	uint64_t hz;
	size_t i = 0;

	if (frequency &&
	    (!pn_number_uint(&hz, frequency, strlen(frequency)) || !hz))
		return pn_error_set(err, PN_EINVAL,
				    "bad frequency '%s', need samples per "
				    "second",
				    frequency);
	while (mode && i < 4 && strcmp(mode, modes[i]) != 0)
		i++;
	if (i == 4)
		return pn_error_set(err, PN_EINVAL,
				    "no call-graph '%s', there are fp, dwarf, "
				    "lbr, none",
				    mode);
	if (event && *event == '-')
		return pn_error_set(err, PN_EINVAL, "bad event '%s'", event);
	return probe(plan->folder, err);
}

static int wrap(const char *const **out, const struct pn_tool_run *run,
		const char *const *argv, struct pn_error *err)
{
	const char *frequency = pn_collect_option(run->plan, "frequency");
	const char *mode = pn_collect_option(run->plan, "call-graph");
	const char *event = pn_collect_option(run->plan, "event");
	const char *words[MAX_WORDS];
	size_t n = 0;

	(void)err;
	words[n++] = "perf";
	words[n++] = "record";
	words[n++] = "-q";
	words[n++] = "-N"; /* no copies of binaries in ~/.debug */
	words[n++] = "-F";
	words[n++] = frequency ? frequency : FREQUENCY;
	if (!mode || strcmp(mode, "none") != 0) {
		words[n++] = "--call-graph";
		words[n++] = mode ? mode : "fp";
	}
	if (event) {
		words[n++] = "-e";
		words[n++] = event;
	}
	words[n++] = "-o";
	words[n++] = run->file;
	words[n++] = "--";
	words[n] = NULL;
	*out = pn_tool_words(run->arena, words, argv);
	return 0;
}

/* Inlined calls are left out: perf asks addr2line for each address, which
 * takes minutes for what it recorded in seconds. */
static int print_samples(const char *from, const char *to,
			 const struct pn_collect_plan *plan,
			 struct pn_error *err)
{
	static const char *const set[] = {"LC_ALL=C", "PERF_CONFIG=/dev/null",
					  NULL};
	const char *argv[] = {"perf", "script", "--no-inline",
			      "-i",   from,	NULL};
	struct pn_process_options options = {.env_set = set,
					     .in = -1,
					     .err = -1,
					     .own_group = true,
					     .background = plan->background,
					     .stop = plan->stop};
	struct pn_process_cost cost;
	int status = 0, code;

	options.out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (options.out < 0)
		return pn_error_system(err, "cannot write '%s'", to);
	code = pn_process_measure(&cost, &status, argv, &options, err);
	close(options.out);
	if (!code && status)
		code = pn_error_set(err, PN_EIO,
				    "perf script exited with status %d",
				    status);
	return code;
}

/* perf says nothing of that, neither by its status. */
static int check_samples(const char *path, const struct pn_tool_run *run,
			 struct pn_error *err)
{
	const char *frequency = pn_collect_option(run->plan, "frequency");
	const struct pn_collect_job *job = run->job;
	struct stat st;

	if (stat(path, &st) || st.st_size)
		return 0;
	return pn_error_set(err, PN_ERANGE,
			    "no sample was taken of '%s': it computed for less "
			    "than one tick of %s Hz; a higher one would see "
			    "more (-O frequency=<hz>)",
			    job->line ? job->line : job->argv[0],
			    frequency ? frequency : FREQUENCY);
}

static int finish(struct pn_buf *path, const struct pn_tool_run *run,
		  struct pn_error *err)
{
	int code;

	pn_buf_add_text(path, ".txt");
	code = print_samples(run->file, pn_buf_text(path), run->plan, err);
	if (!code)
		code = check_samples(pn_buf_text(path), run, err);
	remove(run->file);
	return code;
}

static const struct pn_option options[] = {
	{"frequency", "<hz>", "samples per second (" FREQUENCY ")"},
	{"call-graph", "<how>", "fp, dwarf, lbr or none (fp)"},
	{"event", "<name>", "what to sample on (cycles, else cpu-clock)"},
	{NULL},
};

static const struct pn_tool perf = {
	.name = "perf",
	.format = "perf-script",
	.hides_run = true, /* starts slowly, and reads its own file at last */
	.check = check,
	.wrap = wrap,
	.finish = finish,
};

static int open_perf(struct pn_collection **out,
		     const struct pn_collect_plan *plan, struct pn_error *err)
{
	return pn_tool_open(out, &perf, plan, err);
}

const struct pn_collector pn_collector_perf = {
	.name = "perf",
	.summary = "samples of all threads and children (Linux perf)",
	.options = options,
	.open = open_perf,
	.step = pn_tool_step,
	.result = pn_tool_result,
	.left = pn_tool_left,
	.warnings = pn_tool_warnings,
	.free = pn_tool_free,
};
