/* Object names to numbers, open addressing; a name is its own hash. */
#include "vcs/oidmap.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 64

void pn_oidmap_release(struct pn_oidmap *map)
{
	free(map->slots);
	memset(map, 0, sizeof(*map));
}

static struct pn_oidmap_slot *slot_for(const struct pn_oidmap *map,
				       const struct pn_oid *key)
{
	uint64_t hash;
	size_t i;

	memcpy(&hash, key->bytes, sizeof(hash));
	for (i = hash & (map->slot_count - 1); map->slots[i].value;
	     i = (i + 1) & (map->slot_count - 1))
		if (pn_oid_equal(&map->slots[i].key, key))
			break;
	return &map->slots[i];
}

uint32_t pn_oidmap_find(const struct pn_oidmap *map, const struct pn_oid *key)
{
	/* A free slot has 0, which becomes NONE. */
	return map->slot_count ? slot_for(map, key)->value - 1 : PN_OIDMAP_NONE;
}

static void grow(struct pn_oidmap *map)
{
	struct pn_oidmap old = *map;
	size_t i;

	map->slot_count = old.slot_count ? old.slot_count * 2 : SLOTS_MIN;
	map->slots = pn_calloc(map->slot_count, sizeof(*map->slots));
	for (i = 0; i < old.slot_count; i++)
		if (old.slots[i].value)
			*slot_for(map, &old.slots[i].key) = old.slots[i];
	free(old.slots);
}

void pn_oidmap_add(struct pn_oidmap *map, const struct pn_oid *key,
		   uint32_t value)
{
	struct pn_oidmap_slot *slot;

	if (2 * map->used >= map->slot_count)
		grow(map);
	slot = slot_for(map, key);
	slot->key = *key;
	slot->value = value + 1;
	map->used++;
}
