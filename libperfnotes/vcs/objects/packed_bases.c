/* Objects of packs by where they begin: one in each slot, the last that came.
 */
#include "vcs/objects/packed_bases.h"

#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_BITS 14 /* the notes of a history of 10,000 commits */
#define SLOTS ((size_t)1 << SLOT_BITS)

struct pn_packed_base {
	const unsigned char *entry; /* NULL: a free one */
	unsigned int type;
	struct pn_buf bytes;
};

/* Multiplicative hashing, Knuth, The Art of Computer Programming 3, 6.4. */
static size_t slot_of(const unsigned char *entry)
{
	uint64_t mixed =
		(uint64_t)(uintptr_t)entry * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(mixed >> (64 - SLOT_BITS));
}

static void clear(struct pn_packed_bases *bases)
{
	size_t i;

	for (i = 0; bases->slots && i < SLOTS; i++) {
		pn_buf_release(&bases->slots[i].bytes);
		bases->slots[i].entry = NULL;
	}
	bases->bytes = 0;
}

void pn_packed_bases_release(struct pn_packed_bases *bases)
{
	clear(bases);
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
			  struct pn_buf *bytes)
{
	struct pn_packed_base *slot;

	if (bytes->len > PN_PACKED_BASE_MAX) {
		pn_buf_release(bytes);
		return;
	}
	if (!bases->slots)
		bases->slots = pn_calloc(SLOTS, sizeof(*bases->slots));
	if (bases->bytes + bytes->len > PN_PACKED_BASES_BYTES)
		clear(bases);
	slot = &bases->slots[slot_of(entry)];
	bases->bytes += bytes->len - slot->bytes.len;
	pn_buf_release(&slot->bytes);
	*slot = (struct pn_packed_base){entry, type, *bytes};
	memset(bytes, 0, sizeof(*bytes));
}
