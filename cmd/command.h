/* The contract of a subcommand. */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include "base/error.h"
#include "base/replace.h"
#include "opts.h"
#include "render/palette.h"
#include "render/renderer.h"
#include "vcs/config/color.h"

#include <stdbool.h>
#include <stdio.h>

struct pn_buf;
struct pn_repo;

/* Exit codes; they fit `git bisect run`. */
enum exit_code {
	EXIT_DONE = 0,
	EXIT_NO = 1,	       /* the answer is no */
	EXIT_NO_VERDICT = 125, /* nothing to compare, too few samples */
	EXIT_FATAL = 128,
	EXIT_USAGE = 129,
	EXIT_INTERRUPTED = 130
};

/* What the options before the command said. */
struct global {
	bool no_pager;
	const char *color; /* auto, always, never; NULL: git's setting */
};

/*
 * One subcommand: one file, one const struct, one row in main.c. `run` gets
 * the arguments after the command's name; `synopsis` is one or more lines
 * without "git perf", compared with the man page by a test.
 */
struct command {
	const char *name;
	const char *summary;	   /* a few words, lower case, for help */
	const char *synopsis;	   /* "add [<options>] <profile>..." */
	const struct pn_opt *opts; /* ends with a zeroed one; NULL: none */
	bool keep_dashes;	   /* "--" stays in argv: it separates paths */
	bool pass_unknown;	   /* options of git's own stay in argv */
	bool colored;		   /* its text may have colours */
	unsigned forms; /* of what -o writes; 0: PN_VIEW_FORMS_TEXT */
	int (*run)(const struct global *global, int argc, char **argv);
};

extern const struct command *const commands[]; /* NULL-terminated */
const struct command *find_command(const char *name);
/* Say that there is none of this name, and what may be meant. Returns
 * EXIT_USAGE. */
int unknown_command(const char *name);
int unknown_global(const char *text); /* the same of an option before it */

/* In the order of the table. */
extern const struct command cmd_init;
extern const struct command cmd_collect;
extern const struct command cmd_run;
extern const struct command cmd_recover;
extern const struct command cmd_trust;
extern const struct command cmd_hooks;
extern const struct command cmd_worker;
extern const struct command cmd_add;
extern const struct command cmd_rm;
extern const struct command cmd_status;
extern const struct command cmd_log;
extern const struct command cmd_show;
extern const struct command cmd_annotate;
extern const struct command cmd_diff;
extern const struct command cmd_merge;
extern const struct command cmd_model;
extern const struct command cmd_check;
extern const struct command cmd_accept;
extern const struct command cmd_blame;
extern const struct command cmd_impact;
extern const struct command cmd_detect;
extern const struct command cmd_bisect;
extern const struct command cmd_report;
extern const struct command cmd_export;
extern const struct command cmd_formats;
extern const struct command cmd_import;
extern const struct command cmd_export_perun;
extern const struct command cmd_push;
extern const struct command cmd_fetch;
extern const struct command cmd_pull;
extern const struct command cmd_bundle;
extern const struct command cmd_prune;
extern const struct command cmd_gc;
extern const struct command cmd_size;
extern const struct command cmd_fsck;
extern const struct command cmd_help;

/* "fatal: <message>" on standard error, escaped for a terminal; returns the
 * exit code of the error (EXIT_FATAL). */
int fail(const struct pn_error *err);
/* "error: ..." and a hint at -h; returns EXIT_USAGE. */
int usage(const struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* One line of chatter on standard error; escaped. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Lines that the library has put into words, escaped as before, and released.
 */
void say_lines(struct pn_buf *lines);
void warn_lines(struct pn_buf *lines);
/* Lines that somebody else wrote, each indented. */
void quote(const char *lines);
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Open the manual page of a command (NULL: of git perf itself); without a man
 * program the -h text has to do. Returns an exit code. */
int open_manual(const struct command *command);
/* For completion: what the command may be told, and what an option of it may
 * be where its table has no choices, or fewer by the words before. */
int list_names(const struct command *command, const char *typed);
int list_values(const struct command *command, const char *option, int count,
		char **words);
/* The list of commands and of the options before them. */
void print_commands(FILE *to);

/* Open the repository of the current folder, or of `dir`; waiting for its
 * locks is told on standard error. */
int open_repo(struct pn_repo **out, struct pn_error *err);
int open_repo_at(struct pn_repo **out, const char *dir, struct pn_error *err);

/* Flush standard output and look whether everything was written; returns
 * `code`, or EXIT_FATAL with a message printed. */
int finish_stdout(int code);

/*
 * Where results go: -o <file>, or standard output through git's pager when it
 * is a terminal and `page` is set. close_output flushes, checks and waits for
 * the pager; it returns EXIT_DONE or, with a message printed, EXIT_FATAL. A
 * file of -o appears only when everything was written.
 */
struct output {
	FILE *file;
	const char *path;
	struct pn_replace replace; /* of -o */
	int pager;		   /* pid */
	struct pn_palette palette; /* plain where there is to be no colour */
	struct pn_color colors[PN_COLORS]; /* what it points to */
};
/* Before all others: whether colours are of use, and what is written. */
void expect_output(const struct command *command);
/* Where no terminal is, color.ui=always of the repository (NULL: there is
 * none) asks for them. */
void read_colors(struct pn_repo *repo);
int open_output(struct output *out, const struct global *global,
		const char *path, bool page, struct pn_error *err);
int close_output(struct output *out, int code);
/* Bytes to -o's file or to standard output, unless `code` is an error's; that,
 * or one of writing, is printed. Returns an exit code. */
int write_output(const struct global *global, const char *path,
		 const struct pn_buf *bytes, int code, struct pn_error *err);
/* Take back: nothing appears under -o's name. */
void discard_output(struct output *out);

#endif
