/* The samples one by one. */
#include "analysis/traces.h"

void pn_trace_fill(struct pn_trace *out, const struct pn_report *report,
		   size_t sample)
{
	const struct pn_profile *p = report->profile;
	const union pn_value *row = p->values + sample * p->type_count;
	uint32_t stack = p->samples[sample].stack;
	uint32_t set = p->samples[sample].labels;

	out->weight = pn_weight_div(pn_weight_value(&report->weight, p, row),
				    pn_weight_divisor(&report->weight, p, row));
	out->labels = NULL;
	out->label_count = 0;
	if (set < p->label_set_count &&
	    p->label_set_start[set] < p->label_set_start[set + 1]) {
		out->labels = p->labels + p->label_set_start[set];
		out->label_count =
			p->label_set_start[set + 1] - p->label_set_start[set];
	}
	out->locations = p->frames + p->stack_start[stack];
	out->location_count = p->stack_start[stack + 1] - p->stack_start[stack];
}
