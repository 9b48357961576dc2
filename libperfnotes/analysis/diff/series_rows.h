/*
 * What two commits show of each series, side by side, or what one shows. Pure.
 */
#ifndef PN_DIFF_SERIES_ROWS_H
#define PN_DIFF_SERIES_ROWS_H

#include "analysis/history/log_row.h"
#include "detect/verdict.h"
#include "model/summary.h"

#include <stdbool.h>
#include <stddef.h>

/* One metric of one series. */
struct pn_series_row {
	struct pn_series series;
	struct pn_series_parts parts; /* of its name among those shown */
	bool first;		      /* the headline: of the series' metrics */
	/* One of them may be NULL; `after` alone is of one commit. */
	const struct pn_figure *before, *after;
	double old; /* before->median, in the unit of `after` */
	/* Of new by old; NaN where there are too few values. */
	struct pn_interval ratio;
	/* Of the runs of both (detect/pair.h), whatever sessions of one program
	 * differ by, or of counts as they are. Unknown: too few values, or
	 * nobody knows what is better. */
	enum pn_verdict verdict;
	size_t order; /* of equal names */
};

struct pn_series_rows {
	struct pn_series_row *rows; /* by the names of the series */
	size_t count;
	size_t series_count;
};

/*
 * Pair the figures of two commits; `before` may be NULL. Figures of dirty trees
 * are left out where there are two. `name` (NULL: all) chooses series as
 * pn_series_fits does. A series of the new commit is paired with its own;
 * else with one that is alike; else, where both commits have only one of the
 * job, with that (pn_series_same_job).
 * Borrows the figures. Time O(n log n), but for what has no pair.
 */
void pn_series_rows_init(struct pn_series_rows *out,
			 const struct pn_log_row *before,
			 const struct pn_log_row *after, const char *name);
void pn_series_rows_release(struct pn_series_rows *rows);
/* 1: the row is for the better, -1: for the worse; 0: no difference is seen, or
 * nobody knows. By the interval where there is one, else as
 * pn_log_figure_change. */
int pn_series_row_change(const struct pn_series_row *row);
/* By which share of its old median the worst of those is whose verdict says for
 * sure that they are worse: of each series' first metric, or of all. 0: none
 * is. */
double pn_series_rows_worse(const struct pn_series_rows *rows, bool all);

#endif
