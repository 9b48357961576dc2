/* What push, fetch and pull have in common. */
#include "options.h"

#include "render/log/moved.h"
#include "vcs/repo.h"

#include <string.h>
#include <unistd.h>

int share_begin(struct pn_exchange *out, int *code,
		const struct command *command, struct share_options *options,
		int argc, char **argv)
{
	struct pn_error err = {0};
	int failed;

	memset(out, 0, sizeof(*out));
	argc = opts_parse(command, options, argc, argv, false);
	if (argc < 0 || argc > 1) {
		*code = argc == -2 ? EXIT_DONE : EXIT_USAGE;
		if (argc > 1)
			*code = usage(command,
				      "%s takes one remote: its other side is "
				      "refs/notes/perf always",
				      command->name);
		return -1;
	}
	if (options->filter && options->all) {
		*code = usage(command, "--filter and --all are opposites");
		return -1;
	}
	failed = open_repo(&out->repo, &err);
	out->remote = argc ? argv[0] : NULL;
	out->dry_run = options->dry_run;
	out->inbox = options->inbox;
	out->filter = options->filter;
	out->all = options->all;
	out->keep_history = options->keep_history;
	if (!options->quiet && isatty(STDERR_FILENO))
		out->progress = stderr;
	if (!failed)
		failed = pn_exchange_open(out, &err);
	if (failed) {
		*code = fail(&err);
		share_end(out);
		return -1;
	}
	return 0;
}

void share_end(struct pn_exchange *exchange)
{
	pn_exchange_release(exchange);
	pn_repo_free(exchange->repo);
}

int share_fetch(struct pn_exchange *exchange, struct pn_error *err)
{
	struct pn_error aside = {0};
	int code = pn_exchange_fetch(&aside, exchange, err);

	if (!code && aside.code)
		warn("%s", aside.message);
	return code;
}

int share_waiting(const struct pn_exchange *exchange, struct pn_error *err)
{
	struct pn_waiting waiting;
	struct pn_buf text = {0};
	int code = pn_exchange_waiting(&waiting, exchange, err);

	if (!code)
		pn_fetched_text(&text, &waiting, exchange->remote);
	say_lines(&text);
	return code;
}

void say_pulled(const struct pn_united *united, const char *from)
{
	struct pn_buf text = {0};

	pn_pulled_text(&text, united->commits, united->bodies, united->none,
		       from);
	say_lines(&text);
}
