/*
 * Which code lies at an address, while code comes, moves and is overwritten:
 * ranges that do not lie in each other, the newest wins.
 */
#ifndef PN_V8_CODE_MAP_H
#define PN_V8_CODE_MAP_H

#include "base/slots.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_code_map {
	struct pn_code_range {
		uint64_t begin, end;
		uint32_t what;	      /* the caller's */
		uint32_t left, right; /* nodes + 1 */
		uint32_t weight;      /* random: a parent's is larger */
	} * nodes;
	size_t count, cap;
	uint32_t root; /* node + 1 */
	struct pn_slots random;
};

void pn_code_map_release(struct pn_code_map *map);
/* Code of `size` bytes; what began in them is forgotten. */
void pn_code_map_add(struct pn_code_map *map, uint64_t begin, uint64_t size,
		     uint32_t what);
/* NULL: no code is there. */
const struct pn_code_range *pn_code_map_find(const struct pn_code_map *map,
					     uint64_t address);
/* What began at `from` begins at `to` now. */
void pn_code_map_move(struct pn_code_map *map, uint64_t from, uint64_t to);

#endif
