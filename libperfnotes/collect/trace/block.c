/* Blocks of a call tracer's record. */
#include "collect/trace/block.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* Elements that lay behind each other. */
struct pn_trace_span {
	uint64_t base;
	size_t first, count;
};

void pn_trace_blocks_release(struct pn_trace_blocks *b)
{
	free(b->spans);
	free(b->bytes);
	*b = (struct pn_trace_blocks){.size = b->size};
}

bool pn_trace_blocks_add(struct pn_trace_blocks *b,
			 const struct pn_runtime_part *part)
{
	struct pn_runtime_block head;
	struct pn_trace_span *span;

	if (part->len < sizeof(head))
		return false;
	memcpy(&head, part->bytes, sizeof(head));
	if (head.count > (part->len - sizeof(head)) / b->size ||
	    head.base > UINT64_MAX - head.count * b->size)
		return false;
	b->spans = pn_grow(b->spans, &b->span_cap, b->span_count + 1,
			   sizeof(*b->spans));
	span = &b->spans[b->span_count++];
	*span = (struct pn_trace_span){head.base, b->count, head.count};
	b->bytes =
		pn_grow(b->bytes, &b->cap, b->count + head.count + 1, b->size);
	memcpy(b->bytes + b->count * b->size, part->bytes + sizeof(head),
	       head.count * b->size);
	b->count += head.count;
	return true;
}

static int compare(const void *left, const void *right)
{
	const struct pn_trace_span *a = left, *b = right;

	return (a->base > b->base) - (a->base < b->base);
}

void pn_trace_blocks_sort(struct pn_trace_blocks *b)
{
	if (b->span_count)
		qsort(b->spans, b->span_count, sizeof(*b->spans), compare);
}

void *pn_trace_blocks_find(const struct pn_trace_blocks *b, uint64_t address)
{
	size_t low = 0, high = b->span_count, middle;
	const struct pn_trace_span *span;
	uint64_t offset;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (b->spans[middle].base <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	span = &b->spans[low - 1];
	offset = address - span->base;
	if (offset % b->size || offset / b->size >= span->count)
		return NULL;
	return b->bytes + (span->first + (size_t)(offset / b->size)) * b->size;
}

void *pn_trace_blocks_at(const struct pn_trace_blocks *b, size_t i)
{
	return b->bytes + i * b->size;
}
