/* The rows of an option table: of a command, or of a struct that several
 * commands fill. */
#ifndef PN_OPTS_TABLE_H
#define PN_OPTS_TABLE_H

#include "base/opts/opts.h"

/* A row begins with one of these, which name a member of PN_OPTION_STRUCT: a
 * struct that the file defines it to be. That the member has the type of such
 * an option is checked when the row is compiled. */
/* NOLINTBEGIN(bugprone-macro-parentheses): types and names of members */
#define PN_OPTION_OF(kind, type, member)                                       \
	kind, _Generic(((PN_OPTION_STRUCT *)0)->member, type                   \
		       : offsetof(PN_OPTION_STRUCT, member))
#define PN_OPTION_FLAG(member) PN_OPTION_OF(PN_OPT_FLAG, bool, member)
#define PN_OPTION_TEXT(member) PN_OPTION_OF(PN_OPT_TEXT, const char *, member)
#define PN_OPTION_LIST(member)                                                 \
	PN_OPTION_OF(PN_OPT_LIST, struct pn_opt_list, member)
#define PN_OPTION_INT(member) PN_OPTION_OF(PN_OPT_INT, int64_t, member)
#define PN_OPTION_DOUBLE(member) PN_OPTION_OF(PN_OPT_DOUBLE, double, member)
/* All rows of another table, whose struct is a member of this one. */
#define PN_OPTION_TABLE(type, member, rows)                                    \
	PN_OPTION_OF(PN_OPT_TABLE, type, member), .table = rows
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
