/* What each node of a report cost itself in each run: of independent values a
 * change of a function can be told from noise. */
#ifndef PN_ANALYSIS_BY_RUN_H
#define PN_ANALYSIS_BY_RUN_H

#include "analysis/report.h"

/*
 * Weights by node of report->nodes and run, [node * runs + run], whose sum over
 * the runs is a node's weight before any division; the caller frees. NULL when
 * the profile is of one run, does not tell its runs apart (model/runs.h), or
 * the report is a mean or by line of a call graph.
 * Time O(samples), memory O(nodes * runs).
 */
int64_t *pn_by_run_weights(const struct pn_report *report);

#endif
