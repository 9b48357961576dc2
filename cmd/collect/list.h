/* What `git perf collect` prints where it measures nothing, and what it shares
 * with `git perf model`. */
#ifndef CMD_LIST_H
#define CMD_LIST_H

#include "command.h"

#define CALIBRATE_ROUNDS "10000"

struct pn_with_options;

/* Where a list goes, and how. */
struct list_call {
	const struct global *global;
	const char *path; /* NULL: standard output */
	bool json;
};

/* Rows, which are freed, as what `command` names `member`; `apart` as of
 * pn_options_text. The exit code. */
int print_options(const struct list_call *call, struct pn_with_options *rows,
		  size_t count, const char *command, const char *member,
		  bool apart);
/* The table of collectors, or the row `wanted` of it, for people and for
 * completion: a collector begins its line, its options follow with blanks
 * before them. The exit code. */
int list_collectors(const struct list_call *call, const char *wanted);
/* Find what a traced call costs, by clock, with so many calls in a batch. The
 * exit code. */
int calibrate(const struct list_call *call, int64_t rounds);

#endif
