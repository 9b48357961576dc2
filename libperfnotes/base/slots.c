/* Open addressing, at most three quarters full. */
#include "base/slots.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_MIN 64

void pn_slots_release(struct pn_slots *slots)
{
	free(slots->items);
	memset(slots, 0, sizeof(*slots));
}

static void put(struct pn_slots *slots, struct pn_slot slot)
{
	size_t at = slot.hash & (slots->size - 1);

	while (slots->items[at].row)
		at = (at + 1) & (slots->size - 1);
	slots->items[at] = slot;
}

static void grow(struct pn_slots *slots)
{
	struct pn_slot *old = slots->items;
	size_t i, had = slots->size;

	slots->size = had ? had * 2 : SIZE_MIN;
	slots->items = pn_calloc(slots->size, sizeof(*slots->items));
	for (i = 0; i < had; i++)
		if (old[i].row)
			put(slots, old[i]);
	free(old);
}

void pn_slots_add(struct pn_slots *slots, uint32_t hash, uint32_t row)
{
	struct pn_slot slot = {hash, row + 1};

	if (slots->count >= slots->size / 4 * 3)
		grow(slots);
	put(slots, slot);
	slots->count++;
}

void pn_slots_seed(struct pn_slots *slots)
{
	slots->key = pn_hash_random() | 1;
}

uint32_t pn_slots_hash_bytes(struct pn_slots *slots, const void *bytes,
			     size_t len)
{
	const unsigned char *at = bytes;
	uint64_t key, hash, words[2];

	if (!slots->key)
		pn_slots_seed(slots);
	key = slots->key;
	hash = key ^ len;
	for (; len >= sizeof(words); len -= sizeof(words)) {
		memcpy(words, at, sizeof(words));
		hash = pn_slots_fold(hash ^ words[0],
				     key ^ PN_SLOTS_OTHER ^ words[1]);
		at += sizeof(words);
	}
	words[0] = words[1] = 0;
	if (len)
		memcpy(words, at, len);
	hash = pn_slots_fold(hash ^ words[0], key ^ PN_SLOTS_OTHER ^ words[1]);
	return (uint32_t)(hash ^ hash >> 32);
}
