/* Open addressing, at most three quarters full. */
#include "base/slots.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_MIN 64
#define OTHER UINT64_C(0xa0761d6478bd642f) /* odd, half of its bits set */

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

/*
 * Each word is folded by a multiplication of 64 x 64 bits with the key on
 * both sides, as wyhash does (Wang Yi, 2019).
 */
#ifdef __SIZEOF_INT128__
static inline uint64_t fold(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}
#else
static inline uint64_t fold(uint64_t a, uint64_t b)
{
	uint64_t a_low = (uint32_t)a, a_high = a >> 32;
	uint64_t b_low = (uint32_t)b, b_high = b >> 32;
	uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
	uint64_t cross = a_low * b_high + (uint32_t)middle;

	return (a * b) ^ (a_high * b_high + (middle >> 32) + (cross >> 32));
}
#endif

static uint64_t key_of(struct pn_slots *slots)
{
	if (!slots->key)
		slots->key = pn_hash_random() | 1;
	return slots->key;
}

uint32_t pn_slots_hash(struct pn_slots *slots, const uint64_t *words,
		       size_t count)
{
	uint64_t key = key_of(slots), hash = key;
	size_t i;

	for (i = 0; i < count; i++)
		hash = fold(hash ^ words[i], key ^ OTHER);
	hash = fold(hash, key);
	return (uint32_t)(hash ^ hash >> 32);
}

uint32_t pn_slots_hash_bytes(struct pn_slots *slots, const void *bytes,
			     size_t len)
{
	uint64_t key = key_of(slots), hash = key ^ len, words[2];
	const unsigned char *at = bytes;

	for (; len >= sizeof(words); len -= sizeof(words)) {
		memcpy(words, at, sizeof(words));
		hash = fold(hash ^ words[0], key ^ OTHER ^ words[1]);
		at += sizeof(words);
	}
	words[0] = words[1] = 0;
	if (len)
		memcpy(words, at, len);
	hash = fold(hash ^ words[0], key ^ OTHER ^ words[1]);
	hash = fold(hash, key);
	return (uint32_t)(hash ^ hash >> 32);
}
