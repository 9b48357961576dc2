/* git perf push: send profiles to a remote. */
#define OPT_STRUCT struct share_options
#include "options.h"

#include "jobs/settings.h"
#include "render/log/moved.h"

static const struct pn_opt opts[] = {
	{OPT_FLAG(inbox), 0, "inbox", NULL,
	 "into an inbox of the remote, waiting for nobody (with CI set)"},
	{OPT_FLAG(keep_history), 0, "keep-history", NULL,
	 "behind a gc: the remote keeps the old history"},
	{OPT_FLAG(dry_run), 'n', "dry-run", NULL,
	 "ask whether it would be taken, send nothing"},
	{OPT_FLAG(quiet), 'q', "quiet", NULL, "say only what went wrong"},
	{0},
};

static void report(const struct pn_pushed *p, const struct pn_exchange *x)
{
	struct pn_buf text = {0};

	pn_united_text(&text, p->united.commits, p->united.bodies, x->remote);
	pn_pushed_text(&text, p->state, p->inboxes, x->remote, x->dry_run);
	say_lines(&text);
}

static int run(const struct global *global, int argc, char **argv)
{
	struct share_options o = {.inbox = pn_setting_is_on("CI")};
	struct pn_error err = {0};
	struct pn_exchange x;
	struct pn_pushed pushed;
	int code;

	(void)global;
	if (share_begin(&x, &code, &cmd_push, &o, argc, argv))
		return code;
	code = pn_exchange_push(&pushed, &x, &err);
	if (!code && pushed.united.why.code)
		warn("%s", pushed.united.why.message);
	if (!code && pushed.kept.code)
		warn("inboxes of '%s' that are taken in stay there: %s",
		     x.remote, pushed.kept.message);
	if (!code && !o.quiet)
		report(&pushed, &x);
	share_end(&x);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_push = {
	.name = "push",
	.summary = "send profiles to a remote",
	.synopsis = "push [--[no-]inbox] [--keep-history] [-n] [-q] [<remote>]",
	.opts = opts,
	.run = run,
};
