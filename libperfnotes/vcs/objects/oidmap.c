/* Object names to numbers, open addressing; a name is its own hash. */
#include "vcs/objects/oidmap.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define SLOTS_MIN 64

void pn_oidmap_release(struct pn_oidmap *map)
{
	free(map->keys);
	free(map->slots);
	memset(map, 0, sizeof(*map));
}

static uint32_t *slot_for(const struct pn_oidmap *map, const struct pn_oid *key)
{
	uint64_t hash;
	size_t i;

	memcpy(&hash, key->bytes, sizeof(hash));
	for (i = hash & (map->slot_count - 1); map->slots[i];
	     i = (i + 1) & (map->slot_count - 1))
		if (pn_oid_equal(&map->keys[map->slots[i] - 1], key))
			break;
	return &map->slots[i];
}

uint32_t pn_oidmap_find(const struct pn_oidmap *map, const struct pn_oid *key)
{
	/* A free slot has 0, which becomes NONE. */
	return map->slot_count ? *slot_for(map, key) - 1 : PN_OIDMAP_NONE;
}

static void grow(struct pn_oidmap *map)
{
	size_t i;

	free(map->slots);
	map->slot_count = map->slot_count ? map->slot_count * 2 : SLOTS_MIN;
	map->slots = pn_calloc(map->slot_count, sizeof(*map->slots));
	for (i = 0; i < map->count; i++)
		*slot_for(map, &map->keys[i]) = (uint32_t)i + 1;
}

void pn_oidmap_add(struct pn_oidmap *map, const struct pn_oid *key)
{
	if (2 * map->count >= map->slot_count)
		grow(map);
	map->keys = pn_grow(map->keys, &map->cap, map->count + 1,
			    sizeof(*map->keys));
	map->keys[map->count] = *key;
	*slot_for(map, key) = (uint32_t)++map->count;
}
