/*
 * An option table: it parses, prints -h, and feeds completion, so that the
 * three cannot disagree. The manners are those of git's own option parser
 * (gitcli(7)).
 */
#ifndef PN_OPTS_OPTS_H
#define PN_OPTS_OPTS_H

#include "base/buf.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum pn_opt_kind {
	PN_OPT_END,
	PN_OPT_FLAG,   /* set; --no-<name> clears */
	PN_OPT_TEXT,   /* a value as it was given */
	PN_OPT_LIST,   /* may be repeated */
	PN_OPT_INT,    /* a whole number, not below `min` */
	PN_OPT_DOUBLE, /* any number */
	PN_OPT_TABLE   /* no option: those of another table */
};

/* Values of a repeatable option; borrowed from the words. */
struct pn_opt_list {
	const char **values;
	size_t count;
};

/*
 * One row of a table. Targets are offsets into the caller's own struct of
 * options, so that the table can be const. A table ends with {0}.
 */
struct pn_opt {
	enum pn_opt_kind kind;
	size_t offset;
	char letter;	  /* 0: none */
	const char *name; /* without dashes */
	const char *arg;  /* "<file>"; NULL for a flag */
	const char *help; /* one line, lower case; "{names}" stands for names */
	/* "text json": for completion; or what appends them from their own
	 * table, with `between` between two. NULL, both: free. */
	const char *choices;
	void (*names)(struct pn_buf *out, const char *between);
	int64_t min; /* PN_OPT_INT */
	/* What a value has to pass, PN_OPT_TEXT and PN_OPT_LIST; NULL: any. */
	int (*check)(const char *value, struct pn_error *err);
	/* What it gets where no value is given: one that is stands behind "="
	 * then. NULL: a value has to be given. */
	const char *absent;
	const struct pn_opt *table; /* PN_OPT_TABLE: has none itself */
};

/* A check: "the name is empty". */
int pn_opts_check_name(const char *value, struct pn_error *err);

/* How words are read. */
struct pn_opts_syntax {
	const struct pn_opt *opts; /* NULL: none */
	bool keep_dashes;	   /* "--" stays among the words */
	bool pass_unknown;	   /* so do options that are not in the table */
	bool stop_at_first; /* the first word that is no option ends them */
};

#define PN_OPTS_HELP 1 /* -h was given */

/*
 * Parse argv[0..argc): options anywhere before `--`, the rest, *left words,
 * moves to the front. Returns 0, PN_OPTS_HELP, or PN_EINVAL with what is wrong.
 * Long options may be shortened while that is unambiguous; "--name=value" and
 * "--name value", "-n5" and "-n 5" all work.
 */
int pn_opts_parse(int *left, const struct pn_opts_syntax *syntax, void *values,
		  int argc, char **argv, struct pn_error *err);
/* The long option that is nearest to a wrong one, its name without "--"; NULL
 * when none is near. */
const char *pn_opts_similar(const struct pn_opt *opts, const char *text,
			    size_t len);
/* Whether somebody else has refused an option among these words: `err` names it
 * then, and gets the one that may be meant. */
bool pn_opts_refused(struct pn_error *err, const struct pn_opt *opts, int argc,
		     char *const *argv);
/* Frees the lists. */
/* Whether an option has another value in `a` than in `b`. */
bool pn_opts_differ(const struct pn_opt *opts, const void *a, const void *b);
/* The name of the first one, without "--"; NULL: none. */
const char *pn_opts_differing(const struct pn_opt *opts, const void *a,
			      const void *b);
void pn_opts_release(const struct pn_opt *opts, void *values);

/* Append the names of an option's choices; nothing when it has none. */
void pn_opts_choices(struct pn_buf *out, const struct pn_opt *opt,
		     const char *between);
/* The text of -h; each line of the synopsis is one way to call `program`. */
void pn_opts_help(FILE *to, const struct pn_opt *opts, const char *program,
		  const char *synopsis);
/*
 * What completion asks for, a line for each option:
 * --name or --name= TAB argument TAB choices TAB help; then the same for -x.
 */
void pn_opts_list(FILE *to, const struct pn_opt *opts);

#endif
