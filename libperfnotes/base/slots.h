/*
 * The one hash table of the library, that of strings (strtab.h), too: an index
 * of the rows of a table by what they hold. The rows stay where they are; this
 * knows a hash and a number of each. A zeroed struct is empty.
 *
 *	for (at = pn_slots_first(&s, hash); pn_slots_row(&row, &s, &at, hash);)
 *		if (rows[row] is the one)
 *			return row;
 *	pn_slots_add(&s, hash, new row);
 */
#ifndef PN_BASE_SLOTS_H
#define PN_BASE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_slot {
	uint32_t hash, row; /* row + 1; 0: free */
};

struct pn_slots {
	struct pn_slot *items;
	size_t size;  /* a power of two, or 0 */
	size_t count; /* that are taken */
	uint64_t key; /* random: no file can make its rows collide */
};

void pn_slots_release(struct pn_slots *slots);
/* `hash` belongs to no row yet that is the same. */
void pn_slots_add(struct pn_slots *slots, uint32_t hash, uint32_t row);
/* Draws the key: the hash functions do, where it is 0. */
void pn_slots_seed(struct pn_slots *slots);
uint32_t pn_slots_hash_bytes(struct pn_slots *slots, const void *bytes,
			     size_t len);

#define PN_SLOTS_OTHER UINT64_C(0xa0761d6478bd642f) /* half of its bits set */

/*
 * Each word is folded by a multiplication of 64 x 64 bits with the key on
 * both sides, as wyhash does (Wang Yi, 2019).
 */
#ifdef __SIZEOF_INT128__
static inline uint64_t pn_slots_fold(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}
#else
static inline uint64_t pn_slots_fold(uint64_t a, uint64_t b)
{
	uint64_t a_low = (uint32_t)a, a_high = a >> 32;
	uint64_t b_low = (uint32_t)b, b_high = b >> 32;
	uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
	uint64_t cross = a_low * b_high + (uint32_t)middle;

	return (a * b) ^ (a_high * b_high + (middle >> 32) + (cross >> 32));
}
#endif

/* As pn_slots_mix of one word, for chains that are followed at each frame. */
static inline uint64_t pn_slots_mix_word(uint64_t key, uint64_t word)
{
	return pn_slots_fold(key ^ word, key ^ PN_SLOTS_OTHER);
}

/* The same for a table that is built in another way, of chains: `key` has to be
 * random. */
static inline uint64_t pn_slots_mix(uint64_t key, const uint64_t *words,
				    size_t count)
{
	uint64_t hash = key;
	size_t i;

	for (i = 0; i < count; i++)
		hash = pn_slots_fold(hash ^ words[i], key ^ PN_SLOTS_OTHER);
	return hash ^ hash >> 32;
}

/* Of a fixed number of words: where a constant is passed no loop is left. */
static inline uint32_t pn_slots_hash(struct pn_slots *slots,
				     const uint64_t *words, size_t count)
{
	if (!slots->key)
		pn_slots_seed(slots);
	return (uint32_t)pn_slots_mix(slots->key, words, count);
}

/* The same of one. */
static inline uint32_t pn_slots_hash_word(struct pn_slots *slots, uint64_t word)
{
	return pn_slots_hash(slots, &word, 1);
}

static inline size_t pn_slots_first(const struct pn_slots *slots, uint32_t hash)
{
	return slots->size ? hash & (slots->size - 1) : 0;
}

/* The next row with this hash, false when there is none. */
static inline bool pn_slots_row(uint32_t *row, const struct pn_slots *slots,
				size_t *at, uint32_t hash)
{
	const struct pn_slot *items = slots->items;
	size_t i = *at, mask = slots->size - 1;

	if (!slots->size)
		return false;
	for (; items[i].row; i = (i + 1) & mask)
		if (items[i].hash == hash) {
			*row = items[i].row - 1;
			*at = (i + 1) & mask;
			return true;
		}
	return false;
}

#endif
