/* git perf recover: finish or undo what a run that was killed left. */
#include "recover.h"
#include "command.h"
#include "vcs/inplace/inplace.h"
#include "vcs/repo.h"
#include "vcs/worktree/worktree.h"

static const struct pn_opt opts[] = {{0}};

void say_report(struct pn_inplace_report *report)
{
	struct pn_buf text = {0};

	pn_inplace_report_ended(&text, report);
	say_lines(&text);
	warn_lines(&report->notes);
	pn_inplace_report_left(&text, report);
	say_lines(&text);
	pn_inplace_report_release(report);
}

static int recover(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_inplace_report report = {0};
	size_t removed = 0;
	int code = pn_inplace_recover(&report, repo, err);
	bool had = report.outcome != PN_INPLACE_NOTHING;

	say_report(&report);
	if (!code)
		code = pn_worktree_recover(&removed, repo, err);
	if (!code && removed)
		say("removed %zu worktree%s of interrupted runs", removed,
		    removed == 1 ? "" : "s");
	if (!code && !removed && !had)
		say("nothing to recover");
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct pn_repo *repo = NULL;
	struct pn_error err = {0};
	int code;

	(void)global;
	argc = opts_parse(&cmd_recover, NULL, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_recover, "recover takes no argument");
	code = open_repo(&repo, &err);
	if (!code)
		code = recover(repo, &err);
	pn_repo_free(repo);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_recover = {
	.name = "recover",
	.summary = "finish or undo what an interrupted run left",
	.synopsis = "recover",
	.opts = opts,
	.run = run,
};
