/*
 * The course of each series over the commits of a walk. A log may run over a
 * million commits: at most PN_TREND_MAX_SERIES series are followed, the first
 * ones met, each over at most PN_TREND_MAX_VALUES commits, the newest. Pure.
 */
#ifndef PN_HISTORY_TREND_H
#define PN_HISTORY_TREND_H

#include "analysis/history/job_tell.h"

#define PN_TREND_MAX_SERIES 16
#define PN_TREND_MAX_VALUES 65536

struct pn_trends;

/* A series that moved. Borrowed from the trends. */
struct pn_trend {
	struct pn_figure key;	 /* texts only */
	struct pn_job_tell tell; /* so that no other row looks like it */
	const double *values;	 /* medians, oldest first */
	size_t count;
	double low, high;
};

struct pn_trends *pn_trends_new(void);
void pn_trends_free(struct pn_trends *trends);
/* The figures of the next commit, towards the past. Those of a dirty tree are
 * no part of a course. */
void pn_trends_add(struct pn_trends *trends, const struct pn_figure *figures,
		   size_t count);
/* When all are added: those whose values are not all equal, in the order in
 * which they were met first. Returns how many. */
size_t pn_trends_rows(struct pn_trend out[PN_TREND_MAX_SERIES],
		      struct pn_trends *trends);

#endif
