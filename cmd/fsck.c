/* git perf fsck: everything that is stored, looked at. */
#include "command.h"
#include "context.h"
#include "render/log/checked.h"
#include "storage/verify/verify.h"

struct options {
	const char *output;
	bool json, repair;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(repair), 0, "repair", NULL, "mend what can be mended safely"},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct context context = {0};
	struct pn_verify_report report = {0};
	struct pn_mended mended = {0};
	struct pn_error err = {0};
	struct pn_buf bytes = {0};
	int code;

	argc = opts_parse(&cmd_fsck, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_fsck, "fsck takes no argument");
	code = open_context(&context, NULL, true, &err);
	if (!code)
		code = pn_verify_run(&report, context.repo, context.notes,
				     &err);
	if (!code && o.repair)
		code = pn_verify_mend(&mended, &report, context.repo,
				      context.notes, &err);
	pn_mended_text(&bytes, &mended);
	say_lines(&bytes);
	if (!code)
		(o.json ? pn_checked_json : pn_checked_text)(&bytes,
							     &report.told);
	code = write_output(global, o.output, &bytes, code, &err);
	if (code == EXIT_DONE && report.told.problem_count)
		code = EXIT_NO;
	pn_buf_release(&bytes);
	pn_verify_report_release(&report);
	close_context(&context);
	return code;
}

const struct command cmd_fsck = {
	.name = "fsck",
	.summary = "look at every line, body and id that is stored",
	.synopsis = "fsck [--repair] [--json] [-o <file>]",
	.opts = opts,
	.run = run,
};
