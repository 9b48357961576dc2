/* git perf check: the verdict on a commit. Long by its options. */
#include "render/judged/check.h"
#include "analysis/checks/detector.h"
#include "base/text/similar.h"
#include "collect.h"
#include "command.h"
#include "context.h"
#include "detector.h"
#include "duel.h"
#include "jobs/judge/ask.h"

#include <string.h>

struct options {
	struct pn_check_ask ask;
	const char *format, *output;
	bool verbose, json;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(ask.against), 0, "against", "<rev>",
	 "beside this commit and its past, not the commit's own"},
	{OPT_TABLE(struct pn_series_request, ask.which, pn_series_opts)},
	{OPT_TEXT(ask.min_effect), 0, "min-effect", "<share>",
	 "a smaller change is none, of all metrics, as 2%"},
	{OPT_FLAG(ask.strict), 0, "strict", NULL,
	 "fail on what may be a degradation, too"},
	{OPT_TEXT(ask.fail_on), 0, "fail-on", "<verdicts>",
	 "fail on these, parted by commas"},
	{OPT_FLAG(ask.allow_unknown), 0, "allow-unknown", NULL,
	 "exit with 0 when there is no verdict"},
	{OPT_FLAG(ask.collect), 0, "collect", NULL,
	 "measure first what is missing of the commits"},
	{OPT_FLAG(ask.why), 0, "why", NULL,
	 "measure what tells functions where nothing explains a change"},
	{OPT_FLAG(ask.functions), 0, "functions", NULL,
	 "a verdict for each function, too"},
	{OPT_TEXT(ask.detector), 0, "detector", "<name>",
	 "two commits by another rule: one of {names}",
	 .names = pn_detector_rules_names},
	{OPT_TABLE(struct pn_duel_ask, ask.duel, pn_duel_opts)},
	{OPT_FLAG(verbose), 'v', "verbose", NULL, "all metrics and numbers"},
	{OPT_TEXT(format), 0, "format", "<format>", "one of {names}",
	 .names = pn_check_format_names},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

static int print(const struct pn_check *check,
		 const struct pn_check_format *format, const struct options *o,
		 const struct global *global, struct pn_error *err)
{
	static const int codes[] = {[PN_JUDGE_PASSED] = EXIT_DONE,
				    [PN_JUDGE_FAILED] = EXIT_NO,
				    [PN_JUDGE_NO_VERDICT] = EXIT_NO_VERDICT};
	struct pn_check_print how = {.all = o->verbose};
	struct output out;
	int code = open_output(&out, global, o->output,
			       format == &pn_check_text, err);

	if (code)
		return code;
	how.palette = &out.palette;
	format->print(out.file, &check->report, &how);
	code = codes[check->report.result];
	if (code == EXIT_NO_VERDICT && o->ask.allow_unknown)
		code = EXIT_DONE;
	return close_output(&out, code);
}

static int say_why(const struct pn_check *check,
		   const struct pn_check_request *request,
		   const struct options *o, struct pn_error *err)
{
	struct pn_buf hints = {0};

	pn_check_why(&hints, check, request, err);
	fail(err);
	quote(pn_buf_text(&hints));
	pn_buf_release(&hints);
	return o->ask.allow_unknown ? EXIT_DONE : EXIT_NO_VERDICT;
}

/* What is stored now, and the check of it. */
static int run_check(struct context *context, struct pn_check *check,
		     struct pn_check_request *request, struct pn_error *err)
{
	int code;

	pn_check_release(check);
	close_context(context);
	code = open_context(context, NULL, true, err);
	request->repo = context->repo;
	request->notes = context->notes;
	return code ? code : pn_check_run(check, request, err);
}

/* Measured first, where that is asked for, and checked again. */
static int run_checks(struct context *context, struct pn_check *check,
		      struct pn_check_request *request, const struct options *o,
		      struct pn_error *err)
{
	struct pn_check_measure missing = {.config = o->ask.duel.config};
	struct pn_check_measure reasons = missing;
	int code = run_check(context, check, request, err);

	missing.repo = context->repo;
	if (!code && o->ask.collect) {
		code = pn_check_lacks(&missing, request, check, err);
		if (!code)
			code = check_measure(&missing, err);
		if (!code)
			code = run_check(context, check, request, err);
	}
	reasons.repo = context->repo;
	if (!code && o->ask.why && pn_check_lacks_reason(&reasons, check)) {
		code = check_measure(&reasons, err);
		if (!code)
			code = run_check(context, check, request, err);
	}
	return code;
}

static int check_named(const struct pn_check_format *format,
		       struct pn_check_request *request,
		       const struct options *o, const struct global *global,
		       struct pn_error *err)
{
	struct pn_check check = {.nothing = false};
	struct pn_series_request which = o->ask.which;
	struct pn_strtab others = {0};
	struct pn_regex *metric = NULL;
	struct context context = {.repo = NULL};
	int code;

	which.others = &others;
	request->which = &which;
	code = pn_series_request_open(&request->filter, &metric, &which, err);
	if (!code)
		code = run_checks(&context, &check, request, o, err);
	if (!code)
		code = check.nothing ? say_why(&check, request, o, err)
				     : print(&check, format, o, global, err);
	pn_check_release(&check);
	pn_regex_free(metric);
	pn_strtab_release(&others);
	close_context(&context);
	return code;
}

static int detect(struct pn_check_request *request, const struct options *o,
		  const struct global *global)
{
	struct detector_call call = {o->ask.detector, o->output, o->json,
				     o->verbose, o->ask.allow_unknown};

	if (strcmp(o->format, "text") != 0 && !o->json)
		return usage(&cmd_check, "--detector takes no --format");
	return check_by_detector(global, &call, request);
}

static int run_both(const struct global *global, const struct options *o,
		    int argc, char **argv)
{
	struct duel_call call = {.ask = &o->ask.duel,
				 .which = &o->ask.which,
				 .output = o->output,
				 .format = o->json ? "json" : o->format,
				 .allow_unknown = o->ask.allow_unknown};

	return check_by_duel(global, &call, argc, argv);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.format = "text"};
	struct pn_check_request request = {.repo = NULL};
	const struct pn_check_format *format;
	struct pn_error err = {0};
	int code;

	argc = opts_parse(&cmd_check, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (pn_check_ask_count(&o.ask, argc, &err))
		return usage(&cmd_check, "%s", err.message);
	format = pn_check_format_find(o.json ? "json" : o.format);
	if (!format)
		pn_unknown_name("format", o.format, pn_check_format_names,
				&err);
	if (!format || pn_check_ask_check(&o.ask, format->name, &err))
		return usage(&cmd_check, "%s", err.message);
	if (pn_check_ask_measures(&o.ask))
		return run_both(global, &o, argc, argv);
	if (pn_check_ask_read(&request, &o.ask, &err))
		return usage(&cmd_check, "%s", err.message);
	request.names = (const char *const *)argv;
	request.name_count = (size_t)argc;
	if (o.ask.detector)
		return detect(&request, &o, global);
	code = check_named(format, &request, &o, global, &err);
	return code == PN_ESTOPPED ? EXIT_INTERRUPTED
	       : code < 0	   ? fail(&err)
				   : code;
}

const struct command cmd_check = {
	.name = "check",
	.summary = "say whether a commit got slower, by how much, how sure",
	.synopsis = "check [<options>] [<rev> | <old> <new> | <range>]\n"
		    "check --run [<options>] [<base> | <old> <new> | <range>]\n"
		    "check --selfcheck [<options>] [<rev>]",
	.opts = opts,
	.colored = true,
	.run = run,
};
