/* git perf push: send profiles to a remote. */
#define OPT_STRUCT struct share_options
#include "options.h"

#include "jobs/settings.h"

static const struct pn_opt opts[] = {
	{OPT_FLAG(inbox), 0, "inbox", NULL,
	 "into an inbox of the remote, waiting for nobody (with CI set)"},
	{OPT_FLAG(dry_run), 'n', "dry-run", NULL,
	 "ask whether it would be taken, send nothing"},
	{OPT_FLAG(quiet), 'q', "quiet", NULL, "say only what went wrong"},
	{0},
};

static void report(const struct pn_pushed *p, const struct pn_exchange *x)
{
	const char *would = x->dry_run ? "would be " : "";

	say_united(&p->united, x->remote);
	switch (p->state) {
	case PN_PUSHED:
		say("profiles %spushed to '%s'", would, x->remote);
		break;
	case PN_PUSHED_INBOX:
		say("profiles %spushed to '%s', into an inbox: the next 'git "
		    "perf pull' there takes them in",
		    would, x->remote);
		break;
	case PN_PUSHED_NOTHING:
		say("'%s' has all profiles that are here", x->remote);
		break;
	case PN_PUSHED_EMPTY:
		say("no profiles here to push: 'git perf add' stores some");
		break;
	}
	if (p->inboxes)
		say("%zu inbox%s of '%s' emptied", p->inboxes,
		    p->inboxes == 1 ? "" : "es", x->remote);
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
	.synopsis = "push [--[no-]inbox] [-n] [-q] [<remote>]",
	.opts = opts,
	.run = run,
};
