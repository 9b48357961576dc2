/* The samples one by one, as rows: labels, value and frames. */
#ifndef PN_ANALYSIS_TRACES_H
#define PN_ANALYSIS_TRACES_H

#include "analysis/report.h"

struct pn_trace_frame {
	uint32_t node; /* of report->nodes */
	bool inlined;  /* into the frame after it */
};

struct pn_trace {
	int64_t weight; /* divided when the report is a mean */
	const struct pn_label *labels;
	size_t label_count;
	struct pn_trace_frame *frames; /* leaf first */
	size_t frame_count, frame_cap;
};

/* Fill `out`, whose memory is reused, with one sample of the report's
 * profile. A zeroed struct is an empty trace. */
void pn_trace_fill(struct pn_trace *out, const struct pn_report *report,
		   size_t sample);
void pn_trace_release(struct pn_trace *trace);

#endif
