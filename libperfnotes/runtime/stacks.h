/* Stacks by their frames: each is written into the record once, and stays
 * there to be counted in. */
#ifndef PN_RUNTIME_STACKS_H
#define PN_RUNTIME_STACKS_H

#include "runtime/output.h"
#include "runtime/record.h"

#include <stddef.h>
#include <stdint.h>

struct pn_stacks {
	uint64_t *index; /* address of a stack, above it 16 bits of its hash */
	unsigned bits;
	struct pn_runtime_memory_stack **by_id; /* from 1 on */
	size_t count, cap;
	struct pn_stream stream;
};

/* The caller has a lock, and took the hash before. NULL: no room. */
struct pn_runtime_memory_stack *pn_stacks_get(struct pn_stacks *stacks,
					      const uintptr_t *frames,
					      size_t depth, uint64_t hash);
uint64_t pn_stacks_hash(const uintptr_t *frames, size_t depth);

/* The tables; what is in the record stays. */
void pn_stacks_release(struct pn_stacks *stacks);

#endif
