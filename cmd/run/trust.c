/* git perf trust: let the commands of .gitperf run on this machine. */
#include "jobs/trust.h"
#include "command.h"
#include "vcs/repo.h"

struct options {
	bool revoke;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(revoke), 0, "revoke", NULL, "trust the file no longer"},
	{0},
};

static int trust(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_trust_shown shown = {.path = {0}};
	int code = pn_trust_show(&shown, repo, err);

	fwrite(pn_buf_text(&shown.commands), 1, shown.commands.len, stdout);
	if (!code)
		code = pn_trust_pin(repo, &shown, err);
	if (!code) {
		warn_lines(&shown.doubts);
		say("trusted: '%s'", pn_buf_text(&shown.path));
		say("builds run what the sources say, with hooks those that a "
		    "pull brings, too,");
		say("unattended: 'git config perf.hookMode own' leaves these "
		    "out");
	}
	pn_trust_shown_release(&shown);
	return code;
}

static int revoke(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_buf path = {0};
	bool had = false;
	int code = pn_trust_revoke(&path, &had, repo, err);

	if (!code)
		say(had ? "no longer trusted: '%s'" : "was not trusted: '%s'",
		    pn_buf_text(&path));
	pn_buf_release(&path);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct pn_repo *repo = NULL;
	struct pn_error err = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_trust, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_trust,
			     "'%s': the file is always '%s' of this checkout",
			     argv[0], PN_MATRIX_FILE);
	code = open_repo(&repo, &err);
	if (!code)
		code = (o.revoke ? revoke : trust)(repo, &err);
	pn_repo_free(repo);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_trust = {
	.name = "trust",
	.summary = "let the commands of .gitperf run on this machine",
	.synopsis = "trust [--revoke]",
	.opts = opts,
	.run = run,
};
