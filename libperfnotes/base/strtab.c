/* Strings by number: open addressing over an arena. */
#include "base/strtab.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

void pn_strtab_release(struct pn_strtab *tab)
{
	if (!tab)
		return;
	pn_arena_release(&tab->arena);
	free(tab->items);
	free(tab->slots);
	memset(tab, 0, sizeof(*tab));
}

struct sip {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotate(uint64_t x, unsigned int by)
{
	return x << by | x >> (64 - by);
}

static inline void sip_round(struct sip *s)
{
	s->v0 += s->v1;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v2 = rotate(s->v2, 32);
}

static inline void sip_word(struct sip *s, uint64_t word)
{
	s->v3 ^= word;
	sip_round(s);
	s->v0 ^= word;
}

/*
 * SipHash-1-3 (Aumasson & Bernstein, 2012) with a secret: strings come from
 * hostile files, and without one, or with a hash that only multiplies, a file
 * could make all of them collide.
 */
static uint32_t hash_bytes(const struct pn_strtab *tab, const void *bytes,
			   size_t len)
{
	struct sip s = {tab->key[0] ^ UINT64_C(0x736f6d6570736575),
			tab->key[1] ^ UINT64_C(0x646f72616e646f6d),
			tab->key[0] ^ UINT64_C(0x6c7967656e657261),
			tab->key[1] ^ UINT64_C(0x7465646279746573)};
	const unsigned char *p = bytes;
	uint64_t word, last = (uint64_t)len << 56;

	for (; len >= 8; p += 8, len -= 8) {
		memcpy(&word, p, 8);
		sip_word(&s, word);
	}
	word = 0;
	if (len)
		memcpy(&word, p, len);
	sip_word(&s, word | last);
	s.v2 ^= 255;
	sip_round(&s);
	sip_round(&s);
	sip_round(&s);
	return (uint32_t)(s.v0 ^ s.v1 ^ s.v2 ^ s.v3);
}

static void rehash(struct pn_strtab *tab, size_t slot_count)
{
	size_t i, mask = slot_count - 1;

	free(tab->slots);
	tab->slots = pn_calloc(slot_count, sizeof(*tab->slots));
	tab->slot_count = slot_count;
	for (i = 0; i < tab->count; i++) {
		size_t at = tab->items[i].hash & mask;

		while (tab->slots[at])
			at = (at + 1) & mask;
		tab->slots[at] = (uint32_t)i + 1;
	}
}

static uint32_t append(struct pn_strtab *tab, const void *bytes, size_t len,
		       uint32_t hash)
{
	struct pn_str *item;

	tab->items = pn_grow(tab->items, &tab->cap, tab->count + 1,
			     sizeof(*tab->items));
	item = &tab->items[tab->count];
	item->data = pn_arena_copy(&tab->arena, bytes, len);
	item->len = (uint32_t)len;
	item->hash = hash;
	return (uint32_t)tab->count++;
}

/* The slot that holds the string, or the free one where it would go. */
static size_t slot_of(const struct pn_strtab *tab, const void *bytes,
		      size_t len, uint32_t hash)
{
	size_t mask = tab->slot_count - 1, at = hash & mask;

	while (tab->slots[at]) {
		const struct pn_str *s = &tab->items[tab->slots[at] - 1];

		if (s->hash == hash && s->len == len &&
		    (!len || !memcmp(s->data, bytes, len)))
			break;
		at = (at + 1) & mask;
	}
	return at;
}

/* Also what was appended without a hash. */
static void begin_hashing(struct pn_strtab *tab)
{
	size_t i, slot_count = 64;

	tab->key[0] = pn_hash_secret();
	tab->key[1] = ~tab->key[0];
	if (!tab->count)
		append(tab, "", 0, 0);
	for (i = 0; i < tab->count; i++)
		tab->items[i].hash =
			hash_bytes(tab, tab->items[i].data, tab->items[i].len);
	while (slot_count < tab->count * 2)
		slot_count *= 2;
	rehash(tab, slot_count);
}

uint32_t pn_strtab_append(struct pn_strtab *tab, const void *bytes, size_t len)
{
	if (tab->slots)
		return pn_strtab_add(tab, bytes, len);
	if (len >= UINT32_MAX || tab->count >= UINT32_MAX - 1)
		pn_alloc_failed(len);
	return append(tab, bytes, len, 0);
}

/* In a table that is hashed. */
static uint32_t add_hashed(struct pn_strtab *tab, const void *bytes, size_t len,
			   uint32_t hash)
{
	size_t at = slot_of(tab, bytes, len, hash);
	uint32_t id;

	if (tab->slots[at])
		return tab->slots[at] - 1;
	id = append(tab, bytes, len, hash);
	tab->slots[at] = id + 1;
	if (tab->count * 2 > tab->slot_count)
		rehash(tab, tab->slot_count * 2);
	return id;
}

uint32_t pn_strtab_add(struct pn_strtab *tab, const void *bytes, size_t len)
{
	if (!tab->slots)
		begin_hashing(tab);
	if (len >= UINT32_MAX || tab->count >= UINT32_MAX - 1)
		pn_alloc_failed(len);
	return add_hashed(tab, bytes, len, hash_bytes(tab, bytes, len));
}

uint32_t pn_strtab_add_from(struct pn_strtab *tab, const struct pn_strtab *from,
			    uint32_t id)
{
	const struct pn_str *s;

	if (!tab->slots || !from->slots || tab->key[0] != from->key[0] ||
	    id >= from->count || tab->count >= UINT32_MAX - 1)
		return pn_strtab_add(tab, pn_strtab_text(from, id),
				     pn_strtab_len(from, id));
	s = &from->items[id];
	return add_hashed(tab, s->data, s->len, s->hash);
}

uint32_t pn_strtab_add_text(struct pn_strtab *tab, const char *text)
{
	return pn_strtab_add(tab, text, strlen(text));
}

/* An empty table has "", too. */
static int find_unhashed(uint32_t *out, const struct pn_strtab *tab,
			 const void *bytes, size_t len)
{
	size_t i;

	for (i = 0; i < tab->count; i++)
		if (tab->items[i].len == len &&
		    (!len || !memcmp(tab->items[i].data, bytes, len)))
			break;
	if (i == tab->count && len)
		return 0;
	*out = i < tab->count ? (uint32_t)i : 0;
	return 1;
}

int pn_strtab_find(uint32_t *out, const struct pn_strtab *tab,
		   const void *bytes, size_t len)
{
	size_t at;

	if (!tab->slots)
		return find_unhashed(out, tab, bytes, len);
	at = slot_of(tab, bytes, len, hash_bytes(tab, bytes, len));
	if (!tab->slots[at])
		return 0;
	*out = tab->slots[at] - 1;
	return 1;
}

const char *pn_strtab_text(const struct pn_strtab *tab, uint32_t id)
{
	return id < tab->count ? tab->items[id].data : "";
}

size_t pn_strtab_len(const struct pn_strtab *tab, uint32_t id)
{
	return id < tab->count ? tab->items[id].len : 0;
}

void pn_strtab_copy(struct pn_strtab *out, const struct pn_strtab *from)
{
	uint32_t i;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < from->count; i++)
		pn_strtab_add_from(out, from, i);
}
