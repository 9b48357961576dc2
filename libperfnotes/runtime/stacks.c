/* Stacks by their frames. */
#define _GNU_SOURCE /* syscall */
#include "runtime/stacks.h"

#include "runtime/sys.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string.h>

#define FIRST_BITS 10
#define FIRST_IDS 512
#define ADDRESS ((UINT64_C(1) << 48) - 1)

uint64_t pn_stacks_hash(const uintptr_t *frames, size_t depth)
{
	uint64_t hash = depth;
	size_t i;

	for (i = 0; i < depth; i++)
		hash = (hash ^ frames[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static struct pn_runtime_memory_stack *at(uint64_t entry)
{
	return (void *)(uintptr_t)(entry & ADDRESS);
}

static void put(uint64_t *index, unsigned bits, uint64_t hash, uint64_t entry)
{
	size_t mask = ((size_t)1 << bits) - 1, i = hash & mask;

	while (index[i])
		i = (i + 1) & mask;
	index[i] = entry;
}

static bool grow_index(struct pn_stacks *s)
{
	unsigned bits = s->index ? s->bits + 1 : FIRST_BITS;
	uint64_t *index = pn_sys_map(sizeof(*index) << bits, -1, 0);
	struct pn_runtime_memory_stack *stack;
	uintptr_t frames[PN_RUNTIME_MEMORY_MAX_DEPTH];
	size_t id, i;
	uint64_t hash;

	if (!index)
		return false;
	for (id = 1; id <= s->count; id++) {
		stack = s->by_id[id];
		for (i = 0; i < stack->depth; i++)
			frames[i] = (uintptr_t)stack->frames[i];
		hash = pn_stacks_hash(frames, stack->depth);
		put(index, bits, hash, (hash & ~ADDRESS) | (uintptr_t)stack);
	}
	if (s->index)
		pn_sys(SYS_munmap, s->index, sizeof(*s->index) << s->bits);
	s->index = index;
	s->bits = bits;
	return true;
}

static bool grow_ids(struct pn_stacks *s)
{
	size_t cap = s->cap ? s->cap * 2 : FIRST_IDS;
	struct pn_runtime_memory_stack **by_id;

	by_id = pn_sys_map(cap * sizeof(*by_id), -1, 0);
	if (!by_id)
		return false;
	if (s->by_id) {
		memcpy(by_id, s->by_id, s->cap * sizeof(*by_id));
		pn_sys(SYS_munmap, s->by_id, s->cap * sizeof(*by_id));
	}
	s->by_id = by_id;
	s->cap = cap;
	return true;
}

static bool is_same(const struct pn_runtime_memory_stack *stack,
		    const uintptr_t *frames, size_t depth)
{
	size_t i;

	if (stack->depth != depth)
		return false;
	for (i = 0; i < depth && stack->frames[i] == frames[i]; i++)
		;
	return i == depth;
}

static struct pn_runtime_memory_stack *
add(struct pn_stacks *s, const uintptr_t *frames, size_t depth, uint64_t hash)
{
	struct pn_runtime_memory_stack *stack;
	size_t size = sizeof(*stack) + depth * sizeof(stack->frames[0]), i;

	if ((s->count + 1 >= s->cap && !grow_ids(s)) ||
	    (s->count >= (size_t)1 << s->bits >> 1 && !grow_index(s)))
		return NULL;
	stack = pn_stream_begin(&s->stream, PN_RUNTIME_MEMORY_STACK, size);
	if (!stack)
		return NULL;
	stack->id = (uint32_t)(s->count + 1);
	stack->depth = (uint32_t)depth;
	for (i = 0; i < depth; i++)
		stack->frames[i] = frames[i];
	pn_stream_end(&s->stream, size);
	s->by_id[++s->count] = stack;
	put(s->index, s->bits, hash, (hash & ~ADDRESS) | (uintptr_t)stack);
	return stack;
}

struct pn_runtime_memory_stack *pn_stacks_get(struct pn_stacks *s,
					      const uintptr_t *frames,
					      size_t depth, uint64_t hash)
{
	size_t mask, i;
	uint64_t entry;

	if (!s->index && !grow_index(s))
		return NULL;
	mask = ((size_t)1 << s->bits) - 1;
	for (i = hash & mask; (entry = s->index[i]) != 0; i = (i + 1) & mask)
		if ((entry & ~ADDRESS) == (hash & ~ADDRESS) &&
		    is_same(at(entry), frames, depth))
			return at(entry);
	return add(s, frames, depth, hash);
}

void pn_stacks_release(struct pn_stacks *s)
{
	if (s->index)
		pn_sys(SYS_munmap, s->index, sizeof(*s->index) << s->bits);
	if (s->by_id)
		pn_sys(SYS_munmap, s->by_id, s->cap * sizeof(*s->by_id));
	*s = (struct pn_stacks){.stream = {.keep = true}};
}
