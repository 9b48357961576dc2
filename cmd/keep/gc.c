/* git perf gc: leave the history of the notes behind. */
#include "command.h"
#include "context.h"
#include "jobs/retain/pruning.h"
#include "render/log/pruned.h"

struct options {
	bool dry_run, quiet;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(dry_run), 'n', "dry-run", NULL,
	 "only say what would go and what it frees"},
	{OPT_FLAG(quiet), 'q', "quiet", NULL, "say only what went wrong"},
	{0},
};

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct context context = {0};
	struct pn_compacted_row row;
	struct pn_error err = {0};
	struct pn_buf text = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_gc, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_gc, "gc takes no argument");
	code = open_context(&context, NULL, true, &err);
	if (!code)
		code = pn_retain_compact(&row, context.repo, o.dry_run, &err);
	if (!code && !o.quiet) {
		pn_compacted_text(&text, &row);
		say_lines(&text);
	}
	close_context(&context);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_gc = {
	.name = "gc",
	.summary = "leave the history of the notes behind",
	.synopsis = "gc [-n] [-q]",
	.opts = opts,
	.run = run,
};
