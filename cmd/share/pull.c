/* git perf pull: get the profiles of a remote and take them in. */
#define OPT_STRUCT struct share_options
#include "options.h"

#include "storage/body_fetch.h"

static const struct pn_opt opts[] = {
	{OPT_FLAG(filter), 0, "filter", NULL,
	 "leave large bodies out, now and later, until they are needed"},
	{OPT_FLAG(all), 0, "all", NULL,
	 "get bodies that were left out, and leave out none from now on"},
	{OPT_FLAG(quiet), 'q', "quiet", NULL, "say only what went wrong"},
	{0},
};

/* Everything that the notes need. */
static int complete(struct pn_repo *repo, struct pn_error *err)
{
	struct pn_notes *notes = NULL;
	int code = pn_notes_open(&notes, repo, PN_NOTES_REF, err);

	if (!code)
		code = pn_bodies_fetch_all(repo, notes, err);
	pn_notes_free(notes);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct share_options o = {0};
	struct pn_error err = {0};
	struct pn_exchange x;
	struct pn_united united = {0};
	int code = 0;

	(void)global;
	if (share_begin(&x, &code, &cmd_pull, &o, argc, argv))
		return code;
	if (o.filter && o.all) {
		share_end(&x);
		return usage(&cmd_pull, "--filter and --all are opposites");
	}
	if (o.filter || o.all)
		code = pn_lean_set(&x.lean, x.repo, x.remote, o.filter, &err);
	if (!code)
		code = share_fetch(&x, &err);
	if (!code)
		code = pn_exchange_unite(&united, &x, &err);
	if (!code && o.all)
		code = complete(x.repo, &err);
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
	.synopsis = "pull [--filter | --all] [-q] [<remote>]",
	.opts = opts,
	.run = run,
};
