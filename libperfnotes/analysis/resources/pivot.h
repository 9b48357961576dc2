/*
 * The numbers that bars and flows draw: what an aggregate makes of one key of
 * the resources, a row for each value of a second key, a column for each value
 * of a third.
 */
#ifndef PN_RESOURCES_PIVOT_H
#define PN_RESOURCES_PIVOT_H

#include "analysis/resources/frame.h"
#include "analysis/resources/request.h"
#include "analysis/table.h"

#define PN_PIVOT_COLUMNS 8  /* that can be told apart; the rest is united */
#define PN_PIVOT_ROWS 40    /* of names: more are no picture any more */
#define PN_PIVOT_MAX 100000 /* rows or columns, whoever asks for all */
#define PN_PIVOT_REST "others"

struct pn_pivot_axis {
	const char **names; /* of rows or columns, not escaped */
	size_t count;
	size_t more; /* that are not there, or united as PN_PIVOT_REST */
};

struct pn_pivot {
	struct pn_pivot_axis rows, columns; /* without a third key one column */
	double *at;    /* of rows: where they are; NULL: they are names */
	double *cells; /* row * columns.count + column; NaN: nothing there */
	/* Of cells whose whole numbers are beyond what a double tells apart:
	 * their sum, least or largest; else 0. NULL: of none. */
	int64_t *whole;
	const char *of, *per, *by; /* keys; by NULL: there is none */
	const char *unit;	   /* of the cells */
	enum pn_aggregate aggregate;
	bool accumulated;
	uint32_t runs;	   /* of the profile; cells are of one */
	size_t left_out;   /* resources that lack one of the keys */
	size_t other_unit; /* measured values in another unit than the first */
	struct pn_arena arena;
};

/*
 * Bars (`flow` false): a row for each text of `per`, which is "snapshot" where
 * nobody says, else "function", else "metric"; in the order of their numbers
 * where all are numbers, else the longest bar first, and of those the first
 * PN_PIVOT_ROWS. Flow: `per` ("snapshot") has to be numbers, rows are in their
 * order; sums and counts add up along it when `accumulate` says so, where a
 * column has no value its last one stays; `by` is "uid" where nobody says. Of
 * a flow without `of`, `per` and `by`, where no resource has a snapshot, the
 * profile's curves are drawn, a column each, or what the first is made of.
 *
 * Of several runs each cell is of one: values of pooled runs are divided by
 * their number, of runs that are told apart sums and counts are, unless a run
 * is what `per`, `by` or a filter asks for.
 *
 * Of more than PN_PIVOT_COLUMNS columns the others are one. `most` is the
 * number of rows (bars of names) and columns instead; 0: these, -1: all.
 *
 * PN_ENOTFOUND: a key is not there; PN_EINVAL: one has to be a number and is
 * none; PN_ERANGE: no resource has them; PN_ELIMIT: above PN_PIVOT_MAX. Time
 * O(n log n). To be released in any case.
 */
int pn_pivot_init(struct pn_pivot *out, const struct pn_profile *profile,
		  const struct pn_resources_request *request, bool flow,
		  int64_t most, struct pn_error *err);
void pn_pivot_release(struct pn_pivot *pivot);

/* The sum of a row's values, upwards and downwards. */
void pn_pivot_row_sums(double *up, double *down, const struct pn_pivot *pivot,
		       size_t row);
/* From where to where values are drawn, 0 among them; `stacked`: the values
 * of a row are. Where all are 0 it is 0 to 1. */
void pn_pivot_range(double *low, double *high, const struct pn_pivot *pivot,
		    bool stacked);
/* Its cells one by one: the row, the column, the value; columns are called by
 * the keys when `named`, else "per", "by" and "value". */
void pn_table_of_pivot(struct pn_table *out, const struct pn_pivot *pivot,
		       bool named);

#endif
