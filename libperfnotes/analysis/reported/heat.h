/*
 * Functions by commits: what each costs by itself in a row of profiles, for a
 * heat map. Pure.
 */
#ifndef PN_REPORTED_HEAT_H
#define PN_REPORTED_HEAT_H

#include "analysis/report.h"
#include "base/strtab.h"

#include <stddef.h>
#include <stdint.h>

#define PN_HEAT_COLUMNS 60
#define PN_HEAT_ROWS 40
#define PN_HEAT_FUNCTIONS 20000 /* of a profile: the dearest ones */
/* A function's cost has to move by so much of the whole to have a colour. */
#define PN_HEAT_LEAST 0.002

struct pn_heat_row {
	const char *name;
	size_t len;
	double self[PN_HEAT_COLUMNS]; /* 0: it is not there */
	double moved;		      /* the sum of its changes */
};

/* Zeroed before. */
struct pn_heat {
	size_t columns;
	double total[PN_HEAT_COLUMNS];
	/* What has a colour anywhere, what moved most first. */
	struct pn_heat_row *rows;
	size_t row_count, function_count;
	const char *unit, *type; /* borrowed from the first report */
	struct pn_strtab names;
	struct pn_heat_cell *cells;
	size_t cell_count, cell_cap;
};

/* Add the next column, PN_HEAT_COLUMNS at most. Names are copied. */
void pn_heat_add(struct pn_heat *heat, const struct pn_report *report);
/* Once all columns are there: make the rows. */
void pn_heat_finish(struct pn_heat *heat);
void pn_heat_release(struct pn_heat *heat);

/* How much more a function costs than in the column before: -1 (gone) to 1
 * (new), by the larger of both; 0 where that is little of the whole. */
double pn_heat_change(const struct pn_heat *heat, const struct pn_heat_row *row,
		      size_t column);

#endif
