/*
 * What the call tracer left, as a call graph: see runtime/trace/trace_state.h
 * and runtime/record.h. A record is hostile.
 */
#ifndef PN_TRACE_RECORD_H
#define PN_TRACE_RECORD_H

#include "collect/names/address_map.h"
#include "collect/runtime_record.h"
#include "collect/trace/by_run.h"
#include "collect/trace/cost.h"
#include "collect/trace/size.h"
#include "collect/trace/sum.h"
#include "model/profile.h"

#include <stdbool.h>

/* Records of all runs on their way into a profile. */
struct pn_trace_reading {
	struct pn_profile *profile;
	struct pn_address_map *map;
	const struct pn_trace_cost *cost; /* NULL: each record's own */
	struct pn_trace_cost found;	  /* what is taken off: the least */
	bool has_found;
	uint32_t clock; /* enum pn_runtime_trace_clock; of all records */
	bool has_clock, is_flat;
	bool by_size; /* set it after the beginning: points, no graph */
	struct pn_trace_sum *nodes, *edges;
	size_t node_count, node_cap, edge_count, edge_cap;
	struct pn_trace_points points;
	struct pn_trace_shares shares;
	/* calls in all; calls and other parts that are missing */
	double calls, lost;
	size_t run_count, run; /* and which one the records are of now */
};

/* `profile` is empty; it and `cost` are borrowed until the end. */
void pn_trace_reading_begin(struct pn_trace_reading *reading,
			    struct pn_profile *profile, size_t run_count,
			    const struct pn_trace_cost *cost);
/* What one process of run `run`, from 0 on, did. */
void pn_trace_reading_add(struct pn_trace_reading *reading,
			  struct pn_runtime_record *record, size_t run);
/*
 * Gives the profile its types, its graph and its metrics: "wall" or "cpu" in
 * ns unless no clock was read, and "calls". What was taken off may be more
 * than what was measured: such numbers stay negative. Of several runs it is
 * told what each function cost itself in each. By size it gets samples as
 * size.h says, of all runs as of one: they are means, not sums.
 */
void pn_trace_reading_end(struct pn_trace_reading *reading);

#endif
