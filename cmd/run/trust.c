/* git perf trust: let the commands of .gitperf run on this machine. */
#include "jobs/trust.h"
#include "base/escape.h"
#include "command.h"
#include "vcs/repo.h"

#include <string.h>

struct options {
	bool revoke;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(revoke), 0, "revoke", NULL, "trust the file no longer"},
	{0},
};

static void show_commands(const struct pn_matrix *matrix)
{
	struct pn_buf text = {0}, safe = {0};

	pn_matrix_commands(&text, matrix);
	pn_escape_lines(&safe, pn_buf_text(&text));
	fwrite(pn_buf_text(&safe), 1, safe.len, stdout);
	pn_buf_release(&text);
	pn_buf_release(&safe);
}

static void warn_of_doubts(const struct pn_matrix *matrix)
{
	struct pn_buf text = {0};
	size_t i;

	for (i = 0; i < matrix->section_count; i++) {
		pn_buf_clear(&text);
		if (pn_matrix_doubt(&text, &matrix->sections[i]))
			warn("%s", pn_buf_text(&text));
	}
	pn_buf_release(&text);
}

/* What is shown is what is pinned: the file is read once. */
static int trust(struct pn_repo *repo, const char *path, struct pn_error *err)
{
	struct pn_matrix matrix = {0};
	struct pn_buf bytes = {0};
	int code;

	code = pn_matrix_read(&bytes, path, false, err);
	if (!code)
		code = pn_matrix_parse(&matrix, repo, path, &bytes, err);
	if (!code) {
		show_commands(&matrix);
		code = pn_trust_pin(repo, path, &bytes, err);
	}
	if (!code) {
		warn_of_doubts(&matrix);
		say("trusted: '%s'", path);
		say("builds run what the sources say; with hooks installed "
		    "those that a pull brings, too, unattended");
		say("'git config perf.hookMode own' leaves these out");
	}
	pn_matrix_release(&matrix);
	pn_buf_release(&bytes);
	return code;
}

static int revoke(struct pn_repo *repo, const char *path, struct pn_error *err)
{
	bool had = false;
	int code = pn_trust_revoke(&had, repo, path, err);

	if (!code)
		say(had ? "no longer trusted: '%s'" : "was not trusted: '%s'",
		    path);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct pn_repo *repo = NULL;
	struct pn_buf path = {0};
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
		code = pn_trust_path(&path, repo, &err);
	if (!code)
		code = o.revoke ? revoke(repo, pn_buf_text(&path), &err)
				: trust(repo, pn_buf_text(&path), &err);
	pn_buf_release(&path);
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
