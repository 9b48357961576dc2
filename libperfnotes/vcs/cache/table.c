/* A cache file as bytes. Pure. */
#include "vcs/cache/table.h"

#include "base/large.h"
#include "base/slots.h"

#include <string.h>

#define MAGIC "gpcache2"
#define ORDER UINT32_C(0x01020304)
#define SEED UINT64_C(0x8ebc6af09c88c6e3)
#define LANES 4

struct head {
	char magic[8];
	uint32_t order, count;
	uint64_t size;
};

_Static_assert(sizeof(struct head) == 24 && sizeof(struct pn_cache_row) == 40,
	       "the file has no gaps");

size_t pn_cache_padded(size_t len)
{
	return (len + 7) & ~(size_t)7;
}

size_t pn_cache_item_size(size_t len)
{
	return sizeof(struct pn_cache_row) + pn_cache_padded(len);
}

/* In lanes, as no multiplication waits for that of another one. */
uint64_t pn_cache_sum(const struct pn_cache_key *key, const void *value,
		      size_t len)
{
	uint64_t ends[3 + LANES + LANES] = {0}, *lanes = ends + 3;
	const uint64_t *words = value;
	size_t count = len / (LANES * sizeof(*words)), i, k;
	size_t summed = count * LANES * sizeof(*words);

	memcpy(ends, key, sizeof(*key));
	for (i = 0; i < count; i++)
		for (k = 0; k < LANES; k++)
			lanes[k] = pn_slots_fold(
				lanes[k] ^ words[i * LANES + k], SEED + k);
	memcpy(lanes + LANES, (const char *)value + summed, len - summed);
	return pn_slots_mix(SEED ^ len, ends, 3 + LANES + LANES);
}

int pn_cache_key_cmp(const struct pn_cache_key *a, const struct pn_cache_key *b)
{
	int order = pn_oid_cmp(&a->oid, &b->oid);

	return order ? order : (a->kind > b->kind) - (a->kind < b->kind);
}

void pn_cache_table_open(struct pn_cache_table *out, const void *bytes,
			 size_t len)
{
	struct head head;

	memset(out, 0, sizeof(*out));
	if (len < sizeof(head) || len > PN_CACHE_MAX)
		return;
	memcpy(&head, bytes, sizeof(head));
	if (memcmp(head.magic, MAGIC, sizeof(head.magic)) != 0 ||
	    head.order != ORDER || head.size != len ||
	    head.count > (len - sizeof(head)) / sizeof(struct pn_cache_row))
		return;
	out->bytes = bytes;
	out->rows = (const void *)(out->bytes + sizeof(head));
	out->count = head.count;
	out->len = len;
}

bool pn_cache_table_find(size_t *row, const struct pn_cache_table *table,
			 const struct pn_cache_key *key)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		int order = pn_cache_key_cmp(&table->rows[mid].key, key);

		if (!order) {
			*row = mid;
			return true;
		}
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return false;
}

bool pn_cache_table_value(struct pn_cache_item *out,
			  const struct pn_cache_table *table, size_t row)
{
	const struct pn_cache_row *r = &table->rows[row];

	if (r->at % 8 || r->at > table->len || r->len > table->len - r->at)
		return false;
	*out = (struct pn_cache_item){r->key, table->bytes + r->at, r->len};
	return pn_cache_sum(&r->key, out->value, r->len) == r->sum;
}

void pn_cache_table_write(struct pn_buf *out, const struct pn_cache_item *items,
			  size_t count)
{
	static const char zeros[8];
	struct head head = {MAGIC, ORDER, (uint32_t)count, 0};
	size_t i, at = sizeof(head) + count * sizeof(struct pn_cache_row);

	head.size = sizeof(head);
	for (i = 0; i < count; i++)
		head.size += pn_cache_item_size(items[i].len);
	out->data = pn_large(head.size + 1);
	out->cap = head.size + 1;
	pn_buf_add(out, &head, sizeof(head));
	for (i = 0; i < count; i++) {
		const struct pn_cache_item *item = &items[i];
		struct pn_cache_row row = {
			item->key, (uint32_t)at, item->len,
			pn_cache_sum(&item->key, item->value, item->len)};

		pn_buf_add(out, &row, sizeof(row));
		at += pn_cache_padded(item->len);
	}
	for (i = 0; i < count; i++) {
		pn_buf_add(out, items[i].value, items[i].len);
		pn_buf_add(out, zeros,
			   pn_cache_padded(items[i].len) - items[i].len);
	}
}
