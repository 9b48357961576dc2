/* Object names to numbers. */
#include "vcs/objects/oidmap.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void pn_oidmap_release(struct pn_oidmap *map)
{
	free(map->keys);
	pn_slots_release(&map->slots);
	memset(map, 0, sizeof(*map));
}

/* All of it: what a note is of need not be there, so that whoever makes the
 * folder of notes chooses every bit of its name. */
static uint32_t hash_of(const struct pn_oidmap *map, const struct pn_oid *key)
{
	uint64_t words[3] = {0};

	memcpy(words, key->bytes, PN_OID_BYTES);
	return (uint32_t)pn_slots_mix(map->slots.key, words, 3);
}

uint32_t pn_oidmap_find(const struct pn_oidmap *map, const struct pn_oid *key)
{
	uint32_t hash = hash_of(map, key), row;
	size_t at = pn_slots_first(&map->slots, hash);

	while (pn_slots_row(&row, &map->slots, &at, hash))
		if (pn_oid_equal(&map->keys[row], key))
			return row;
	return PN_OIDMAP_NONE;
}

void pn_oidmap_add(struct pn_oidmap *map, const struct pn_oid *key)
{
	if (!map->count)
		pn_slots_seed(&map->slots);
	map->keys = pn_grow(map->keys, &map->cap, map->count + 1,
			    sizeof(*map->keys));
	map->keys[map->count] = *key;
	pn_slots_add(&map->slots, hash_of(map, key), (uint32_t)map->count++);
}
