/* git perf import: what other tools measured at commits. */
#include "jobs/import/import.h"
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

static int import(struct pn_takeover_counts *out, struct pn_buf *doubts,
		  const struct pn_import_request *r, struct pn_error *err)
{
	if (pn_import_is_folder(r->from) && pn_takeover_is_store(r->from, err))
		return pn_takeover(out, doubts, r->repo, r->from, r->max_bytes,
				   r->dry_run, err);
	return pn_import(out, doubts, r, err);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct pn_takeover_counts counts = {0};
	struct pn_import_request request = {0};
	struct options o = {0};
	struct pn_error err = {0};
	struct pn_buf doubts = {0}, text = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_import, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc != 1)
		return usage(&cmd_import, "need one place, have %d", argc);
	request.from = argv[0];
	request.dry_run = o.dry_run;
	code = open_repo(&request.repo, &err);
	if (!code)
		code = pn_setting_body_bytes(&request.max_bytes, request.repo,
					     &err);
	if (!code)
		code = import(&counts, &doubts, &request, &err);
	warn_lines(&doubts);
	if (!code) {
		pn_takeover_text(&text, &counts, o.dry_run);
		say_lines(&text);
		code = counts.broken || counts.skipped ? EXIT_NO : EXIT_DONE;
	} else {
		code = fail(&err);
	}
	pn_repo_free(request.repo);
	return code;
}

const struct command cmd_import = {
	.name = "import",
	.summary = "take over what other tools measured at commits",
	.synopsis = "import [-n] <dir>|<file>|<ref>",
	.opts = opts,
	.run = run,
};
