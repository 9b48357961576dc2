/* Many small allocations with one end. */
#include "base/arena.h"

#include "base/alloc.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Blocks double from small to large: a batch holds many small arenas, a large
 * profile wants few calls. */
#define FIRST_BLOCK_BYTES 1024
#define LAST_BLOCK_BYTES 65536

struct pn_arena_block {
	struct pn_arena_block *next;
	size_t size;
	char bytes[];
};

static void free_blocks(struct pn_arena_block *block)
{
	struct pn_arena_block *next;

	for (; block; block = next) {
		next = block->next;
		free(block);
	}
}

void pn_arena_release(struct pn_arena *arena)
{
	if (!arena)
		return;
	free_blocks(arena->blocks);
	memset(arena, 0, sizeof(*arena));
}

void pn_arena_clear(struct pn_arena *arena)
{
	struct pn_arena_block *first = arena->blocks;
	bool keep = first && first->size <= LAST_BLOCK_BYTES;

	free_blocks(keep ? first->next : first);
	arena->blocks = keep ? first : NULL;
	arena->at = keep ? first->bytes : NULL;
	arena->left = keep ? first->size : 0;
	if (keep)
		first->next = NULL;
}

static void *take(struct pn_arena *arena, size_t size)
{
	struct pn_arena_block *block;
	void *p;

	if (size > arena->left || !arena->at) {
		size_t next = arena->next ? arena->next : FIRST_BLOCK_BYTES;
		size_t room = size > next / 4 ? size : next;

		if (size > SIZE_MAX - sizeof(*block))
			pn_alloc_failed(size);
		block = pn_malloc(sizeof(*block) + room);
		block->size = room;
		if (room == size && arena->blocks) {
			/* a large one goes behind, the open block stays */
			block->next = arena->blocks->next;
			arena->blocks->next = block;
			return block->bytes;
		}
		block->next = arena->blocks;
		arena->blocks = block;
		arena->at = block->bytes;
		arena->left = room;
		arena->next = next < LAST_BLOCK_BYTES ? 2 * next : next;
	}
	p = arena->at;
	arena->at += size;
	arena->left -= size;
	return p;
}

void *pn_arena_alloc(struct pn_arena *arena, size_t size)
{
	size_t skip = (size_t)(-(uintptr_t)arena->at & 7);

	if (skip && skip <= arena->left) {
		arena->at += skip;
		arena->left -= skip;
	}
	return take(arena, (size + 7) & ~(size_t)7);
}

void *pn_arena_array(struct pn_arena *arena, size_t count, size_t size)
{
	if (size && count > (SIZE_MAX - 8) / size)
		pn_alloc_failed(SIZE_MAX);
	return pn_arena_alloc(arena, count * size);
}

char *pn_arena_copy(struct pn_arena *arena, const void *bytes, size_t len)
{
	char *copy = take(arena, len + 1);

	if (len)
		memcpy(copy, bytes, len);
	copy[len] = '\0';
	return copy;
}
