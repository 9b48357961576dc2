/* git perf init: what a repository needs so that profiles are shared well. */
#include "base/alloc.h"
#include "command.h"
#include "hooks/setup.h"
#include "storage/sync.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"
#include "vcs/setup.h"

#include <stdlib.h>
#include <string.h>

struct options {
	const char *remote;
	bool hooks;
};

static const struct opt opts[] = {
	{OPT_TEXT(remote), 0, "remote", "<name>",
	 "remote to share profiles with (perf.remote, origin)"},
	{OPT_FLAG(hooks), 0, "hooks", NULL,
	 "install hooks that measure commits"},
	{0},
};

static int set_up_merge(struct pn_repo *repo, size_t *changes,
			struct pn_error *err)
{
	bool changed;
	int code = pn_setup_set(&changed, repo, "notes.perf.mergeStrategy",
				"cat_sort_uniq", err);

	if (!code && changed) {
		(*changes)++;
		say("notes.perf.mergeStrategy = cat_sort_uniq: 'git notes "
		    "--ref=perf merge' keeps every line");
	}
	return code;
}

/* A pattern: git fails to fetch anything where a ref that is named whole is not
 * on the remote, as before the first push. */
static int set_up_fetch(struct pn_repo *repo, const char *remote,
			size_t *changes, struct pn_error *err)
{
	struct pn_buf key = {0}, value = {0};
	bool added = false;
	int code;

	pn_buf_printf(&key, "remote.%s.fetch", remote);
	pn_buf_printf(&value, "+" PN_NOTES_REF "*:" PN_TRACKING_REF "*",
		      remote);
	code = pn_setup_add(&added, repo, pn_buf_text(&key),
			    pn_buf_text(&value), err);
	if (!code && added) {
		(*changes)++;
		say("%s += %s: 'git fetch %s' brings the profiles of others",
		    pn_buf_text(&key), pn_buf_text(&value), remote);
	}
	pn_buf_release(&key);
	pn_buf_release(&value);
	return code;
}

/* Earlier versions named the ref whole. It goes when the pattern is there, so
 * that what is interrupted between them is done by the next run. */
static int take_old_fetch(struct pn_repo *repo, const char *remote,
			  size_t *changes, struct pn_error *err)
{
	struct pn_buf key = {0}, value = {0};
	bool removed = false;
	int code;

	pn_buf_printf(&key, "remote.%s.fetch", remote);
	pn_buf_printf(&value, "+" PN_NOTES_REF ":" PN_TRACKING_REF, remote);
	code = pn_setup_remove(&removed, repo, pn_buf_text(&key),
			       pn_buf_text(&value), err);
	if (!code && removed) {
		(*changes)++;
		say("%s -= %s: with it 'git fetch %s' fails on a remote "
		    "without profiles",
		    pn_buf_text(&key), pn_buf_text(&value), remote);
	}
	pn_buf_release(&key);
	pn_buf_release(&value);
	return code;
}

/* A refspec that writes straight into refs/notes loses what is not pushed. */
static int look_for_danger(struct pn_repo *repo, const char *remote,
			   struct pn_error *err)
{
	struct pn_buf key = {0}, values = {0};
	const char *at, *end, *to;
	int code;

	pn_buf_printf(&key, "remote.%s.fetch", remote);
	code = pn_setup_values(&values, repo, pn_buf_text(&key), err);
	at = pn_buf_text(&values);
	for (end = at + values.len; !code && at < end; at += strlen(at) + 1) {
		to = strchr(at, ':');
		if (*at == '+' && to &&
		    (!strcmp(to, ":refs/notes/*") ||
		     !strcmp(to, ":" PN_NOTES_REF "*") ||
		     !strcmp(to, ":" PN_NOTES_REF)))
			warn("%s has '%s': each fetch overwrites profiles "
			     "that were not pushed; take it out with 'git "
			     "config --unset --fixed-value %s \"%s\"'",
			     pn_buf_text(&key), at, pn_buf_text(&key), at);
	}
	pn_buf_release(&key);
	pn_buf_release(&values);
	return code;
}

static int set_up_remote(struct pn_repo *repo, const char *wanted,
			 size_t *changes, struct pn_error *err)
{
	bool has = false, changed = false;
	char *remote = NULL;
	int code = 0;

	if (wanted)
		remote = pn_strdup(wanted);
	else
		code = pn_sync_remote(&remote, repo, err);
	if (!code && remote)
		code = pn_setup_has_remote(&has, repo, remote, err);
	if (!code && !has && wanted)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no remote '%s': 'git remote add %s "
				    "<url>' makes one",
				    wanted, wanted);
	if (!code && has && wanted)
		code = pn_setup_set(&changed, repo, "perf.remote", wanted, err);
	if (!code && changed) {
		(*changes)++;
		say("perf.remote = %s", wanted);
	}
	if (!code && has)
		code = set_up_fetch(repo, remote, changes, err);
	if (!code && has)
		code = take_old_fetch(repo, remote, changes, err);
	if (!code && has)
		code = look_for_danger(repo, remote, err);
	if (!code && !has)
		say("no remote to share with yet: 'git perf init "
		    "--remote=<name>' takes one");
	if (!code && has)
		say("share profiles by 'git push %s " PN_NOTES_REF "'", remote);
	free(remote);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct pn_repo *repo = NULL;
	struct pn_error err = {0};
	size_t changes = 0;
	int code;

	(void)global;
	argc = opts_parse(&cmd_init, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_init, "init takes no argument");
	code = open_repo(&repo, &err);
	if (!code)
		code = set_up_merge(repo, &changes, &err);
	if (!code)
		code = set_up_remote(repo, o.remote, &changes, &err);
	if (!code && o.hooks)
		code = hooks_install(repo, PN_HOOKS_HERE, &err);
	if (!code && !changes && !o.hooks)
		say("nothing to change");
	if (!code)
		say("to see index lines in git log: 'git log --notes=perf'");
	pn_repo_free(repo);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_init = {
	.name = "init",
	.summary = "set the repository up for sharing profiles",
	.synopsis = "init [--hooks] [--remote=<name>]",
	.opts = opts,
	.run = run,
};
