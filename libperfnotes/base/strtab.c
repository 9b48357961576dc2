/* Strings by number: their bytes in an arena, an index of their hashes. */
#include "base/strtab.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "base/slots.h"

#include <stdlib.h>
#include <string.h>

void pn_strtab_release(struct pn_strtab *tab)
{
	if (!tab)
		return;
	pn_arena_release(&tab->arena);
	free(tab->items);
	if (tab->slots)
		pn_slots_release(tab->slots);
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

static bool find_hashed(uint32_t *id, const struct pn_strtab *tab,
			const void *bytes, size_t len, uint32_t hash)
{
	size_t at = pn_slots_first(tab->slots, hash);

	while (pn_slots_row(id, tab->slots, &at, hash)) {
		const struct pn_str *s = &tab->items[*id];

		if (s->len == len && (!len || !memcmp(s->data, bytes, len)))
			return true;
	}
	return false;
}

/* Also what was appended without a hash. */
static void begin_hashing(struct pn_strtab *tab)
{
	size_t i;

	tab->key[0] = pn_hash_secret();
	tab->key[1] = ~tab->key[0];
	tab->slots = pn_calloc(1, sizeof(*tab->slots));
	if (!tab->count)
		append(tab, "", 0, 0);
	for (i = 0; i < tab->count; i++) {
		struct pn_str *s = &tab->items[i];

		s->hash = hash_bytes(tab, s->data, s->len);
		pn_slots_add(tab->slots, s->hash, (uint32_t)i);
	}
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
	uint32_t id;

	if (find_hashed(&id, tab, bytes, len, hash))
		return id;
	id = append(tab, bytes, len, hash);
	pn_slots_add(tab->slots, hash, id);
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
	uint32_t id;

	if (!tab->slots)
		return find_unhashed(out, tab, bytes, len);
	if (!find_hashed(&id, tab, bytes, len, hash_bytes(tab, bytes, len)))
		return 0;
	*out = id;
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
