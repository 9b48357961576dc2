/* Code addresses of records as locations of a profile. */
#include "collect/names/address_map.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/slots.h"

#include <stdlib.h>
#include <string.h>

/* A file's mapping; in the profile from its first location on. */
struct known {
	struct pn_mapping mapping;
	uint32_t index; /* in the profile, or PN_NONE */
};

/* What is mapped now. */
struct area {
	uint64_t start, limit;
	uint64_t shift; /* to add for the address in the profile */
	size_t known;
};

struct pn_address_map {
	struct pn_profile *profile;
	struct area *areas; /* sorted, disjoint */
	size_t count, cap;
	struct known *known;
	size_t known_count, known_cap;
	struct pn_slots locations; /* by mapping and address */
};

struct pn_address_map *pn_address_map_new(struct pn_profile *profile)
{
	struct pn_address_map *map = pn_calloc(1, sizeof(*map));

	map->profile = profile;
	return map;
}

void pn_address_map_free(struct pn_address_map *map)
{
	if (!map)
		return;
	free(map->areas);
	free(map->known);
	pn_slots_release(&map->locations);
	free(map);
}

void pn_address_map_restart(struct pn_address_map *map)
{
	map->count = 0;
}

static uint32_t add_hex(struct pn_profile *p, const uint8_t *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	struct pn_buf hex = {0};
	uint32_t id;
	size_t i;

	for (i = 0; i < len; i++) {
		pn_buf_add_byte(&hex, (unsigned char)digits[bytes[i] >> 4]);
		pn_buf_add_byte(&hex, (unsigned char)digits[bytes[i] & 15]);
	}
	id = pn_strtab_add(&p->strings, hex.data, hex.len);
	pn_buf_release(&hex);
	return id;
}

static size_t find_known(struct pn_address_map *map,
			 const struct pn_runtime_mapping *mapping,
			 const char *path)
{
	struct pn_profile *p = map->profile;
	struct known k = {.index = PN_NONE};
	struct pn_mapping *m = &k.mapping;
	size_t i;

	m->offset = mapping->offset;
	m->start = mapping->address == PN_RUNTIME_NO_ADDRESS ? mapping->start
							     : mapping->address;
	m->limit = m->start + (mapping->limit - mapping->start);
	m->file = pn_strtab_add_text(&p->strings, *path ? path : "[anon]");
	m->build_id = add_hex(p, mapping->build_id, mapping->build_id_len);
	for (i = 0; i < map->known_count; i++)
		if (!memcmp(m, &map->known[i].mapping, sizeof(*m)))
			return i;
	map->known = pn_grow(map->known, &map->known_cap, i + 1, sizeof(k));
	map->known[i] = k;
	/* profile.proto: the first mapping is the program */
	if (!i && *path)
		map->known[i].index = pn_profile_add_mapping(p, m);
	map->known_count = i + 1;
	return i;
}

static uint32_t use_known(struct pn_address_map *map, size_t i)
{
	struct known *k = &map->known[i];

	if (k->index == PN_NONE)
		k->index = pn_profile_add_mapping(map->profile, &k->mapping);
	return k->index;
}

/* The first area whose limit is above `address`. */
static size_t find_area(const struct pn_address_map *map, uint64_t address)
{
	size_t low = 0, high = map->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (map->areas[middle].limit <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Take start..limit out of what is mapped; returns where it would stand. */
static size_t cut(struct pn_address_map *map, uint64_t start, uint64_t limit)
{
	size_t at = find_area(map, start), end, keep;
	struct area *a = map->areas;

	if (at < map->count && a[at].start < start && a[at].limit > limit) {
		memmove(a + at + 1, a + at, (map->count - at) * sizeof(*a));
		map->count++;
		a[at + 1].start = limit;
		a[at++].limit = start;
		return at;
	}
	if (at < map->count && a[at].start < start)
		a[at++].limit = start;
	for (end = at; end < map->count && a[end].limit <= limit; end++)
		;
	keep = map->count - end;
	if (end < map->count && a[end].start < limit)
		a[end].start = limit;
	memmove(a + at, a + end, keep * sizeof(*a));
	map->count = at + keep;
	return at;
}

void pn_address_map_add(struct pn_address_map *map,
			const struct pn_runtime_mapping *mapping,
			const char *path)
{
	struct area area = {.start = mapping->start, .limit = mapping->limit};
	size_t at;

	/* one to add, and one that is cut in two */
	map->areas = pn_grow(map->areas, &map->cap, map->count + 2,
			     sizeof(*map->areas));
	area.known = find_known(map, mapping, path);
	if (mapping->address != PN_RUNTIME_NO_ADDRESS)
		area.shift = mapping->address - mapping->start;
	at = cut(map, area.start, area.limit);
	memmove(map->areas + at + 1, map->areas + at,
		(map->count - at) * sizeof(area));
	map->areas[at] = area;
	map->count++;
}

uint32_t pn_address_map_locate(struct pn_address_map *map, uint64_t address)
{
	struct pn_profile *p = map->profile;
	struct pn_location want = {.address = address, .mapping = PN_NONE};
	size_t at = find_area(map, address);
	uint64_t words[2];
	uint32_t hash, row;

	if (at < map->count && map->areas[at].start <= address) {
		want.mapping = use_known(map, map->areas[at].known);
		want.address += map->areas[at].shift;
	}
	words[0] = want.mapping;
	words[1] = want.address;
	hash = pn_slots_hash(&map->locations, words, 2);
	at = pn_slots_first(&map->locations, hash);
	while (pn_slots_row(&row, &map->locations, &at, hash))
		if (p->locations[row].mapping == want.mapping &&
		    p->locations[row].address == want.address)
			return row;
	row = pn_profile_add_location(p, &want, NULL, 0);
	pn_slots_add(&map->locations, hash, row);
	return row;
}
