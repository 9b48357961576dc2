/* git perf init: what a repository needs so that profiles are shared well. */
#include "command.h"
#include "hooks/setup.h"
#include "storage/share.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

struct options {
	const char *remote;
	bool hooks, push;
};

static const struct pn_opt opts[] = {
	{OPT_TEXT(remote), 0, "remote", "<name>",
	 "remote to share profiles with (perf.remote, origin)"},
	{OPT_FLAG(hooks), 0, "hooks", NULL,
	 "install hooks that measure commits"},
	{OPT_FLAG(push), 0, "push", NULL,
	 "have 'git push' send the profiles, too"},
	{0},
};

static void say_change(const struct pn_share_change *c, const char *remote)
{
	switch (c->kind) {
	case PN_SHARE_MERGE:
		say("%s = %s: 'git notes --ref=perf merge' keeps every line",
		    c->key, c->value);
		break;
	case PN_SHARE_REMOTE:
		say("%s = %s", c->key, c->value);
		break;
	case PN_SHARE_FETCH:
		say("%s += %s: 'git fetch %s' brings the profiles of others",
		    c->key, c->value, remote);
		break;
	case PN_SHARE_OLD_FETCH:
		say("%s -= %s: with it 'git fetch %s' fails on a remote "
		    "without profiles",
		    c->key, c->value, remote);
		break;
	case PN_SHARE_KINDS:
		break;
	}
}

static void report(const struct pn_share *share)
{
	size_t i;

	for (i = 0; i < share->change_count; i++)
		say_change(&share->changes[i], share->remote);
	for (i = 0; i < share->danger_count; i++)
		warn("%s has '%s': each fetch overwrites profiles that were "
		     "not pushed; take it out with 'git config --unset "
		     "--fixed-value %s \"%s\"'",
		     share->danger_key, share->dangers[i], share->danger_key,
		     share->dangers[i]);
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
	report(&share);
	if (!code && !share.remote)
		say("no remote to share with yet: 'git perf init "
		    "--remote=<name>' takes one");
	else if (!code)
		say("share profiles by 'git perf push' and 'git perf pull'");
	if (!code && o.hooks)
		code = hooks_install(repo, PN_HOOKS_HERE, &err);
	if (!code && o.push)
		code = hooks_install_push(repo, &err);
	if (!code && !share.change_count && !o.hooks && !o.push)
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
