/*
 * A call graph as Racket's profiler has it (racket/profile, analyzer.rkt):
 * functions, a root that calls what nobody calls and is called where time is
 * spent, and three times for each call.
 *
 * Of stacks times are divided as Racket divides them (see callgraph.h): the
 * caller times of all callers of a function add up to its total. A graph of
 * another format has one time a call, which stands for all three.
 */
#ifndef PN_GRAPH_TIMED_H
#define PN_GRAPH_TIMED_H

#include "base/buf.h"
#include "base/error.h"
#include "model/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_TIMED_EDGE_TIME "edge-time" /* value type: codec/racket */
/* Facts. */
#define PN_TIMED_CPU_TIME "cpu time"
#define PN_TIMED_SAMPLES "samples"
#define PN_TIMED_TOTAL_TIME "total time"

struct pn_timed_edge {
	uint32_t caller, callee; /* nodes */
	double total;
	double caller_time; /* of the callee, in the list of its callers */
	double callee_time; /* of the caller, in that of its callees */
};

struct pn_timed_node {
	uint32_t node;	/* of graph->graph; PN_NONE: a root that it lacks */
	uint32_t alike; /* how many before have its name and place */
	double self, total;
	/* Edges: callers[caller_first ...], callees[callee_first ...], largest
	 * time first. */
	size_t caller_first, caller_count, callee_first, callee_count;
};

struct pn_timed {
	const struct pn_profile *graph; /* who has the names */
	struct pn_timed_node *nodes;	/* 0 is the root; by total */
	size_t node_count;
	struct pn_timed_edge *edges;
	size_t edge_count;
	size_t *callers, *callees; /* edges */
	double total_time, cpu_time, samples;
	size_t thread_count; /* at least 1 */
	bool of_stacks;
	struct pn_profile made; /* the graph, of samples */
};

/*
 * Of a profile, which is borrowed. `type` is the value type (SIZE_MAX: the
 * default one that is of time, else the first), whose values are multiplied by
 * `scale` (0: so that they are milliseconds). PN_EINVAL: there is no time.
 * Time O(frames + edges log edges).
 */
int pn_timed_init(struct pn_timed *out, const struct pn_profile *profile,
		  size_t type, double scale, struct pn_error *err);
void pn_timed_release(struct pn_timed *timed);

/* The name of a node as it is, borrowed ("": none); and its place,
 * "path:line:column" ("": unknown), put to `src`. */
const char *pn_timed_name(struct pn_buf *src, const struct pn_timed *timed,
			  size_t node);

#endif
