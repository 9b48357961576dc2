/*
 * An index of the rows of a table by what they hold. The rows stay where they
 * are; this knows a hash and a number of each. A zeroed struct is empty.
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
/* Of a fixed number of words. */
uint32_t pn_slots_hash(struct pn_slots *slots, const uint64_t *words,
		       size_t count);
uint32_t pn_slots_hash_bytes(struct pn_slots *slots, const void *bytes,
			     size_t len);

static inline size_t pn_slots_first(const struct pn_slots *slots, uint32_t hash)
{
	return slots->size ? hash & (slots->size - 1) : 0;
}

/* The next row with this hash, false when there is none. */
static inline bool pn_slots_row(uint32_t *row, const struct pn_slots *slots,
				size_t *at, uint32_t hash)
{
	const struct pn_slot *slot;

	while (slots->size && (slot = &slots->items[*at])->row) {
		*at = (*at + 1) & (slots->size - 1);
		if (slot->hash == hash) {
			*row = slot->row - 1;
			return true;
		}
	}
	return false;
}

#endif
