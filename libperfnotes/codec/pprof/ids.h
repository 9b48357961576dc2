/*
 * Ids of a pprof table. A file may number its mappings, functions and
 * locations as it likes, in 64 bits, and use a number before it says what it
 * stands for. Columns hold 32 bits, so an id is given a name at once (itself,
 * when it is small) and the name its index at the end, when all is defined.
 */
#ifndef PN_PPROF_IDS_H
#define PN_PPROF_IDS_H

#include "base/error.h"
#include "base/slots.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_IDS_SMALL ((uint64_t)1 << 31) /* ids from here have other names */

struct pn_ids {
	uint32_t *defined; /* names, in order of definition */
	size_t count, cap;
	bool counted;	 /* ids defined so far are 1, 2, 3 ... */
	uint64_t *large; /* name PN_IDS_SMALL + i stands for large[i] */
	size_t large_count, large_cap;
	struct pn_slots large_slots; /* i by id */
	uint32_t *direct;	     /* name -> index + 1 */
	size_t direct_count;
	struct pn_slots slots; /* or index by name */
};

void pn_ids_init(struct pn_ids *ids);
void pn_ids_release(struct pn_ids *ids);

/* The name of an id. */
uint32_t pn_ids_name(struct pn_ids *ids, uint64_t id);
/* The id of a name. */
uint64_t pn_ids_id(const struct pn_ids *ids, uint32_t name);
/* Define the next index. */
void pn_ids_define(struct pn_ids *ids, uint64_t id);
/* No more definitions: from now on pn_ids_index answers. PN_EINVAL for an id
 * defined twice: "two <what>s have id 7". */
int pn_ids_finish(struct pn_ids *ids, const char *what, struct pn_error *err);
/* The index of a name, PN_NONE (all ones) when it was never defined. */
uint32_t pn_ids_index(struct pn_ids *ids, uint32_t name);

#endif
