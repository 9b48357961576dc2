/* What is squeezed comes out of zlib's inflate again, whatever it is. */
#include "base/deflate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The first byte cuts the rest into inputs of one deflater. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_deflater *deflater;
	struct pn_buf packed = {0}, back = {0};
	size_t step, at, n;

	if (size < 2)
		return 0;
	deflater = pn_deflater_new(1);
	step = (size_t)data[0] * 97 + 1;
	for (at = 1; at < size; at += n) {
		n = size - at < step ? size - at : step;
		pn_buf_clear(&packed);
		pn_buf_clear(&back);
		pn_deflater_run(&packed, deflater, data, at % 20, data + at, n);
		if (pn_inflate_zlib(&back, NULL, packed.data, packed.len,
				    at % 20 + n, NULL) ||
		    back.len != at % 20 + n ||
		    memcmp(back.data, data, at % 20) ||
		    memcmp(back.data + at % 20, data + at, n))
			abort();
		/* 11 bytes around what is kept as it is */
		if (back.len <= 16384 && packed.len > back.len + 11)
			abort();
	}
	pn_deflater_free(deflater);
	pn_buf_release(&packed);
	pn_buf_release(&back);
	return 0;
}
