/*
 * Sizes that the program states: what a call takes by the size of what it
 * works on. Each function has some sizes of its own; when it has had many,
 * those that are new are rounded, so that no program fills the memory.
 */
#include "runtime/trace/trace_state.h"

#define EXACT_SIZES 256 /* of a function in a thread */
#define ROUND_BITS 5	/* kept of a larger one: 3 % off at most */

/* To the nearest number that has no more than the first ROUND_BITS bits. */
static uint64_t rounded(uint64_t size)
{
	unsigned drop;
	uint64_t half;

	if (size >> ROUND_BITS == 0)
		return size;
	drop = 64 - ROUND_BITS - (unsigned)__builtin_clzll(size);
	half = UINT64_C(1) << drop >> 1;
	if (size > UINT64_MAX - half)
		half = 0;
	return (size + half) >> drop << drop;
}

static struct pn_runtime_size *find_size(const struct pn_trace_thread *t,
					 uint64_t function, uint64_t size)
{
	size_t mask = ((size_t)1 << t->sizes.bits) - 1;
	size_t at;
	struct pn_runtime_size *s;

	if (!t->sizes.slots)
		return NULL;
	at = pn_trace_hash(size, function, t->sizes.bits);
	for (; (s = t->sizes.slots[at]) != NULL; at = (at + 1) & mask)
		if (s->function == function && s->size == size)
			return s;
	return NULL;
}

static struct pn_runtime_size *
get_size(struct pn_trace_thread *t, struct pn_runtime_node *n, uint64_t size)
{
	struct pn_runtime_size *s = find_size(t, n->function, size);

	if (s)
		return s;
	if (n->sizes >= EXACT_SIZES) {
		size = rounded(size);
		s = find_size(t, n->function, size);
	}
	if (s)
		return s;
	s = pn_trace_add_size(t, n->function, size);
	n->sizes += s != NULL;
	return s;
}

void pn_trace_end_size(uint64_t size, int64_t elapsed, uint64_t nested)
{
	struct pn_runtime_size *s = (void *)(uintptr_t)size;

	s->calls++;
	s->nested += nested;
	s->total += elapsed;
}

#pragma GCC visibility push(default)

int git_perf_region_size(uint64_t size)
{
	struct pn_trace_thread *t = pn_trace_self;
	struct pn_runtime_frame *f;
	struct pn_runtime_edge *e;
	struct pn_runtime_size *s;

	if (!t || !*pn_trace_is_ours || pn_trace_flat ||
	    t->odd & PN_TRACE_SKIPPING)
		return -1;
	f = (void *)(uintptr_t)t->shared.top;
	if (!f->up)
		return -1;
	e = (void *)(uintptr_t)f->edge;
	s = get_size(t, (void *)(uintptr_t)e->node, size);
	if (!s)
		return -1;
	f->size = (uintptr_t)s;
	return 0;
}

#pragma GCC visibility pop
