/* Inside of vcs/ only: the index of a pack, mapped; version 2. */
#ifndef PN_OBJECTS_PACK_INDEX_H
#define PN_OBJECTS_PACK_INDEX_H

#include "base/oid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pn_pack_index {
	const unsigned char *bytes; /* NULL: none */
	size_t size;
};

/* Map a file for reading; NULL when that cannot be, or it is shorter than
 * `least` bytes. For munmap(2). */
const unsigned char *pn_pack_map(size_t *size, const char *path, size_t least);

/* False: it is not there, damaged, or of another version. */
bool pn_pack_index_open(struct pn_pack_index *out, const char *path);
void pn_pack_index_close(struct pn_pack_index *index);

/* 1: *row is its place in the index. 0: it is not in this pack. -1: the index
 * is damaged. */
int pn_pack_index_find(uint32_t *row, const struct pn_pack_index *index,
		       const struct pn_oid *id);
/* How many rows there are. */
uint32_t pn_pack_index_rows(const struct pn_pack_index *index);
/* Where the entry of a row begins in the pack; 0: the index is damaged. */
uint64_t pn_pack_index_offset(const struct pn_pack_index *index, uint32_t row);
/* The pack's own sum, of PN_OID_BYTES, which its last bytes are. */
const unsigned char *pn_pack_index_sum(const struct pn_pack_index *index);

#endif
