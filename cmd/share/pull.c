/* git perf pull: get the profiles of a remote and take them in. */
#define OPT_STRUCT struct share_options
#include "options.h"

static const struct pn_opt opts[] = {
	{OPT_FLAG(quiet), 'q', "quiet", NULL, "say only what went wrong"},
	{0},
};

static int run(const struct global *global, int argc, char **argv)
{
	struct share_options o = {0};
	struct pn_error err = {0};
	struct pn_exchange x;
	struct pn_united united = {0};
	int code;

	(void)global;
	if (share_begin(&x, &code, &cmd_pull, &o, argc, argv))
		return code;
	code = pn_exchange_fetch(&x, &err);
	if (!code)
		code = pn_exchange_unite(&united, &x, &err);
	if (!code && united.why.code)
		warn("%s", united.why.message);
	if (!code && !o.quiet && !united.commits && !united.bodies)
		say("'%s' has no profiles that are not here", x.remote);
	else if (!code && !o.quiet)
		say_united(&united, x.remote);
	share_end(&x);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_pull = {
	.name = "pull",
	.summary = "get the profiles of a remote and take them in",
	.synopsis = "pull [-q] [<remote>]",
	.opts = opts,
	.run = run,
};
