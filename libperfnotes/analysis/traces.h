/* The samples one by one, as rows: labels, value and frames. */
#ifndef PN_ANALYSIS_TRACES_H
#define PN_ANALYSIS_TRACES_H

#include "analysis/report.h"

struct pn_trace {
	int64_t weight; /* divided when the report is a mean */
	const struct pn_label *labels;
	size_t label_count;
	/* leaf first, each with its nodes in report->nodes; all but the last
	 * of a location are inlined into the one after it */
	const uint32_t *locations;
	size_t location_count;
};

/* One sample of the report's profile, borrowed. */
void pn_trace_fill(struct pn_trace *out, const struct pn_report *report,
		   size_t sample);

#endif
