/* Blocks of a call tracer's record, whose elements refer to each other by the
 * addresses that they had. */
#ifndef PN_TRACE_BLOCK_H
#define PN_TRACE_BLOCK_H

#include "collect/runtime_record.h"

#include <stddef.h>
#include <stdint.h>

struct pn_trace_blocks {
	struct pn_trace_span *spans; /* in order of their addresses */
	size_t span_count, span_cap;
	unsigned char *bytes;	 /* the elements of all, aligned */
	size_t count, cap, size; /* elements; bytes of each */
};

/* Zeroed but for `size`: empty. */
void pn_trace_blocks_release(struct pn_trace_blocks *blocks);

/* A copy of the block's elements; false when it is none. */
bool pn_trace_blocks_add(struct pn_trace_blocks *blocks,
			 const struct pn_runtime_part *part);
/* After the last one has been added. */
void pn_trace_blocks_sort(struct pn_trace_blocks *blocks);

/* The element that was at this address, NULL when there was none. */
void *pn_trace_blocks_find(const struct pn_trace_blocks *blocks,
			   uint64_t address);
void *pn_trace_blocks_at(const struct pn_trace_blocks *blocks, size_t i);

#endif
