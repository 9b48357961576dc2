/* git perf size: what takes space. */
#include "render/log/size.h"
#include "command.h"
#include "context.h"
#include "jobs/size/weigh.h"
#include "render/terminal.h"

struct options {
	const char *by, *output;
	bool json;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(by), 0, "by", "<what>", "what a row is of (kind): {names}",
	 .names = pn_weigh_names, .check = pn_weigh_check},
	{OPT_FLAG(json), 0, "json", NULL, "as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>", "write to a file"},
	{0},
};

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.by = "kind"};
	struct pn_weighed weighed = {0};
	struct context context = {0};
	struct pn_error err = {0};
	struct pn_buf bytes = {0};
	int code;

	argc = opts_parse(&cmd_size, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_size, "size takes no argument");
	code = open_context(&context, NULL, true, &err);
	if (!code)
		code = pn_weigh(&weighed, context.repo, context.notes, o.by,
				&err);
	if (!code && o.json)
		pn_size_json(&bytes, &weighed.size);
	else if (!code)
		pn_size_text(&bytes, &weighed.size,
			     pn_terminal_columns(o.output ? NULL : stdout));
	code = write_output(global, o.output, &bytes, code, &err);
	pn_buf_release(&bytes);
	pn_weighed_release(&weighed);
	close_context(&context);
	return code;
}

const struct command cmd_size = {
	.name = "size",
	.summary = "say what takes space",
	.synopsis = "size [--by=<what>] [--json] [-o <file>]",
	.opts = opts,
	.run = run,
};
