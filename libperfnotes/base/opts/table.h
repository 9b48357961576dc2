/* The rows of an option table: of a command, or of a struct that several
 * commands fill. */
#ifndef PN_OPTS_TABLE_H
#define PN_OPTS_TABLE_H

#include "base/opts/opts.h"

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

#endif
