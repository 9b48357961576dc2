/* Objects of packs by where they begin: one in each slot, the last that came.
 */
#include "vcs/objects/packed_bases.h"

#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A prime; the notes of a history of 10,000 commits. Two of one slot are read
 * again, whoever put them there. */
#define SLOTS 16381

struct pn_packed_base {
	const unsigned char *entry; /* NULL: a free one */
	unsigned int type;
	struct pn_buf bytes; /* in the arena */
};

static size_t slot_of(const unsigned char *entry)
{
	return (size_t)((uintptr_t)entry % SLOTS);
}

void pn_packed_bases_release(struct pn_packed_bases *bases)
{
	pn_arena_release(&bases->arena);
	free(bases->slots);
	memset(bases, 0, sizeof(*bases));
}

const struct pn_buf *pn_packed_bases_find(const struct pn_packed_bases *bases,
					  const unsigned char *entry,
					  unsigned int type)
{
	const struct pn_packed_base *slot;

	if (!bases->slots)
		return NULL;
	slot = &bases->slots[slot_of(entry)];
	return slot->entry == entry && slot->type == type ? &slot->bytes : NULL;
}

void pn_packed_bases_keep(struct pn_packed_bases *bases,
			  const unsigned char *entry, unsigned int type,
			  const struct pn_buf *bytes)
{
	struct pn_packed_base *slot;
	size_t size = bytes->len + 1;

	if (bytes->len > PN_PACKED_BASE_MAX ||
	    pn_packed_bases_find(bases, entry, type))
		return;
	if (bases->bytes + size > PN_PACKED_BASES_BYTES)
		pn_packed_bases_release(bases);
	if (!bases->slots)
		bases->slots = pn_calloc(SLOTS, sizeof(*bases->slots));
	bases->arena.grows = true;
	slot = &bases->slots[slot_of(entry)];
	bases->bytes += size;
	*slot = (struct pn_packed_base){
		entry,
		type,
		{.data = (unsigned char *)pn_arena_copy(
			 &bases->arena, (const char *)bytes->data, bytes->len),
		 .len = bytes->len}};
}
