/* The samples one by one. */
#include "analysis/traces.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static void add_location(struct pn_trace *out, const struct pn_nodes *nodes,
			 uint32_t location)
{
	uint32_t i, first = nodes->first[location];
	uint32_t end = nodes->first[location + 1];

	out->frames =
		pn_grow(out->frames, &out->frame_cap,
			out->frame_count + (end - first), sizeof(*out->frames));
	for (i = first; i < end; i++) {
		out->frames[out->frame_count].node = nodes->of[i];
		out->frames[out->frame_count++].inlined = i + 1 < end;
	}
}

/* Most locations have one node. */
static void add_frames(struct pn_trace *out, const struct pn_nodes *nodes,
		       const uint32_t *locations, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		uint32_t node = nodes->single[locations[i]];

		if (node == PN_NODES_SEVERAL) {
			add_location(out, nodes, locations[i]);
			continue;
		}
		if (out->frame_count == out->frame_cap)
			out->frames = pn_grow(out->frames, &out->frame_cap,
					      out->frame_count + count - i,
					      sizeof(*out->frames));
		out->frames[out->frame_count++] =
			(struct pn_trace_frame){.node = node};
	}
}

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
	out->frame_count = 0;
	add_frames(out, &report->nodes, p->frames + p->stack_start[stack],
		   p->stack_start[stack + 1] - p->stack_start[stack]);
}

void pn_trace_release(struct pn_trace *trace)
{
	if (!trace)
		return;
	free(trace->frames);
	memset(trace, 0, sizeof(*trace));
}
