/* A cache file as bytes. Pure. */
#include "vcs/cache/table.h"

#include "base/ahead.h"
#include "base/large.h"
#include "base/slots.h"

#include <string.h>

#define MAGIC "gpcache2"
#define ORDER UINT32_C(0x01020304)
#define SEED UINT64_C(0x8ebc6af09c88c6e3)
#define LANES 4
#define LARGE (1u << 20) /* bytes that are worth a thread */

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

/* What is written: rows in order, and their values behind all of them. */
struct writing {
	const struct pn_cache_item *items;
	unsigned char *bytes; /* of the file */
	size_t from[3];	      /* the first item of each half, and the end */
	size_t at[2];	      /* where the value of that is */
};

static void write_items(void *data, size_t half, size_t worker)
{
	const struct writing *w = data;
	size_t from = w->from[half], at = w->at[half];

	(void)worker;
	for (; from < w->from[half + 1]; from++) {
		const struct pn_cache_item *item = &w->items[from];
		struct pn_cache_row row = {
			item->key, (uint32_t)at, item->len,
			pn_cache_sum(&item->key, item->value, item->len)};
		size_t end = at + pn_cache_padded(item->len);

		memcpy(w->bytes + sizeof(struct head) + from * sizeof(row),
		       &row, sizeof(row));
		memcpy(w->bytes + at, item->value, item->len);
		at += item->len;
		memset(w->bytes + at, 0, end - at);
		at = end;
	}
}

void pn_cache_table_write(struct pn_buf *out, const struct pn_cache_item *items,
			  size_t count)
{
	struct head head = {MAGIC, ORDER, (uint32_t)count, 0};
	struct writing w = {.items = items, .from = {0, count / 2, count}};
	size_t i, half;

	head.size = sizeof(head) + count * sizeof(struct pn_cache_row);
	for (half = 0; half < 2; half++) {
		w.at[half] = head.size;
		for (i = w.from[half]; i < w.from[half + 1]; i++)
			head.size += pn_cache_padded(items[i].len);
	}
	out->data = w.bytes = pn_large_whole(head.size + 1);
	out->cap = head.size + 1;
	out->len = head.size;
	memcpy(w.bytes, &head, sizeof(head));
	w.bytes[head.size] = '\0';
	if (head.size < LARGE) {
		write_items(&w, 0, 0);
		write_items(&w, 1, 0);
	} else {
		pn_ahead_both(write_items, &w);
	}
}
