/*
 * Functions by commits, as a heat map shows them: of a history of functions
 * the newest commits, and the functions whose own cost moved. Pure.
 */
#ifndef PN_REPORTED_HEAT_H
#define PN_REPORTED_HEAT_H

#include "analysis/functions/history.h"

#include <stddef.h>

#define PN_HEAT_COLUMNS 60
#define PN_HEAT_ROWS 40
/* A function's cost has to move by so much of the whole to have a colour. */
#define PN_HEAT_LEAST 0.002

struct pn_heat_row {
	const struct pn_function_row *function; /* borrowed */
	double self[PN_HEAT_COLUMNS];		/* 0: it is not there */
	double moved;				/* the sum of its changes */
};

/* Zeroed before. */
struct pn_heat {
	size_t columns;			 /* oldest first */
	size_t commits[PN_HEAT_COLUMNS]; /* their numbers */
	double total[PN_HEAT_COLUMNS];
	/* What has a colour anywhere, what moved most first. */
	struct pn_heat_row *rows;
	size_t row_count, function_count;
	const char *unit;
};

/* Borrows the history. */
void pn_heat_of(struct pn_heat *out, const struct pn_function_history *history);
void pn_heat_release(struct pn_heat *heat);

/* How much more a function costs than in the column before: -1 (gone) to 1
 * (new), by the larger of both; 0 where that is little of the whole. */
double pn_heat_change(const struct pn_heat *heat, const struct pn_heat_row *row,
		      size_t column);

#endif
