/* What a command was given, by its option table. */
#include "opts.h"

#include "base/file.h"
#include "command.h"

#include <string.h>

void opts_help(FILE *to, const struct command *command)
{
	pn_opts_help(to, command->opts, "git perf", command->synopsis);
}

/* Where the value of an option is, of a name and kind; NULL: there is none. */
static void *find_value(const struct pn_opt *opts, void *values,
			enum pn_opt_kind kind, const char *name)
{
	const struct pn_opt *at;
	void *found = NULL;

	for (at = opts; !found && at && at->kind; at++) {
		void *value = (char *)values + at->offset;

		if (at->kind == PN_OPT_TABLE)
			found = find_value(at->table, value, kind, name);
		else if (at->kind == kind && !strcmp(at->name, name))
			found = value;
	}
	return found;
}

/* -o x.json asks for JSON, where the command has it. */
static void take_suffix(const struct command *command, void *values)
{
	bool *json = find_value(command->opts, values, PN_OPT_FLAG, "json");
	const char **output =
		find_value(command->opts, values, PN_OPT_TEXT, "output");

	if (json && output && *output && pn_file_ends_with(*output, ".json"))
		*json = true;
}

int opts_parse(const struct command *command, void *values, int argc,
	       char **argv, bool stop_at_first)
{
	struct pn_opts_syntax syntax = {command->opts, command->keep_dashes,
					command->pass_unknown, stop_at_first};
	struct pn_error err;
	int left, code;

	code = pn_opts_parse(&left, &syntax, values, argc, argv, &err);
	if (!code) {
		take_suffix(command, values);
		return left;
	}
	if (code == PN_OPTS_HELP) {
		opts_help(stdout, command);
		return -2;
	}
	usage(command, "%s", err.message);
	return -1;
}
