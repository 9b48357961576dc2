/*
 * An option table: it parses, prints -h, and feeds completion, so that the
 * three cannot disagree.
 */
#ifndef CMD_OPTS_H
#define CMD_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct command;
struct pn_buf;

enum opt_kind {
	OPT_KIND_END,
	OPT_KIND_FLAG,	 /* set; --no-<name> clears */
	OPT_KIND_TEXT,	 /* a value as it was given */
	OPT_KIND_LIST,	 /* may be repeated */
	OPT_KIND_INT,	 /* a whole number, not below `min` */
	OPT_KIND_DOUBLE, /* any number */
	OPT_KIND_TABLE	 /* no option: those of another table */
};

/* Values of a repeatable option; borrowed from argv. */
struct opt_list {
	const char **values;
	size_t count;
};

/*
 * One row of a table. Targets are offsets into the command's own struct of
 * options, so that the table can be const. A row begins with one of the macros
 * below, which name a member of OPT_STRUCT; that the member has the type of
 * such an option is checked when the row is compiled. A table ends with {0}.
 */
struct opt {
	enum opt_kind kind;
	size_t offset;
	char letter;	  /* 0: none */
	const char *name; /* without dashes */
	const char *arg;  /* "<file>"; NULL for a flag */
	const char *help; /* one line, lower case; "{names}" stands for names */
	/* "text json": for completion; or what appends them from their own
	 * table, with `between` between two. NULL, both: free. */
	const char *choices;
	void (*names)(struct pn_buf *out, const char *between);
	int64_t min; /* OPT_INT */
	/* What it gets where no value is given: one that is stands behind "="
	 * then. NULL: a value has to be given. */
	const char *absent;
	const struct opt *table; /* OPT_TABLE: has no OPT_TABLE itself */
};

/* Whose members the rows of a file name. */
#ifndef OPT_STRUCT
#define OPT_STRUCT struct options
#endif
/* NOLINTBEGIN(bugprone-macro-parentheses): types and names of members */
#define OPT_OF(kind, type, member)                                             \
	kind, _Generic(((OPT_STRUCT *)0)->member, type                         \
		       : offsetof(OPT_STRUCT, member))
#define OPT_FLAG(member) OPT_OF(OPT_KIND_FLAG, bool, member)
#define OPT_TEXT(member) OPT_OF(OPT_KIND_TEXT, const char *, member)
#define OPT_LIST(member) OPT_OF(OPT_KIND_LIST, struct opt_list, member)
#define OPT_INT(member) OPT_OF(OPT_KIND_INT, int64_t, member)
#define OPT_DOUBLE(member) OPT_OF(OPT_KIND_DOUBLE, double, member)
/* All rows of another table, whose struct is a member of this one. */
#define OPT_TABLE(type, member, rows)                                          \
	OPT_OF(OPT_KIND_TABLE, type, member), .table = rows
/* NOLINTEND(bugprone-macro-parentheses) */

/*
 * Parse argv[0..argc): options anywhere before `--`, the rest moves to the
 * front of argv. Returns how many arguments are left, or -1 after a usage
 * error was printed (exit 129), or -2 after -h was printed (exit 0; 129 as git
 * does is not used). Long options may be shortened while that is unambiguous;
 * "--name=value" and "--name value", "-n5" and "-n 5" all work.
 * With `stop_at_first` the first argument that is no option ends options.
 * The `--` itself is dropped unless command->keep_dashes is set.
 */
int opts_parse(const struct command *command, void *values, int argc,
	       char **argv, bool stop_at_first);
/* The long option that is nearest to a wrong one, its name without "--"; NULL
 * when none is near. */
const char *opts_similar(const struct command *command, const char *text,
			 size_t len);
void opts_release(const struct opt *opts, void *values);
/* Append the names of an option's choices; nothing when it has none. */
void opts_choices(struct pn_buf *out, const struct opt *opt,
		  const char *between);
/* The -h text. */
void opts_help(FILE *to, const struct command *command);
/*
 * What completion asks for, a line for each option:
 * --name or --name= TAB argument TAB choices TAB help; then the same for -x.
 */
void opts_list(FILE *to, const struct command *command);

#endif
