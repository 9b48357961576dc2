/*
 * What a commit's index lines say together: the records of one job on one
 * machine pool their samples, one figure a metric. What was measured in a dirty
 * tree is of no commit and no other edit of it: such a record stands alone.
 * Pure.
 */
#ifndef PN_HISTORY_FIGURES_H
#define PN_HISTORY_FIGURES_H

#include "base/arena.h"
#include "model/series.h"

#include <stdbool.h>
#include <stddef.h>

/* One metric of one series at one commit. Texts are borrowed from the entries.
 * Units of one family (ns and us) are one, in the unit of the newest record. */
struct pn_figure {
	const char *metric, *unit;
	struct pn_series series;
	const char *dirty; /* id of the one record, of a dirty tree; or NULL */
	enum pn_better better;
	size_t records;	 /* index lines that were pooled */
	bool noisy;	 /* the machine was not quiet when they were measured */
	size_t left_out; /* noisy records, as there are quiet ones */
	uint64_t n;	 /* samples behind it */
	double median;	 /* the mean where that alone is known; finite */
	double min, max;
	double sd;     /* of the pooled samples; NaN: unknown, or n is 1 */
	double spread; /* what stands behind its ±: pn_summary_spread */
	/* Those samples; of records whose lines have summaries, others that
	 * stand for them (pn_summary_stand_ins). NULL: not at hand. */
	const double *values;
	size_t value_count;
	/* Not the first metric of its series, be that left out or not: set by
	 * who leaves some out. */
	bool secondary;
};

/*
 * Pool the entries of one commit, but for those of dirty trees, and for those
 * that were measured on a noisy machine (model/machine/quiet.h) where a series
 * has others: they say how busy it was, and no more. Values are united; of a
 * record whose line has a summary, as that of many runs has, size, mean,
 * extremes and deviation are exact in what is pooled, and the quartiles are
 * those of values that stand for its own. Where a summary says less (a mean
 * alone) the newest record that has the metric stands alone. A metric of which
 * neither is known gives no figure. A record that was made of another one of
 * the commit, as postprocessors do (field `of`), adds no samples to a series
 * that this other one is in. *out is in `arena`, in the order in which metrics
 * first occur, oldest record first. Time O(n log n) in all metrics.
 */
void pn_figures_of(const struct pn_figure **out, size_t *count,
		   struct pn_arena *arena, const struct pn_entry *entries,
		   size_t entry_count);

/* Order of series, then clean before each dirty record; 0: two figures are of
 * one series. */
int pn_figure_job_cmp(const struct pn_figure *a, const struct pn_figure *b);
/* Order of metrics, then of series; 0: two figures are of one metric of one
 * series. */
int pn_figure_cmp(const struct pn_figure *a, const struct pn_figure *b);

#endif
