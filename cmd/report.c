/* git perf report: history, verdicts and profiles as one page of HTML. */
#include "base/process/browse.h"
#include "command.h"
#include "context.h"
#include "jobs/reported/reporting.h"
#include "render/report/reported.h"

#include <string.h>
#include <unistd.h>

struct options {
	const char *output;
	bool open;
	struct pn_reporting_request request;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{OPT_FLAG(open), 0, "open", NULL, "show it in a browser"},
	{OPT_INT(request.commits), 'n', "max-count", "<number>",
	 "at most so many commits", .min = 1},
	{OPT_INT(request.profiles), 0, "profiles", "<number>",
	 "at most so many profiles"},
	{OPT_TEXT(request.metric), 0, "metric", "<regex>",
	 "only metrics whose name matches"},
	{OPT_TEXT(request.filter.job), 0, "job", "<name>",
	 "only series of this job, <job>[/<collector>][@<workload>]"},
	{OPT_TEXT(request.filter.collector), 0, "collector", "<name>",
	 "only what this collector measured"},
	{OPT_TEXT(request.filter.machine), 0, "machine", "<name>",
	 "only what was measured on this machine"},
	{0},
};

static int report(const struct global *global, struct options *o,
		  struct pn_error *err)
{
	struct pn_reporting reporting = {.count = 0};
	struct context context = {0};
	struct output out;
	int code = open_context(&context, NULL, true, err);

	o->request.repo = context.repo;
	o->request.notes = context.notes;
	if (!code && (code = pn_reporting_read(&reporting, &o->request, err)))
		say_where_profiles_are(&context.lookup);
	if (reporting.passed_over)
		warn("%zu notes are passed over: they cannot be read",
		     reporting.passed_over);
	if (!code)
		code = open_output(&out, global, o->output, false, err);
	if (!code) {
		pn_reported_print(out.file, &reporting.reported);
		code = close_output(&out, EXIT_DONE);
		if (!code && o->open)
			code = pn_browse(o->output, err);
	}
	pn_reporting_release(&reporting);
	close_context(&context);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.request = {.commits = 1000, .profiles = 6}};
	struct pn_error err = {0};
	int code;

	argc = opts_parse(&cmd_report, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc > 1)
		return usage(&cmd_report, "need one revision, have %d", argc);
	if (!o.output && (o.open || isatty(STDOUT_FILENO)))
		return usage(&cmd_report, "need -o <file> for the page");
	if (o.open && !strcmp(o.output, "-"))
		return usage(&cmd_report, "--open needs a file");
	o.request.range = argc ? argv[0] : NULL;
	code = report(global, &o, &err);
	return code < 0 ? fail(&err) : code;
}

const struct command cmd_report = {
	.name = "report",
	.summary = "history, verdicts and profiles as one page",
	.synopsis = "report [<options>] -o <file> [<rev> | <range>]",
	.opts = opts,
	.forms = PN_VIEW_FORMS_PAGE,
	.run = run,
};
