/* git perf worker: what the hooks have queued. */
#include "command.h"
#include "interrupt.h"
#include "jobs/queue/queue.h"
#include "render/run/worked.h"
#include "vcs/repo.h"
#include "work.h"

#include <stddef.h>

struct options {
	bool once, status;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(once), 0, "once", NULL,
	 "do what can be done now, wait for nothing"},
	{OPT_FLAG(status), 0, "status", NULL,
	 "say what is queued and whether one runs"},
	{0},
};

static int print_status(const struct global *global, struct pn_repo *repo,
			struct pn_error *err)
{
	const char *dir = pn_repo_common_dir(repo);
	struct pn_queue queue = {0};
	struct pn_buf text = {0};
	int code = pn_queue_read(&queue, dir, err);

	pn_worked_queue_text(&text, pn_queue_commits(&queue),
			     pn_queue_has_worker(dir), pn_queue_waits(dir));
	code = write_output(global, NULL, &text, code, err);
	pn_queue_release(&queue);
	pn_buf_release(&text);
	return code;
}

/* 125 when something stays: there is no figure of it yet. */
static int run_worker(struct pn_repo *repo, bool once, struct pn_error *err)
{
	size_t left = 0;
	int code = work(&left, repo, once, err);

	if (code == PN_ELOCKED) {
		say("another worker runs");
		return EXIT_DONE;
	}
	if (code == PN_ESTOPPED || (!code && interrupted))
		return EXIT_INTERRUPTED;
	if (code)
		return fail(err);
	return left ? EXIT_NO_VERDICT : EXIT_DONE;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct pn_repo *repo = NULL;
	struct pn_error err = {0};
	int code;

	argc = opts_parse(&cmd_worker, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc)
		return usage(&cmd_worker, "worker takes no argument");
	if (open_repo(&repo, &err))
		return fail(&err);
	code = o.status ? print_status(global, repo, &err)
			: run_worker(repo, o.once, &err);
	pn_repo_free(repo);
	return code;
}

const struct command cmd_worker = {
	.name = "worker",
	.summary = "measure what the hooks have queued",
	.synopsis = "worker [--once | --status]",
	.opts = opts,
	.run = run,
};
