/* Live blocks by address. */
#define _GNU_SOURCE /* syscall */
#include "runtime/blocks.h"

#include "runtime/sys.h"

#include <sys/mman.h>
#include <unistd.h>

#define FIRST_BITS 12 /* 64 kB */
#define LIMIT (UINT64_C(1) << 48)

static size_t hash(const struct pn_blocks *b, uint64_t address)
{
	/* 2^64 / golden ratio: Knuth, 6.4; the low bits are the alignment */
	return (size_t)((address >> 4) * UINT64_C(0x9e3779b97f4a7c15) >>
			(64 - b->bits));
}

static size_t map_size(unsigned bits)
{
	return sizeof(struct pn_block_slot) << bits;
}

static struct pn_block to_block(const struct pn_block_slot *slot)
{
	return (struct pn_block){.address = slot->address,
				 .size = (uint64_t)slot->size_high << 32 |
					 slot->size_low,
				 .stack = slot->stack};
}

static struct pn_block_slot *find(const struct pn_blocks *b, uint64_t address)
{
	size_t mask = ((size_t)1 << b->bits) - 1, i = hash(b, address);

	while (b->slots[i].address && b->slots[i].address != address)
		i = (i + 1) & mask;
	return &b->slots[i];
}

static bool grow(struct pn_blocks *b)
{
	struct pn_blocks larger = {.bits = b->slots ? b->bits + 1 : FIRST_BITS,
				   .count = b->count};
	size_t i;

	larger.slots = pn_sys_map(map_size(larger.bits), -1, 0);
	if (!larger.slots)
		return false;
	for (i = 0; b->slots && i < (size_t)1 << b->bits; i++)
		if (b->slots[i].address)
			*find(&larger, b->slots[i].address) = b->slots[i];
	pn_blocks_release(b);
	*b = larger;
	return true;
}

bool pn_blocks_add(struct pn_blocks *b, const struct pn_block *block,
		   struct pn_block *old)
{
	struct pn_block_slot *slot;

	*old = (struct pn_block){.stack = 0};
	if (block->address >= LIMIT || block->size >= LIMIT)
		return false;
	/* at most 5/8 full: three probes for one that is not there */
	if ((!b->slots || b->count >= (size_t)5 << (b->bits - 3)) && !grow(b))
		return false;
	slot = find(b, block->address);
	if (slot->address)
		*old = to_block(slot);
	else
		b->count++;
	slot->address = block->address;
	slot->size_high = (uint16_t)(block->size >> 32);
	slot->size_low = (uint32_t)block->size;
	slot->stack = block->stack;
	return true;
}

struct pn_block pn_blocks_take(struct pn_blocks *b, uint64_t address)
{
	struct pn_block block = {.stack = 0};
	struct pn_block_slot *slot;
	size_t mask, hole, i, home;

	if (!b->slots || !address || address >= LIMIT)
		return block;
	slot = find(b, address);
	if (!slot->address)
		return block;
	block = to_block(slot);
	mask = ((size_t)1 << b->bits) - 1;
	hole = i = (size_t)(slot - b->slots);
	/* close the hole with what would not be found behind it */
	while (b->slots[i = (i + 1) & mask].address) {
		home = hash(b, b->slots[i].address);
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		b->slots[hole] = b->slots[i];
		hole = i;
	}
	b->slots[hole].address = 0;
	b->count--;
	return block;
}

void pn_blocks_release(struct pn_blocks *b)
{
	if (b->slots)
		pn_sys(SYS_munmap, b->slots, map_size(b->bits));
	*b = (struct pn_blocks){0};
}
