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

enum opt_kind {
	OPT_END,
	OPT_FLAG,  /* bool *: set; --no-<name> clears */
	OPT_TEXT,  /* const char ** */
	OPT_LIST,  /* struct opt_list *: may be repeated */
	OPT_INT,   /* int64_t *, not below `min` */
	OPT_DOUBLE /* double * */
};

/* Values of a repeatable option; borrowed from argv. */
struct opt_list {
	const char **values;
	size_t count;
};

/*
 * Targets are offsets into the command's own struct of options, so that the
 * table can be const: see opts_parse.
 */
struct opt {
	enum opt_kind kind;
	char letter;	  /* 0: none */
	const char *name; /* without dashes */
	const char *arg;  /* "<file>"; NULL for a flag */
	const char *help; /* one line, lower case */
	size_t offset;	  /* offsetof(struct <options>, member) */
	/* "text json": for completion; NULL: free; or one of those below */
	const char *choices;
	int64_t min; /* OPT_INT */
	/* What it gets where no value is given: one that is stands behind "="
	 * then. NULL: a value has to be given. */
	const char *absent;
};

/* Choices: the formats that can be read, or written. */
#define OPT_FORMATS_READ "@read"
#define OPT_FORMATS_WRITTEN "@write"

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
void opts_release(const struct opt *opts, void *values);
/* The -h text. */
void opts_help(FILE *to, const struct command *command);
/*
 * What completion asks for, a line for each option:
 * --name or --name= TAB argument TAB choices TAB help; then the same for -x.
 */
void opts_list(FILE *to, const struct command *command);

#endif
