/* git perf import: a whole Perun store. */
#include "command.h"
#include "context.h"
#include "perun/takeover.h"
#include "render/log/moved.h"

struct options {
	bool dry_run;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(dry_run), 'n', "dry-run", NULL,
	 "read and check everything, store nothing"},
	{0},
};

/* All that can be taken over is; what is wrong with the rest is said. */
static int take_over(struct pn_takeover *takeover, struct pn_error *err)
{
	const char *doubt;
	int code;

	do {
		code = pn_takeover_step(takeover, err);
		while ((doubt = pn_takeover_doubt(takeover)))
			warn("%s", doubt);
	} while (code > 0);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	const struct pn_takeover_counts *counts;
	struct pn_takeover *takeover = NULL;
	struct pn_repo *repo = NULL;
	struct options o = {0};
	struct pn_error err = {0};
	struct pn_buf text = {0};
	uint64_t max_bytes = 0;
	int code;

	(void)global;
	argc = opts_parse(&cmd_import, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc != 1)
		return usage(&cmd_import, "need one folder, have %d", argc);
	code = pn_takeover_open(&takeover, argv[0], &err);
	if (!code)
		code = open_repo(&repo, &err);
	if (!code)
		code = pn_setting_body_bytes(&max_bytes, repo, &err);
	if (!code)
		code = pn_takeover_begin(takeover, repo, max_bytes, o.dry_run,
					 &err);
	if (!code)
		code = take_over(takeover, &err);
	if (code) {
		code = fail(&err);
	} else {
		counts = pn_takeover_counts(takeover);
		pn_takeover_text(&text, counts, o.dry_run);
		say_lines(&text);
		code = counts->broken || counts->skipped ? EXIT_NO : EXIT_DONE;
	}
	pn_buf_release(&text);
	pn_takeover_free(takeover);
	pn_repo_free(repo);
	return code;
}

const struct command cmd_import = {
	.name = "import",
	.summary = "take over a whole Perun store",
	.synopsis = "import [-n] <dir>",
	.opts = opts,
	.run = run,
};
