/*
 * Strings by number: each distinct string is kept once and has a dense id in
 * order of first addition. Id 0 is always "". A zeroed struct is an empty
 * table. Strings may hold NUL bytes; each is followed by a NUL of its own.
 */
#ifndef PN_BASE_STRTAB_H
#define PN_BASE_STRTAB_H

#include "base/arena.h"

#include <stddef.h>
#include <stdint.h>

struct pn_slots;

struct pn_str {
	const char *data;
	uint32_t len;
	uint32_t hash;
};

struct pn_strtab {
	struct pn_arena arena;
	struct pn_str *items;
	size_t count, cap;
	struct pn_slots *slots; /* ids by their hash; NULL: not hashed yet */
	uint64_t key[2];	/* of the hash: pn_hash_secret */
};

void pn_strtab_release(struct pn_strtab *tab);
/* The id of these bytes, added when new. A string has under 2^32 bytes. */
uint32_t pn_strtab_add(struct pn_strtab *tab, const void *bytes, size_t len);
uint32_t pn_strtab_add_text(struct pn_strtab *tab, const char *text);
/* The id of the string that `from` has by that number, which is not hashed
 * again where both have one key. */
uint32_t pn_strtab_add_from(struct pn_strtab *tab, const struct pn_strtab *from,
			    uint32_t id);
/* As pn_strtab_add for what is known not to be there: it is not looked for,
 * and not hashed before somebody asks for a string. "" is to be added first. */
uint32_t pn_strtab_append(struct pn_strtab *tab, const void *bytes, size_t len);
/* A table, not filled yet, with the same strings by the same ids. */
void pn_strtab_copy(struct pn_strtab *out, const struct pn_strtab *from);
/* Whether the string is there; *out is its id then. */
int pn_strtab_find(uint32_t *out, const struct pn_strtab *tab,
		   const void *bytes, size_t len);
/* The text of an id; "" for 0 and for an id that was never given. */
const char *pn_strtab_text(const struct pn_strtab *tab, uint32_t id);
size_t pn_strtab_len(const struct pn_strtab *tab, uint32_t id);

#endif
