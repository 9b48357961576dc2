/*
 * The shape "table": rows of cells under columns with unit and alignment.
 * Pure data: an analysis fills it, render/print_table.h prints any. A column
 * with a title is shown as text, one with a key is part of JSON.
 */
#ifndef PN_ANALYSIS_TABLE_H
#define PN_ANALYSIS_TABLE_H

#include "base/arena.h"
#include "model/profile.h"

#define PN_TABLE_MAX_COLUMNS 96

struct pn_report;

enum pn_column_format {
	PN_COLUMN_PLAIN,
	PN_COLUMN_UNIT, /* a quantity of `unit`, printed in `to_unit` */
	PN_COLUMN_SHARE /* 0..1, printed in percent */
};

struct pn_column {
	const char *title; /* above the column; NULL: not in text */
	const char *key;   /* of the JSON member; NULL: not in JSON */
	enum pn_column_format format;
	const char *unit, *to_unit; /* PN_COLUMN_UNIT, see unit.h */
	unsigned int width; /* at least; 0: as wide as the widest cell */
	unsigned int gap;   /* blanks before it; the first column has none */
	bool left;	    /* alignment; the default is right */
	bool name;	    /* what is too long is cut in its middle */
	bool below; /* nothing is cut: where a row is too long, it stands in
		       lines of its own below the row */
};

enum pn_cell_kind {
	PN_CELL_NONE,
	PN_CELL_TEXT,
	PN_CELL_INT,
	PN_CELL_NUMBER,
	PN_CELL_BOOL,	/* "yes" or "-" as text */
	PN_CELL_NUMBERS /* a list, of JSON only */
};

/* What a cell says to somebody who does not read it. */
enum pn_tint { PN_TINT_NONE, PN_TINT_BETTER, PN_TINT_WORSE, PN_TINT_DIM };

struct pn_cell {
	enum pn_tint tint;
	enum pn_cell_kind kind; /* a cell without a value is absent */
	union {
		const char *text; /* not escaped; lives as long as the table */
		int64_t i;
		double d;
		bool yes;
		struct {
			const double *at; /* live as long as the table */
			size_t count;
		} numbers;
	} value;
};

struct pn_table {
	struct pn_column columns[PN_TABLE_MAX_COLUMNS];
	size_t column_count;
	struct pn_cell *cells; /* row-major */
	size_t row_count, row_cap;
	struct pn_arena arena;
};

void pn_table_release(struct pn_table *table);
void pn_table_add_column(struct pn_table *table,
			 const struct pn_column *column);
/* A title that is a profile's text: a copy that is safe for a terminal. */
const char *pn_table_title(struct pn_table *table, const char *text);
/* A new row of absent cells; valid until the next one. */
struct pn_cell *pn_table_add_row(struct pn_table *table);

struct pn_cell pn_cell_text(const char *text);
struct pn_cell pn_cell_tinted(struct pn_cell cell, enum pn_tint tint);
struct pn_cell pn_cell_int(int64_t value);
/* A whole number where it is one. */
struct pn_cell pn_cell_count(double value);
struct pn_cell pn_cell_number(double value);
struct pn_cell pn_cell_bool(bool value);

/*
 * pprof's `top`: flat, flat%, sum%, cum, cum%, name; for JSON name, file,
 * line, self, total, calls, inlined, self_by_run (by_run.h). Borrows from the
 * report.
 */
void pn_table_of_report(struct pn_table *out, const struct pn_report *report);

/* A profile's metrics, or what its costs add up to: name, n, median, min, max,
 * mean, sd, unit; for JSON also better, and in the metric's own unit; the text
 * is in one that suits the median, or the maximum when that is 0. What a
 * summary does not know is absent. Borrows from the profile. `only` (NULL: all)
 * is the name of the one that is wanted: PN_EINVAL tells which there are. */
int pn_table_of_metrics(struct pn_table *out, const struct pn_profile *profile,
			const char *only, struct pn_error *err);
/* What is wrong about a name that none of these has. Returns PN_EINVAL. */
int pn_table_unknown_metric(const struct pn_profile *profile,
			    const struct pn_metric *metrics, size_t count,
			    const char *only, struct pn_error *err);

#endif
