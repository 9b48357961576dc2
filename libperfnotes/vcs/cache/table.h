/*
 * Inside of vcs/cache only: the bytes of a cache file, of this machine alone:
 *
 *	"gpcache3", order u32, rows u32, bytes of the file u64
 *	the values, each at a multiple of 8
 *	row: key (20 bytes), kind u32, place u32, length u32, checksum u64
 *
 * Rows are in the order of keys, then kinds. Whatever does not fit is as if it
 * was not there: what is looked up is checked then, row by row.
 */
#ifndef PN_CACHE_TABLE_H
#define PN_CACHE_TABLE_H

#include "base/buf.h"
#include "base/oid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PN_CACHE_MAX (16u << 20) /* bytes of the file */
#define PN_CACHE_HEAD 24	 /* of them, before the values */

struct pn_cache_key {
	struct pn_oid oid;
	uint32_t kind;
};

struct pn_cache_row {
	struct pn_cache_key key;
	uint32_t at, len;
	uint64_t sum;
};

/* Borrows the bytes, which are aligned as malloc aligns. */
struct pn_cache_table {
	const unsigned char *bytes;
	const struct pn_cache_row *rows;
	size_t count, len;
};

/* What a new table is made of. */
struct pn_cache_item {
	struct pn_cache_key key;
	const void *value;
	uint32_t len;
};

/* Values begin at multiples of 8. */
size_t pn_cache_padded(size_t len);
/* Of a key and its value: against what a disk or a cut file does, not against
 * people. */
uint64_t pn_cache_sum(const struct pn_cache_key *key, const void *value,
		      size_t len);
int pn_cache_key_cmp(const struct pn_cache_key *a,
		     const struct pn_cache_key *b);
/* Bytes that a value takes in a file, its row included. */
size_t pn_cache_item_size(size_t len);

/* An empty table when it is damaged, or another machine's. */
void pn_cache_table_open(struct pn_cache_table *out, const void *bytes,
			 size_t len);
/* The number of a key's row; false when there is none. */
bool pn_cache_table_find(size_t *row, const struct pn_cache_table *table,
			 const struct pn_cache_key *key);
/* Its value, borrowed; false when it is damaged. */
bool pn_cache_table_value(struct pn_cache_item *out,
			  const struct pn_cache_table *table, size_t row);
/* What `out` holds are PN_CACHE_HEAD bytes to fill and values, each at a
 * multiple of 8: those of items that lie there stay where they are, others are
 * appended. It has room for all. The items are in order, each key once. */
void pn_cache_table_write(struct pn_buf *out, struct pn_cache_item *items,
			  size_t count);

#endif
