/* git perf fetch: get the profiles of a remote beside our own. */
#define OPT_STRUCT struct share_options
#include "options.h"

static const struct pn_opt opts[] = {
	{OPT_FLAG(filter), 0, "filter", NULL,
	 "leave large bodies out, now and later, until they are needed"},
	{OPT_FLAG(dry_run), 'n', "dry-run", NULL, "ask, but store nothing"},
	{OPT_FLAG(quiet), 'q', "quiet", NULL, "say only what went wrong"},
	{0},
};

static int run(const struct global *global, int argc, char **argv)
{
	struct share_options o = {0};
	struct pn_error err = {0};
	struct pn_exchange x;
	int code;

	(void)global;
	if (share_begin(&x, &code, &cmd_fetch, &o, argc, argv))
		return code;
	code = share_fetch(&x, &err);
	if (!code && !o.quiet)
		code = share_waiting(&x, &err);
	share_end(&x);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_fetch = {
	.name = "fetch",
	.summary = "get the profiles of a remote beside those that are here",
	.synopsis = "fetch [--filter] [-n] [-q] [<remote>]",
	.opts = opts,
	.run = run,
};
