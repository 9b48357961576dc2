/* Many small allocations with one end. A zeroed struct is an empty arena. */
#ifndef PN_BASE_ARENA_H
#define PN_BASE_ARENA_H

#include <stddef.h>

struct pn_arena_block;

struct pn_arena {
	struct pn_arena_block *blocks;
	size_t left; /* bytes free in the first block */
	size_t next; /* size of the next block; 0: the smallest */
	char *at;
};

void pn_arena_release(struct pn_arena *arena);
/* All allocations end; one block stays for the next ones. */
void pn_arena_clear(struct pn_arena *arena);
/* Aligned to 8 bytes; not zeroed. */
void *pn_arena_alloc(struct pn_arena *arena, size_t size);
/* count * size checked for overflow. */
void *pn_arena_array(struct pn_arena *arena, size_t count, size_t size);
/* A copy with a NUL behind it, not aligned. */
char *pn_arena_copy(struct pn_arena *arena, const void *bytes, size_t len);

#endif
