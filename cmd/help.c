/* git perf help: the list of commands, and their manual pages. */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/process/process.h"
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINK_MAX_BYTES 4096

/*
 * The folder of manual pages that belongs to this binary: <bin>/../share/man.
 * An installation that was moved, or one in a home folder, finds its own.
 */
static void add_own_manpath(struct pn_buf *out)
{
	char exe[LINK_MAX_BYTES];
	ssize_t len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *slash;

	exe[len > 0 ? len : 0] = '\0';
	slash = strrchr(exe, '/');
	if (slash)
		*slash = '\0';
	slash = strrchr(exe, '/');
	if (!slash)
		return;
	*slash = '\0';
	pn_buf_printf(out, "%s/share/man:", exe);
}

/* man's exit status for a page that is not there is not in any standard; any
 * failure shows the -h text instead. */
static int open_page(const char *page, const struct command *command)
{
	struct pn_process_options options = {0};
	struct pn_buf path = {0};
	struct pn_process man;
	int status = 0;

	/* An empty last element stands for the system's own search path. */
	pn_buf_add_text(&path, "MANPATH=");
	add_own_manpath(&path);
	if (getenv("MANPATH"))
		pn_buf_add_text(&path, getenv("MANPATH"));
	options.env_set = (const char *[]){pn_buf_text(&path), NULL};
	if (pn_process_start(&man, (const char *[]){"man", page, NULL},
			     &options, NULL) ||
	    pn_process_wait(&status, &man, NULL) || status) {
		if (command)
			opts_help(stdout, command);
		else
			print_commands(stdout);
	}
	pn_buf_release(&path);
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
	fputs("\nsee 'git perf <command> -h' for options and "
	      "'git perf help <command>' for its manual page\n",
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
