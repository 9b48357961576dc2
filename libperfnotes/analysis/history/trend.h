/*
 * The course of each series over the commits of a walk. A log may run over a
 * million commits: at most PN_TREND_MAX_SERIES series are followed, the first
 * ones met, each over at most PN_TREND_MAX_COMMITS commits, the newest. Pure.
 */
#ifndef PN_HISTORY_TREND_H
#define PN_HISTORY_TREND_H

#include "analysis/history/figures.h"

#define PN_TREND_MAX_SERIES 16
#define PN_TREND_MAX_COMMITS 65536

struct pn_trends;

/* A series that moved. Borrowed from the trends. */
struct pn_trend {
	struct pn_figure key;	      /* texts only */
	struct pn_series_parts parts; /* so that no other row is called so */
	/* Medians, one a commit, oldest first: the same commit has the same
	 * place in each row. NaN where it was not measured. */
	const double *values;
	size_t count;
	double low, high;
};

struct pn_trends *pn_trends_new(void);
void pn_trends_free(struct pn_trends *trends);
/* The figures of the next commit, towards the past, be there any or none.
 * Those of a dirty tree are no part of a course. */
void pn_trends_add(struct pn_trends *trends, const struct pn_figure *figures,
		   size_t count);
/* When all are added: those whose values are not all equal, in the order in
 * which they were met first. Returns how many. */
size_t pn_trends_rows(struct pn_trend out[PN_TREND_MAX_SERIES],
		      struct pn_trends *trends);

#endif
