/* git perf pull: get the profiles of a remote and take them in. */
#define OPT_STRUCT struct share_options
#include "options.h"

#include "storage/body_fetch.h"

static const struct pn_opt opts[] = {
	{OPT_FLAG(filter), 0, "filter", NULL,
	 "leave large bodies out, now and later, until they are needed"},
	{OPT_FLAG(all), 0, "all", NULL,
	 "get bodies that were left out, and leave out none from now on"},
	{OPT_FLAG(dry_run), 'n', "dry-run", NULL,
	 "say what waits, take nothing in"},
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
	code = share_fetch(&x, &err);
	if (o.dry_run) {
		if (!code && !o.quiet)
			code = share_waiting(&x, &err);
		share_end(&x);
		return code ? fail(&err) : EXIT_DONE;
	}
	if (!code)
		code = pn_exchange_unite(&united, &x, &err);
	if (!code && o.all)
		code = pn_bodies_complete(x.repo, &err);
	if (!code && united.why.code)
		warn("%s", united.why.message);
	if (!code && !o.quiet)
		say_pulled(&united, x.remote);
	share_end(&x);
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_pull = {
	.name = "pull",
	.summary = "get the profiles of a remote and take them in",
	.synopsis = "pull [--filter | --all] [-n] [-q] [<remote>]",
	.opts = opts,
	.run = run,
};
