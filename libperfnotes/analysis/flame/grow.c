/* The heaviest frame grows first. */
#include "analysis/flame/grow.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

uint32_t pn_flame_grow_add(struct pn_flame_grow *grow, uint32_t parent,
			   uint32_t name)
{
	struct pn_flame_draft *frame;

	grow->frames = pn_grow(grow->frames, &grow->cap, grow->count + 1,
			       sizeof(*grow->frames));
	frame = &grow->frames[grow->count];
	memset(frame, 0, sizeof(*frame));
	frame->name = name;
	frame->parent = parent;
	frame->depth = parent == PN_NONE ? 0 : grow->frames[parent].depth + 1;
	return (uint32_t)grow->count++;
}

double pn_flame_grow_weight(const struct pn_flame_grow *grow, uint32_t frame)
{
	const struct pn_flame_draft *f = &grow->frames[frame];
	double a = (double)f->total[PN_FLAME_NEW] * grow->scale[PN_FLAME_NEW];
	double b = (double)f->total[PN_FLAME_OLD] * grow->scale[PN_FLAME_OLD];

	return a > b ? a : b;
}

/* Whether `a` goes first: heavier, or older. */
static bool is_before(const struct pn_flame_next *a,
		      const struct pn_flame_next *b)
{
	return a->weight > b->weight ||
	       (a->weight == b->weight && a->frame < b->frame);
}

/* A binary heap: Williams, CACM 7 (1964), algorithm 232. */
void pn_flame_grow_push(struct pn_flame_grow *grow, uint32_t frame)
{
	struct pn_flame_next *heap,
		next = {pn_flame_grow_weight(grow, frame), frame};
	size_t at = grow->heap_count++;

	heap = pn_grow(grow->heap, &grow->heap_cap, grow->heap_count,
		       sizeof(*heap));
	grow->heap = heap;
	while (at && is_before(&next, &heap[(at - 1) / 2])) {
		heap[at] = heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	heap[at] = next;
}

static uint32_t pop(struct pn_flame_grow *grow)
{
	struct pn_flame_next *heap = grow->heap, last;
	uint32_t top = heap[0].frame;
	size_t at = 0, child;

	last = heap[--grow->heap_count];
	while ((child = 2 * at + 1) < grow->heap_count) {
		if (child + 1 < grow->heap_count &&
		    is_before(&heap[child + 1], &heap[child]))
			child++;
		if (!is_before(&heap[child], &last))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	return top;
}

void pn_flame_grow_run(struct pn_flame_grow *grow)
{
	size_t names = grow->ids->names.count;
	uint32_t frame;

	grow->slot = pn_calloc(names + 1, sizeof(*grow->slot));
	while (grow->heap_count && grow->grown < grow->most) {
		frame = pop(grow);
		grow->frames[frame].grown = true;
		grow->grown++;
		grow->expand(grow, frame);
	}
	grow->cut = grow->cut || grow->heap_count;
}

void pn_flame_grow_release(struct pn_flame_grow *grow)
{
	free(grow->frames);
	free(grow->heap);
	free(grow->slot);
	free(grow->items);
	free(grow->others);
	memset(grow, 0, sizeof(*grow));
}
