/* git perf init: what a repository needs so that profiles are shared well. */
#include "command.h"
#include "hooks/setup.h"
#include "render/log/shared.h"
#include "storage/share.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

struct options {
	const char *remote;
	bool hooks, push;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(remote), 0, "remote", "<name>",
	 "remote to share profiles with (perf.remote, origin)",
	 .check = pn_opts_check_name},
	{OPT_FLAG(hooks), 0, "hooks", NULL,
	 "install hooks that measure commits"},
	{OPT_FLAG(push), 0, "push", NULL,
	 "have 'git push' send the profiles, too"},
	{0},
};

static void report(const struct pn_shared *shared)
{
	struct pn_buf changes = {0}, dangers = {0};

	pn_shared_text(&changes, shared);
	say_lines(&changes);
	pn_shared_dangers(&dangers, shared);
	warn_lines(&dangers);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct pn_repo *repo = NULL;
	struct pn_error err = {0};
	struct pn_share share = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_init, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_init, "init takes no argument");
	code = open_repo(&repo, &err);
	if (!code)
		code = pn_share_set_up(&share, repo, o.remote, &err);
	report(&share.told);
	if (!code && !share.told.remote)
		say("no remote to share with yet: 'git perf init "
		    "--remote=<name>' takes one");
	else if (!code)
		say("share profiles by 'git perf push' and 'git perf pull'");
	if (!code && o.hooks)
		code = hooks_install(repo, PN_HOOKS_HERE, &err);
	if (!code && o.push)
		code = hooks_install_push(repo, &err);
	if (!code && !share.told.change_count && !o.hooks && !o.push)
		say("nothing to change");
	if (!code)
		say("to see index lines in git log: 'git log --notes=perf'");
	pn_share_release(&share);
	pn_repo_free(repo);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_init = {
	.name = "init",
	.summary = "set the repository up for sharing profiles",
	.synopsis = "init [--hooks] [--push] [--remote=<name>]",
	.opts = opts,
	.run = run,
};
