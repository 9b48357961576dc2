/* git perf hooks: our block in git's hooks, by the rule that whatever is not
 * ours stays as it is. */
#include "base/alloc.h"
#include "base/file.h"
#include "command.h"
#include "run.h"
#include "setup.h"
#include "vcs/repo.h"

#include <string.h>

struct options {
	const char *output;
	bool local, worktree, json;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(local), 0, "local", NULL,
	 "the hooks of the repository, whatever this worktree uses"},
	{OPT_FLAG(worktree), 0, "worktree", NULL,
	 "this worktree's own hooks only"},
	{OPT_FLAG(json), 0, "json", NULL, "status as JSON"},
	{OPT_TEXT(output), 'o', "output", "<file>",
	 "write the status to a file"},
	{0},
};

static int print_status(const struct global *global, const struct options *o,
			struct pn_repo *repo, enum pn_hooks_scope scope)
{
	struct pn_error err = {0};
	struct pn_buf text = {0};
	bool complete = false;
	int code = hooks_status(&text, &complete, repo, scope, o->json, &err);

	code = write_output(global, o->output, &text, code, &err);
	pn_buf_release(&text);
	return code || complete ? code : EXIT_NO;
}

static int change(struct pn_repo *repo, enum pn_hooks_scope scope, bool install)
{
	struct pn_error err = {0};
	int code = install ? hooks_install(repo, scope, &err)
			   : hooks_uninstall(repo, scope, &err);

	return code ? fail(&err) : EXIT_DONE;
}

static int run(const struct global *global, int argc, char **argv)
{
	enum pn_hooks_scope scope = PN_HOOKS_HERE;
	struct options o = {0};
	struct pn_repo *repo = NULL;
	struct pn_error err = {0};
	int code;

	/* git's own arguments follow, and time matters */
	if (argc && !strcmp(argv[0], "run"))
		return run_hook(argc - 1, argv + 1);
	argc = opts_parse(&cmd_hooks, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc != 1 || (strcmp(argv[0], "install") != 0 &&
			  strcmp(argv[0], "uninstall") != 0 &&
			  strcmp(argv[0], "status") != 0))
		return usage(&cmd_hooks,
			     "need one of install, uninstall, status, run");
	if (o.local && o.worktree)
		return usage(&cmd_hooks, "either --local or --worktree");
	if (o.local)
		scope = PN_HOOKS_LOCAL;
	else if (o.worktree)
		scope = PN_HOOKS_WORKTREE;
	if (open_repo(&repo, &err))
		return fail(&err);
	if (!strcmp(argv[0], "status"))
		code = print_status(global, &o, repo, scope);
	else
		code = change(repo, scope, argv[0][0] == 'i');
	pn_repo_free(repo);
	return code;
}

const struct command cmd_hooks = {
	.name = "hooks",
	.summary = "have commits measured as they are made",
	.synopsis = "hooks install [--local | --worktree]\n"
		    "hooks uninstall [--local | --worktree]\n"
		    "hooks status [--local | --worktree] [--json] [-o <file>]\n"
		    "hooks run <hook> [<argument>...]",
	.opts = opts,
	.run = run,
};
