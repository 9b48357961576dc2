/*
 * What the functions cost that a change touches: rows of each series. And which
 * they are, by the lines that functions have costs at. Pure.
 */
#ifndef PN_FUNCTIONS_IMPACT_H
#define PN_FUNCTIONS_IMPACT_H

#include "analysis/report.h"
#include "base/oid.h"
#include "model/series.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Texts are borrowed. */
struct pn_impact_row {
	const char *function, *file; /* file: from the top of the repository */
	int64_t first_line, last_line; /* that are touched, of the profile */
	double self, total, calls;     /* calls: NaN: not known */
	bool guess; /* by git's idea of functions, or lines that moved */
};

/* Of a hunk that no function could be told of. */
struct pn_impact_lines {
	const char *file;
	uint32_t first_line, last_line; /* before the change */
	bool by_name;			/* the profile has no files */
};

struct pn_impact_series {
	struct pn_series series;
	struct pn_series_parts parts;
	struct pn_oid commit; /* of the profile */
	const char *type, *unit;
	double total;		    /* of all functions */
	struct pn_impact_row *rows; /* by own costs, the largest first */
	size_t count, cap;
	size_t hidden;		 /* rows that are left out: they cost little */
	double self, most_total; /* of all rows: their sum, the greatest */
	struct pn_impact_lines *untold;
	size_t untold_count, untold_cap;
	/* Files of the commit that it sees, and whether these are all that its
	 * program has functions of: no function is without a file. */
	const char **files;
	size_t file_count;
	bool knows_files;
	struct pn_arena arena;
};

struct pn_impact {
	const char *range;	  /* as it was asked for; "" is the work tree */
	const char *const *files; /* that are touched, ... */
	size_t file_count;
	const unsigned char *known;  /* ... and whether a profile has it */
	const char *const *binaries; /* that differ: not looked into */
	size_t binary_count;
	struct pn_impact_series *series; /* by name */
	size_t series_count;
};

/* A line of a file where a function has costs. */
struct pn_costed_line {
	int64_t line;
	uint32_t name; /* string of the profile */
	bool is_start; /* the function begins here */
};

struct pn_costed_lines {
	struct pn_costed_line *items; /* by line */
	size_t count, cap;
};

/* Of the files (ids of nodes.files of a report by lines) that are meant. */
void pn_costed_lines_of(struct pn_costed_lines *out,
			const struct pn_report *by_lines,
			const unsigned char *is_meant);
void pn_costed_lines_release(struct pn_costed_lines *lines);

/* Which functions a line is in: next(*at) from 0 on, PN_NONE at the end. Those
 * with costs there, else the one with costs before and behind it. With
 * `between` what stands between the line and the next. */
uint32_t pn_impact_next(size_t *at, const struct pn_costed_lines *lines,
			int64_t line, bool between);

/* Of profiles that know of functions only where they begin: the one that
 * begins last before the line, a guess; else PN_NONE. */
uint32_t pn_impact_begun(const struct pn_costed_lines *lines, int64_t line);

/* Whether the line that begins a function, as git has it, is of that name: what
 * stands in front of its parameters is all of the name but the type that it
 * returns, template arguments and parameters. */
bool pn_impact_names(const char *context, const char *name);

#endif
