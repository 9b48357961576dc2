/* Objects of packs by where they begin: one in each slot, the last that came.
 */
#include "vcs/objects/packed_bases.h"

#include "base/alloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A prime; more than there is room for, most often. Two of one slot are read
 * again, whoever put them there. */
#define SLOTS 4093

struct pn_packed_base {
	const unsigned char *sum; /* of its pack; NULL: a free one */
	uint64_t offset;	  /* in it */
	unsigned int type;
	struct pn_buf bytes; /* in the room */
};

static size_t slot_of(const struct pn_packed_entry *entry)
{
	uint32_t pack;

	memcpy(&pack, entry->end, sizeof(pack));
	return (size_t)((entry->offset + pack) % SLOTS);
}

void pn_packed_bases_release(struct pn_packed_bases *bases)
{
	free(bases->room);
	free(bases->slots);
	memset(bases, 0, sizeof(*bases));
}

const struct pn_buf *pn_packed_bases_find(const struct pn_packed_bases *bases,
					  const struct pn_packed_entry *entry,
					  unsigned int type)
{
	const struct pn_packed_base *slot;

	if (!bases->slots)
		return NULL;
	slot = &bases->slots[slot_of(entry)];
	return slot->sum && slot->offset == entry->offset &&
			       slot->type == type &&
			       !memcmp(slot->sum, entry->end, PN_OID_BYTES)
		       ? &slot->bytes
		       : NULL;
}

void pn_packed_bases_keep(struct pn_packed_bases *bases,
			  const struct pn_packed_entry *entry,
			  unsigned int type, const struct pn_buf *bytes)
{
	struct pn_packed_base *slot;
	unsigned char *at;
	size_t size = bytes->len + 1;

	if (bytes->len > PN_PACKED_BASE_MAX ||
	    pn_packed_bases_find(bases, entry, type))
		return;
	if (!bases->slots) {
		bases->slots = pn_calloc(SLOTS, sizeof(*bases->slots));
		bases->room = pn_malloc(PN_PACKED_BASES_BYTES);
	}
	if (bases->bytes + size > PN_PACKED_BASES_BYTES) {
		memset(bases->slots, 0, SLOTS * sizeof(*bases->slots));
		bases->bytes = 0;
	}
	at = bases->room + bases->bytes;
	bases->bytes += size;
	if (bytes->len)
		memcpy(at, bytes->data, bytes->len);
	at[bytes->len] = '\0';
	slot = &bases->slots[slot_of(entry)];
	*slot = (struct pn_packed_base){entry->end,
					entry->offset,
					type,
					{.data = at, .len = bytes->len}};
}
