/* A delta of a pack on a base: the first byte says how long that is. */
#include "vcs/objects/pack_delta.h"

#include <stdint.h>
#include <stdlib.h>

#define LIMIT (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_buf base = {0}, delta = {0}, out = {0};
	size_t len = size ? data[0] : 0;

	if (!size || len > size - 1)
		return 0;
	/* copies, so that a sanitizer sees their ends */
	pn_buf_add(&base, data + 1, len);
	pn_buf_add(&delta, data + 1 + len, size - 1 - len);
	pn_pack_delta_apply(&out, &base, &delta, LIMIT);
	if (out.len > LIMIT)
		abort();
	pn_buf_release(&base);
	pn_buf_release(&delta);
	pn_buf_release(&out);
	return 0;
}
