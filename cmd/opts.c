/* What a command was given, by its option table. */
#include "opts.h"

#include "command.h"

void opts_help(FILE *to, const struct command *command)
{
	pn_opts_help(to, command->opts, "git perf", command->synopsis);
}

int opts_parse(const struct command *command, void *values, int argc,
	       char **argv, bool stop_at_first)
{
	struct pn_opts_syntax syntax = {command->opts, command->keep_dashes,
					command->pass_unknown, stop_at_first};
	struct pn_error err;
	int left, code;

	code = pn_opts_parse(&left, &syntax, values, argc, argv, &err);
	if (!code)
		return left;
	if (code == PN_OPTS_HELP) {
		opts_help(stdout, command);
		return -2;
	}
	usage(command, "%s", err.message);
	return -1;
}
