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
	struct pn_buf bytes;
};

static size_t slot_of(const unsigned char *entry)
{
	return (size_t)((uintptr_t)entry % SLOTS);
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
