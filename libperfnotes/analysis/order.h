/* The order of a report's rows and edges. Internal to the report. */
#ifndef PN_ANALYSIS_ORDER_H
#define PN_ANALYSIS_ORDER_H

#include "analysis/report.h"
#include "analysis/tally.h"

/* By weight, heaviest first, then by name. */
void pn_order_nodes(struct pn_report *report);

/* Fill the report's edges with those of at least `least`, per row heaviest
 * first, and say which rows are inlined. */
void pn_order_edges(struct pn_report *report,
		    const struct pn_tally_edges *edges, int64_t least);

#endif
