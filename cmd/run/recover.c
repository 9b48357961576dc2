/* git perf recover: finish or undo what a run that was killed left. */
#include "recover.h"
#include "base/escape.h"
#include "command.h"
#include "vcs/inplace/inplace.h"
#include "vcs/repo.h"
#include "vcs/worktree/worktree.h"

#include <string.h>

static const struct pn_opt opts[] = {{0}};

/* How it ended; NULL where there is nothing to say. */
static const char *ended(enum pn_inplace_outcome outcome)
{
	switch (outcome) {
	case PN_INPLACE_UNDONE:
		return "the run in place had not begun to measure: undone";
	case PN_INPLACE_RESTORED:
		return "the work tree is as it was before the run";
	case PN_INPLACE_CLEANED:
		return "the work tree was as before the run; removed what was "
		       "left of it";
	case PN_INPLACE_LOST:
		return "the run in place has ended, but not all is as it was "
		       "before";
	default:
		return NULL;
	}
}

void say_report(const struct pn_inplace_report *report)
{
	const char *how = ended(report->outcome);
	const char *at = pn_buf_text(&report->notes), *end;

	if (how)
		say("%s", how);
	for (; (end = strchr(at, '\n')); at = end + 1)
		warn("%.*s", (int)(end - at), at);
	if (report->leftovers)
		say("what builds left, and changes made during the run, are in "
		    "'%s'; delete it when you do not need it",
		    report->leftovers);
}

static int recover(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_inplace_report report = {0};
	size_t removed = 0;
	int code = pn_inplace_recover(&report, repo, err);

	say_report(&report);
	if (!code)
		code = pn_worktree_recover(&removed, repo, err);
	if (!code && removed)
		say("removed %zu worktree%s of interrupted runs", removed,
		    removed == 1 ? "" : "s");
	if (!code && !removed && report.outcome == PN_INPLACE_NOTHING)
		say("nothing to recover");
	pn_inplace_report_release(&report);
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
