/*
 * Live blocks by address: open addressing with linear probing (Knuth, The Art
 * of Computer Programming 3, 6.4, algorithms L and R). 16 bytes a block, in
 * memory that is not the allocator's.
 */
#ifndef PN_RUNTIME_BLOCKS_H
#define PN_RUNTIME_BLOCKS_H

#include "runtime/memory.h"

struct pn_block_slot {
	uint64_t address : 48, size_high : 16; /* address 0: free */
	uint32_t size_low, stack;
};

/* Zeroed: empty. The caller has a lock. */
struct pn_blocks {
	struct pn_block_slot *slots;
	unsigned bits; /* 1 << bits of them */
	size_t count;
};

/* False when it does not fit: no memory, or numbers above 48 bits. *old is
 * what stood at that address, stack 0 for nothing. */
bool pn_blocks_add(struct pn_blocks *blocks, const struct pn_block *block,
		   struct pn_block *old);
/* Take it out; stack 0 when it is not there. */
struct pn_block pn_blocks_take(struct pn_blocks *blocks, uint64_t address);

void pn_blocks_release(struct pn_blocks *blocks);

#endif
