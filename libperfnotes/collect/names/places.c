/* Code addresses of records as locations of a profile. */
#include "collect/names/places.h"

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

struct pn_places {
	struct pn_profile *profile;
	struct area *areas; /* sorted, disjoint */
	size_t count, cap;
	struct known *known;
	size_t known_count, known_cap;
	struct pn_slots locations; /* by mapping and address */
};

struct pn_places *pn_places_new(struct pn_profile *profile)
{
	struct pn_places *places = pn_calloc(1, sizeof(*places));

	places->profile = profile;
	return places;
}

void pn_places_free(struct pn_places *places)
{
	if (!places)
		return;
	free(places->areas);
	free(places->known);
	pn_slots_release(&places->locations);
	free(places);
}

void pn_places_restart(struct pn_places *places)
{
	places->count = 0;
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

static size_t find_known(struct pn_places *places,
			 const struct pn_runtime_mapping *mapping,
			 const char *path)
{
	struct pn_profile *p = places->profile;
	struct known k = {.index = PN_NONE};
	struct pn_mapping *m = &k.mapping;
	size_t i;

	m->offset = mapping->offset;
	m->start = mapping->address == PN_RUNTIME_NO_ADDRESS ? mapping->start
							     : mapping->address;
	m->limit = m->start + (mapping->limit - mapping->start);
	m->file = pn_strtab_add_text(&p->strings, *path ? path : "[anon]");
	m->build_id = add_hex(p, mapping->build_id, mapping->build_id_len);
	for (i = 0; i < places->known_count; i++)
		if (!memcmp(m, &places->known[i].mapping, sizeof(*m)))
			return i;
	places->known =
		pn_grow(places->known, &places->known_cap, i + 1, sizeof(k));
	places->known[i] = k;
	/* profile.proto: the first mapping is the program */
	if (!i && *path)
		places->known[i].index = pn_profile_add_mapping(p, m);
	places->known_count = i + 1;
	return i;
}

static uint32_t use_known(struct pn_places *places, size_t i)
{
	struct known *k = &places->known[i];

	if (k->index == PN_NONE)
		k->index = pn_profile_add_mapping(places->profile, &k->mapping);
	return k->index;
}

/* The first area whose limit is above `address`. */
static size_t find_area(const struct pn_places *places, uint64_t address)
{
	size_t low = 0, high = places->count, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (places->areas[middle].limit <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Take start..limit out of what is mapped; returns where it would stand. */
static size_t cut(struct pn_places *places, uint64_t start, uint64_t limit)
{
	size_t at = find_area(places, start), end, keep;
	struct area *a = places->areas;

	if (at < places->count && a[at].start < start && a[at].limit > limit) {
		memmove(a + at + 1, a + at, (places->count - at) * sizeof(*a));
		places->count++;
		a[at + 1].start = limit;
		a[at++].limit = start;
		return at;
	}
	if (at < places->count && a[at].start < start)
		a[at++].limit = start;
	for (end = at; end < places->count && a[end].limit <= limit; end++)
		;
	keep = places->count - end;
	if (end < places->count && a[end].start < limit)
		a[end].start = limit;
	memmove(a + at, a + end, keep * sizeof(*a));
	places->count = at + keep;
	return at;
}

void pn_places_map(struct pn_places *places,
		   const struct pn_runtime_mapping *mapping, const char *path)
{
	struct area area = {.start = mapping->start, .limit = mapping->limit};
	size_t at;

	/* one to add, and one that is cut in two */
	places->areas = pn_grow(places->areas, &places->cap, places->count + 2,
				sizeof(*places->areas));
	area.known = find_known(places, mapping, path);
	if (mapping->address != PN_RUNTIME_NO_ADDRESS)
		area.shift = mapping->address - mapping->start;
	at = cut(places, area.start, area.limit);
	memmove(places->areas + at + 1, places->areas + at,
		(places->count - at) * sizeof(area));
	places->areas[at] = area;
	places->count++;
}

uint32_t pn_places_locate(struct pn_places *places, uint64_t address)
{
	struct pn_profile *p = places->profile;
	struct pn_location want = {.address = address, .mapping = PN_NONE};
	size_t at = find_area(places, address);
	uint64_t words[2];
	uint32_t hash, row;

	if (at < places->count && places->areas[at].start <= address) {
		want.mapping = use_known(places, places->areas[at].known);
		want.address += places->areas[at].shift;
	}
	words[0] = want.mapping;
	words[1] = want.address;
	hash = pn_slots_hash(&places->locations, words, 2);
	at = pn_slots_first(&places->locations, hash);
	while (pn_slots_row(&row, &places->locations, &at, hash))
		if (p->locations[row].mapping == want.mapping &&
		    p->locations[row].address == want.address)
			return row;
	row = pn_profile_add_location(p, &want, NULL, 0);
	pn_slots_add(&places->locations, hash, row);
	return row;
}
