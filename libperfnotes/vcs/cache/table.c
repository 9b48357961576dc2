/* A cache file as bytes. Pure. */
#include "vcs/cache/table.h"

#include "base/ahead.h"
#include "base/slots.h"

#include <string.h>

#define MAGIC "gpcache3"
#define ORDER UINT32_C(0x01020304)
#define SEED UINT64_C(0x8ebc6af09c88c6e3)
#define LANES 4
#define LARGE (1u << 20) /* bytes that are worth a thread */

struct head {
	char magic[8];
	uint32_t order, count;
	uint64_t size;
};

_Static_assert(sizeof(struct head) == PN_CACHE_HEAD &&
		       sizeof(struct pn_cache_row) == 40,
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
	if (len < sizeof(head) || len > PN_CACHE_MAX || len % 8)
		return;
	memcpy(&head, bytes, sizeof(head));
	if (memcmp(head.magic, MAGIC, sizeof(head.magic)) != 0 ||
	    head.order != ORDER || head.size != len ||
	    head.count > (len - sizeof(head)) / sizeof(struct pn_cache_row))
		return;
	out->bytes = bytes;
	out->count = head.count;
	out->rows = (const void *)(out->bytes + len -
				   out->count * sizeof(*out->rows));
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

/* The rows that are written. */
struct writing {
	const struct pn_cache_item *items;
	const unsigned char *bytes; /* of the file */
	struct pn_cache_row *rows;
	size_t from[3]; /* the first one of each half, and the end */
};

static void write_rows(void *data, size_t half, size_t worker)
{
	const struct writing *w = data;
	size_t i;

	(void)worker;
	for (i = w->from[half]; i < w->from[half + 1]; i++) {
		const struct pn_cache_item *item = &w->items[i];
		const unsigned char *value = item->value;

		w->rows[i] = (struct pn_cache_row){
			item->key, (uint32_t)(value - w->bytes), item->len,
			pn_cache_sum(&item->key, value, item->len)};
	}
}

static void append(struct pn_buf *out, struct pn_cache_item *item)
{
	unsigned char *at = out->data + out->len;
	size_t padded = pn_cache_padded(item->len);

	if (item->len)
		memcpy(at, item->value, item->len);
	memset(at + item->len, 0, padded - item->len);
	item->value = at;
	out->len += padded;
}

static bool lies_in(const struct pn_buf *bytes,
		    const struct pn_cache_item *item)
{
	uintptr_t at = (uintptr_t)item->value, from = (uintptr_t)bytes->data;

	return at >= from && at - from < bytes->len;
}

void pn_cache_table_write(struct pn_buf *out, struct pn_cache_item *items,
			  size_t count)
{
	struct head head = {MAGIC, ORDER, (uint32_t)count, 0};
	struct writing w = {.items = items, .from = {0, count / 2, count}};
	size_t i;

	for (i = 0; i < count; i++)
		if (!lies_in(out, &items[i]))
			append(out, &items[i]);
	w.bytes = out->data;
	w.rows = (struct pn_cache_row *)(void *)(out->data + out->len);
	if (out->len < LARGE) {
		write_rows(&w, 0, 0);
		write_rows(&w, 1, 0);
	} else {
		pn_ahead_both(write_rows, &w);
	}
	out->len += count * sizeof(*w.rows);
	head.size = out->len;
	memcpy(out->data, &head, sizeof(head));
}
