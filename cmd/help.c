/* git perf help: the list of commands, and their manual pages. */
#include "base/buf.h"
#include "base/process/manual.h"
#include "command.h"

#include <string.h>

/* Any failure of man shows the -h text instead. */
static int open_page(const char *page, const struct command *command)
{
	if (pn_manual_open(page))
		return EXIT_DONE;
	if (command)
		opts_help(stdout, command);
	else
		print_commands(stdout);
	return EXIT_DONE;
}

int open_manual(const struct command *command)
{
	struct pn_buf page = {0};
	int code;

	pn_buf_printf(&page, "git-perf%s%s", command ? "-" : "",
		      command ? command->name : "");
	code = open_page(pn_buf_text(&page), command);
	pn_buf_release(&page);
	return code;
}

void print_commands(FILE *to)
{
	fputs("usage: git perf [-C <dir>] [--no-pager] [--color=<when>] "
	      "<command> [<args>]\n"
	      "   or: git perf (--version | -h | --help)\n\n"
	      "commands:\n",
	      to);
	for (size_t i = 0; commands[i]; i++)
		fprintf(to, "    %-12s %s\n", commands[i]->name,
			commands[i]->summary);
	fputs("\n'git perf <command> -h' lists options, "
	      "'git perf help <command>' its manual\n",
	      to);
}

static int run(const struct global *global, int argc, char **argv)
{
	const struct command *command;

	(void)global;
	argc = opts_parse(&cmd_help, NULL, argc, argv, false);
	if (argc < 0)
		return argc == -2 ? EXIT_DONE : EXIT_USAGE;
	if (argc > 1)
		return usage(&cmd_help, "need one command, have %d", argc);
	if (!argc) {
		print_commands(stdout);
		return EXIT_DONE;
	}
	if (!strcmp(argv[0], "gitperf"))
		return open_page("gitperf", NULL);
	command = find_command(argv[0]);
	if (!command)
		return unknown_command(argv[0]);
	return open_manual(command);
}

const struct command cmd_help = {
	.name = "help",
	.summary = "list the commands, or open the manual page of one",
	.synopsis = "help [<command> | gitperf]",
	.run = run,
};
