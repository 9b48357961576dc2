/*
 * What Python's pstats reports: functions with counts of their calls, times in
 * seconds, callers and callees, in an order and restricted to some of them.
 * Pure data. The rules are those of its class Stats; where it loses the
 * calls of a second caller that becomes equal to another without its folder,
 * they are added here.
 */
#ifndef PN_PSTATS_REPORT_H
#define PN_PSTATS_REPORT_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_pstats_list {
	const char *const *values;
	size_t count;
};

struct pn_pstats_options {
	/* Keys or unique beginnings of keys, the first counts most; one alone
	 * may be -1 to 2; several may stand in one text, with commas between.
	 * None: the order of the profile. */
	struct pn_pstats_list sort;
	/* One after the other: a number of functions, a share of those that
	 * are left (0 <= share < 1), else a regular expression. */
	struct pn_pstats_list restrict_to;
	bool reverse; /* of a sorted list */
	bool strip_dirs;
};

/* The calls that one function makes of another. */
struct pn_pstats_call {
	uint32_t function; /* the caller, or the callee */
	bool timed;	   /* else `calls` is all that is known */
	int64_t calls, primitive;
	double self_s, total_s; /* of the callee */
};

struct pn_pstats_function {
	const char *file, *name;
	const char *text; /* "file:line(name)", "{name}"; not escaped */
	size_t file_len, name_len, text_len;
	int64_t line;
	bool listed; /* else it is known as a caller only */
	bool is_top; /* what was profiled, as its profiler says */
	int64_t calls, primitive;
	double self_s, total_s;
	/* By file, line and name. */
	struct pn_pstats_call *callers, *callees;
	size_t caller_count, callee_count;
};

struct pn_pstats {
	struct pn_pstats_function *functions; /* listed ones first */
	size_t count, listed_count;
	uint32_t *shown; /* of `functions` */
	size_t shown_count;
	int64_t calls, primitive; /* of all functions */
	double self_s;
	bool timed; /* the first function with callers knows their times */
	struct pn_buf order;   /* "internal time, call count"; "": unsorted */
	struct pn_buf reduced; /* a line for each restriction that did, with
				* LF, as Python words it */
	struct pn_arena arena;
};

/* Append the sort keys, with `between` between two. */
void pn_pstats_sort_names(struct pn_buf *out, const char *between);
/* Whether the sort keys exist: PN_EINVAL names the wrong one and lists all. */
int pn_pstats_check(const struct pn_pstats_options *options,
		    struct pn_error *err);

/*
 * Of a profile with samples or a call graph; `type` is its column, SIZE_MAX
 * the default value type, else the first one in a unit of time. PN_EINVAL for
 * a wrong sort key, or without times. Borrows nothing. Time O(n log n) of
 * functions and calls, and a match of each expression with each function.
 */
int pn_pstats_init(struct pn_pstats *out, const struct pn_profile *profile,
		   size_t type, const struct pn_pstats_options *options,
		   struct pn_error *err);
void pn_pstats_release(struct pn_pstats *stats);

#endif
