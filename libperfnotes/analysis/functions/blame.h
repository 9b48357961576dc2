/*
 * Functions of a line of commits and which of these changed what they cost:
 * what a log of functions and a blame show. Pure.
 */
#ifndef PN_FUNCTIONS_BLAME_H
#define PN_FUNCTIONS_BLAME_H

#include "analysis/functions/changes.h"
#include "base/oid.h"

/* The commit of a number of the histories. */
struct pn_function_commit {
	struct pn_oid id;
	int64_t author_time_s;
	const char *author, *email, *subject;
	bool is_merge;
};

struct pn_blame_row {
	const struct pn_function_history *series;
	const struct pn_function_row *function;
	struct pn_function_changes changes;
};

/* Borrows commits and series. */
struct pn_blame {
	const struct pn_function_commit *commits; /* newest first */
	size_t commit_count;
	const struct pn_function_history *series;
	size_t series_count;
	const char *pattern;	   /* that names match; NULL: all */
	struct pn_blame_row *rows; /* as the series have them */
	size_t count;
};

/* Fills in the rows from what is above them; see pn_function_changes_of for
 * `min_effect`. */
void pn_blame_of(struct pn_blame *blame, double min_effect);
void pn_blame_release(struct pn_blame *blame);

/* The point of a value, its share of all functions' costs: of self or of what
 * is called with it. 0 where there are none. */
double pn_function_share(const struct pn_function_history *series,
			 const struct pn_function_row *row, size_t point,
			 bool total);
/* What the function was called at a point. */
const char *pn_function_name_at(const struct pn_function_row *row,
				size_t point);
/* 1: the change is for the worse, -1: for the better. */
int pn_function_change_direction(const struct pn_function_history *series,
				 const struct pn_function_change *change);

#endif
