/*
 * A cache file of any bytes: what is found in it lies in it, and what is
 * written of it is found again.
 */
#include "vcs/cache/table.h"

#include <stdlib.h>
#include <string.h>

#define ROWS_MAX 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok)
{
	if (!ok)
		abort();
}

/* Every other value lies in the file already. */
static void find_again(const struct pn_cache_item *given, size_t count)
{
	struct pn_buf bytes = {.cap = PN_CACHE_HEAD, .len = PN_CACHE_HEAD};
	struct pn_cache_item items[ROWS_MAX], item;
	struct pn_cache_table table;
	size_t i, row;

	for (i = 0; i < count; i++)
		bytes.cap += pn_cache_item_size(given[i].len);
	bytes.data = malloc(bytes.cap);
	must(bytes.data != NULL);
	for (i = 0; i < count; i++) {
		items[i] = given[i];
		if (i % 2 || !given[i].len)
			continue;
		items[i].value = bytes.data + bytes.len;
		memcpy(bytes.data + bytes.len, given[i].value, given[i].len);
		bytes.len += pn_cache_padded(given[i].len);
	}
	pn_cache_table_write(&bytes, items, count);
	must(bytes.len == bytes.cap);
	pn_cache_table_open(&table, bytes.data, bytes.len);
	must(table.count == count);
	for (i = 0; i < count; i++) {
		must(pn_cache_table_find(&row, &table, &items[i].key));
		must(row == i && pn_cache_table_value(&item, &table, row));
		must(item.len == given[i].len &&
		     (!item.len ||
		      !memcmp(item.value, given[i].value, item.len)));
	}
	pn_buf_release(&bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_cache_item items[ROWS_MAX], item;
	struct pn_cache_table table;
	size_t i, n = 0, row, sum = 0;

	pn_cache_table_open(&table, data, size);
	for (i = 0; i < table.count && n < ROWS_MAX; i++) {
		pn_cache_table_find(&row, &table, &table.rows[i].key);
		/* whatever its checksum says, it may be read */
		if (!pn_cache_table_value(&item, &table, i)) {
			item = (struct pn_cache_item){table.rows[i].key, NULL,
						      0};
		}
		sum += pn_cache_item_size(item.len);
		if (sum < PN_CACHE_MAX / 2 &&
		    (!n || pn_cache_key_cmp(&items[n - 1].key, &item.key) < 0))
			items[n++] = item;
	}
	find_again(items, n);
	return 0;
}
