/* git perf bundle: profiles as a file, out and in. */
#include "storage/exchange/bundle.h"
#include "command.h"
#include "interrupt.h"
#include "options.h"
#include "vcs/repo.h"

#include <string.h>
#include <unistd.h>

struct options {
	bool all, quiet;
};

static const struct pn_opt opts[] = {
	{OPT_FLAG(all), 0, "all", NULL,
	 "all profiles, also those that the remote is known to have"},
	{OPT_FLAG(quiet), 'q', "quiet", NULL, "say only what went wrong"},
	{0},
};

static int create(struct pn_exchange *x, const char *path,
		  const struct options *o, struct pn_error *err)
{
	int code = 0;

	if (!o->all)
		code = pn_exchange_open(x, err);
	if (code && !x->remote) /* nobody has what could be left out */
		code = 0;
	if (!code)
		code = pn_exchange_bundle(x, path, err);
	if (!code && !o->quiet && strcmp(path, "-") != 0)
		say("wrote '%s': 'git perf bundle apply' takes it in", path);
	return code;
}

static int apply(struct pn_exchange *x, const char *path,
		 const struct options *o, struct pn_error *err)
{
	struct pn_united united = {0};
	int code = pn_exchange_apply(&united, x, path, err);

	if (!code && !o->quiet)
		say_pulled(&united, path);
	return code;
}

static int run(const struct global *global, int argc, char **argv)
{
	struct options o = {0};
	struct pn_exchange x = {0};
	struct pn_error err = {0};
	bool creates;
	int code;

	(void)global;
	argc = opts_parse(&cmd_bundle, &o, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	creates = argc && !strcmp(argv[0], "create");
	if (!creates && (!argc || strcmp(argv[0], "apply") != 0))
		return usage(&cmd_bundle, "need create or apply");
	if (argc < 2 || argc > 2 + creates)
		return usage(&cmd_bundle, "bundle %s takes one file", argv[0]);
	if (creates && !strcmp(argv[1], "-") && isatty(STDOUT_FILENO))
		return usage(&cmd_bundle, "a bundle is no text: need a file");
	if (argc == 3)
		x.remote = argv[2];
	if (!o.quiet && isatty(STDERR_FILENO))
		x.progress = stderr;
	code = open_repo(&x.repo, &err);
	if (creates) /* nothing is left of the file then */
		catch_interrupt();
	if (!code)
		code = creates ? create(&x, argv[1], &o, &err)
			       : apply(&x, argv[1], &o, &err);
	pn_exchange_release(&x);
	pn_repo_free(x.repo);
	if (code && interrupted)
		return EXIT_INTERRUPTED;
	return code ? fail(&err) : EXIT_DONE;
}

const struct command cmd_bundle = {
	.name = "bundle",
	.summary = "profiles as a file, for who cannot push",
	.synopsis = "bundle create [--all] [-q] <file> [<remote>]\n"
		    "bundle apply [-q] <file>",
	.opts = opts,
	.run = run,
};
