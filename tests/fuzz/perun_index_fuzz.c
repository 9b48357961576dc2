/* An index of any bytes: what is read and written again is the same bytes. */
#include "perun/index.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_perun_index index;
	struct pn_buf back = {0};
	struct pn_error err;
	size_t i;

	if (pn_perun_index_parse(&index, data, size, &err)) {
		if (!err.code || !*err.message)
			abort();
		return 0;
	}
	pn_perun_index_write(&back, index.layout, index.items, index.count);
	if (back.len != size || memcmp(back.data, data, size) != 0)
		abort();
	for (i = 0; i < index.count; i++)
		pn_perun_listing_settle(&index.items[i], "w");
	pn_perun_listings_sort(index.items, index.count);
	for (i = 1; i < index.count; i++)
		if (strcmp(index.items[i - 1].name, index.items[i].name) > 0)
			abort();
	pn_buf_release(&back);
	pn_perun_index_release(&index);
	return 0;
}
