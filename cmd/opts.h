/* Reading what a command was given. */
#ifndef CMD_OPTS_H
#define CMD_OPTS_H

/* Rows of a table are of this struct, unless a file says another one first. */
#ifndef OPT_STRUCT
#define OPT_STRUCT struct options
#endif
#define PN_OPTION_STRUCT OPT_STRUCT
#include "base/opts/table.h"

#define OPT_FLAG PN_OPTION_FLAG
#define OPT_TEXT PN_OPTION_TEXT
#define OPT_LIST PN_OPTION_LIST
#define OPT_INT PN_OPTION_INT
#define OPT_DOUBLE PN_OPTION_DOUBLE
#define OPT_TABLE PN_OPTION_TABLE

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
