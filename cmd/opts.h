/* The rows of a command's option table, and reading what it was given. */
#ifndef CMD_OPTS_H
#define CMD_OPTS_H

#include "base/opts/opts.h"

struct command;

/* A row begins with one of these, which name a member of OPT_STRUCT; that the
 * member has the type of such an option is checked when the row is compiled. */
#ifndef OPT_STRUCT
#define OPT_STRUCT struct options
#endif
/* NOLINTBEGIN(bugprone-macro-parentheses): types and names of members */
#define OPT_OF(kind, type, member)                                             \
	kind, _Generic(((OPT_STRUCT *)0)->member, type                         \
		       : offsetof(OPT_STRUCT, member))
#define OPT_FLAG(member) OPT_OF(PN_OPT_FLAG, bool, member)
#define OPT_TEXT(member) OPT_OF(PN_OPT_TEXT, const char *, member)
#define OPT_LIST(member) OPT_OF(PN_OPT_LIST, struct pn_opt_list, member)
#define OPT_INT(member) OPT_OF(PN_OPT_INT, int64_t, member)
#define OPT_DOUBLE(member) OPT_OF(PN_OPT_DOUBLE, double, member)
/* All rows of another table, whose struct is a member of this one. */
#define OPT_TABLE(type, member, rows)                                          \
	OPT_OF(PN_OPT_TABLE, type, member), .table = rows
/* NOLINTEND(bugprone-macro-parentheses) */

/*
 * As pn_opts_parse. Returns how many arguments are left, or -1 after a usage
 * error was printed (exit 129), or -2 after -h was printed (exit 0; 129 as git
 * does is not used).
 */
int opts_parse(const struct command *command, void *values, int argc,
	       char **argv, bool stop_at_first);
void opts_help(FILE *to, const struct command *command);

#endif
