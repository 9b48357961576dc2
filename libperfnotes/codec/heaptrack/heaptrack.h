/*
 * The parts of the codec for heaptrack: its text (versions 1 to 3 of the
 * format, as heaptrack_interpret writes it) line by line, numbers in hex.
 * accumulatedtracedata.cpp of heaptrack.
 */
#ifndef PN_HEAPTRACK_HEAPTRACK_H
#define PN_HEAPTRACK_HEAPTRACK_H

#include "base/reader/lines.h"
#include "codec/call_tree.h"
#include "codec/frames.h"

/* "i ip module [function file line]*": a location, innermost frame first. */
struct pn_heaptrack_location {
	uint32_t location;
	bool allocates; /* operator new: not who asked for memory */
};

/* "t location parent": a stack, and what it allocated. */
struct pn_heaptrack_trace {
	uint32_t location, parent; /* from 1; 0: none */
	int64_t allocations, temporary;
	int64_t held, held_bytes; /* not freed so far */
	int64_t peak_bytes;	  /* held at the peak `peak` */
	uint64_t peak;
};

/* "a size trace": what one call allocates. */
struct pn_heaptrack_info {
	int64_t bytes;
	uint32_t trace;
};

#define PN_HEAPTRACK_POINTS 2048 /* of a curve; times are 10 ms apart */

/* What there was until each of the times. When it is full, each two of its
 * points become one, the larger, so that no peak goes. */
struct pn_heaptrack_curve {
	int64_t ms[PN_HEAPTRACK_POINTS], values[PN_HEAPTRACK_POINTS];
	size_t count;
	size_t step;  /* 0: not begun; times that make a point */
	size_t taken; /* by the last point */
};

struct pn_heaptrack {
	struct pn_profile *p;
	struct pn_lines lines;
	struct pn_frames frames;
	int64_t version, page_bytes;
	bool has_command;
	uint32_t *strings; /* of the profile */
	size_t string_count, string_cap;
	uint32_t *modules; /* by string: its mapping + 1 */
	size_t module_cap;
	struct pn_heaptrack_location *locations;
	size_t location_count, location_cap;
	struct pn_heaptrack_trace *traces;
	size_t trace_count, trace_cap;
	struct pn_heaptrack_trace unknown; /* of what has no stack */
	struct pn_heaptrack_info *infos;
	size_t info_count, info_cap;
	struct pn_frame *inlined; /* of the location that is read */
	size_t inlined_cap;
	uint32_t last; /* info of the allocation before; 0: none, too */
	int64_t held_bytes, peak_bytes, resident, ms;
	int64_t most; /* held since the last time */
	bool moved;   /* whether that changed since then */
	struct pn_heaptrack_curve heap, rss;
	uint64_t peak; /* how many there were, each higher */
};

/* A value at a time, behind those before. */
void pn_heaptrack_curve_add(struct pn_heaptrack_curve *curve, int64_t ms,
			    int64_t value);
/* All lines. */
int pn_heaptrack_read(struct pn_heaptrack *h, struct pn_error *err);
/* Samples and metrics of them. */
int pn_heaptrack_finish(struct pn_heaptrack *h, struct pn_error *err);
void pn_heaptrack_release(struct pn_heaptrack *h);

#endif
