/*
 * Costs by line or by address of a call graph, as rows of their own.
 *
 * callgrind, cachegrind and the call tracer say what each line of a function
 * cost. A view by lines or addresses is about those: each becomes a node of
 * the graph, the function's own node goes, but for what its lines leave out.
 *
 * A line's total is its own cost and that of the calls made there, never more
 * than its function's. The format knows calls by line: by addresses a line
 * that calls is one more row, without an address. Calls lead to the first line
 * of what is called, which is where a function begins.
 */
#ifndef PN_ANALYSIS_COST_LINES_H
#define PN_ANALYSIS_COST_LINES_H

#include "model/profile.h"

/* Does nothing to a graph without such costs. Totals of functions have to be
 * bounded, see model/graph/cycles.h. Time and memory O(size). */
void pn_cost_lines_split(struct pn_profile *p, bool by_address);

#endif
