/* Reading what a command was given. */
#ifndef CMD_OPTS_H
#define CMD_OPTS_H

#include "base/opts/table.h"

struct command;

/*
 * As pn_opts_parse. Returns how many arguments are left, or -1 after a usage
 * error was printed (exit 129), or -2 after -h was printed (exit 0; 129 as git
 * does is not used).
 */
int opts_parse(const struct command *command, void *values, int argc,
	       char **argv, bool stop_at_first);
void opts_help(FILE *to, const struct command *command);

#endif
