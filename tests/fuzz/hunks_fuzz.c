/* A difference of files with hostile names and lines. */
#include "vcs/files/hunks.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_hunks hunks = {.count = 0};
	struct pn_buf text = {0};
	struct pn_error err;
	size_t i;

	pn_buf_add(&text, data, size);
	if (!pn_hunks_parse(&hunks, &text, &err)) {
		for (i = 0; i < hunks.count; i++)
			if (!hunks.items[i].path || !hunks.items[i].context ||
			    strlen(hunks.items[i].context) > size)
				abort();
		for (i = 0; i < hunks.binary_count; i++)
			if (strlen(hunks.binaries[i]) > size)
				abort();
	}
	pn_hunks_release(&hunks);
	pn_buf_release(&text);
	return 0;
}
