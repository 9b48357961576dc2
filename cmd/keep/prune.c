/* git perf prune: take out what nobody needs. */
#include "command.h"
#include "context.h"
#include "jobs/retain/pruning.h"
#include "render/log/pruned.h"

struct options {
	struct pn_opt_list keep;
	int64_t bodies, expire;
	bool absent, dry_run, quiet, offline;
};

static const struct pn_opt opts[] = {
	{OPT_LIST(keep), 0, "keep", "<policy>",
	 "of HEAD's past keep only these (can be repeated)",
	 .choices = "last: tagged daily weekly monthly",
	 .check = pn_retain_policy_check},
	{OPT_INT(bodies), 0, "bodies", "<days>",
	 "bodies go after so many days, figures stay", .min = 0},
	{OPT_INT(expire), 0, "expire", "<days>",
	 "of vanished commits older ones go (default 90)", .min = 0},
	{OPT_FLAG(absent), 0, "absent", NULL,
	 "of vanished commits those go, too, that are not here"},
	{OPT_FLAG(offline), 0, "offline", NULL,
	 "do not ask the remote which commits it has"},
	{OPT_FLAG(dry_run), 'n', "dry-run", NULL,
	 "only say what would go and what it frees"},
	{OPT_FLAG(quiet), 'q', "quiet", NULL, "say only what went wrong"},
	{0},
};

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {.bodies = -1, .expire = 90};
	struct pn_retain_request request = {0};
	struct context context = {0};
	struct pn_pruned_row row;
	struct pn_error err = {0};
	struct pn_buf text = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_prune, &o, argc, argv, false);
	if (argc) {
		pn_opts_release(opts, &o);
		if (argc > 0)
			return usage(&cmd_prune, "prune takes no argument");
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	}
	request = (struct pn_retain_request){
		{.body_days = o.bodies, .absent = o.absent},
		o.expire,
		o.offline};
	code = open_context(&context, NULL, true, &err);
	if (!code)
		code = pn_retain_prune(&row, context.repo, context.notes,
				       &request, o.keep.values, o.keep.count,
				       o.dry_run, &err);
	if (!code && !o.quiet) {
		pn_pruned_text(&text, &row);
		say_lines(&text);
	}
	pn_opts_release(opts, &o);
	close_context(&context);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_prune = {
	.name = "prune",
	.summary = "take out records that nobody needs",
	.synopsis = "prune [--keep=<policy>]... [--bodies=<days>] "
		    "[<options>]",
	.opts = opts,
	.run = run,
};
