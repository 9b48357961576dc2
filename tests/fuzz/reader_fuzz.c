/* The reader: whatever the steps, the same bytes; inflate keeps its limit. */
#include "base/deflate.h"
#include "base/reader/reader.h"

#include <stdlib.h>
#include <string.h>

#define LIMIT (1 << 22)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Read in steps that the seed decides; 0 when all was read. */
static int read_steps(struct pn_buf *out, struct pn_reader *in, uint32_t seed)
{
	struct pn_error err = {0};
	const unsigned char *at;
	size_t have, want;
	int code;

	for (;;) {
		seed = seed * 1664525 + 1013904223;
		want = seed >> 28 ? (seed >> 16) % 4000 + 1
				  : (seed >> 8) % LIMIT;
		code = pn_reader_peek(&at, &have, in, want, &err);
		if (code && (code != err.code || !*err.message))
			abort();
		if (code || (!have && want))
			return code;
		if (pn_reader_left(in) < have ||
		    pn_reader_offset(in) != out->len)
			abort();
		have = have > want ? want : have;
		pn_buf_add(out, at, have);
		pn_reader_consume(in, have);
	}
}

static void check_reader(const uint8_t *data, size_t size, uint32_t seed)
{
	struct pn_buf all = {0}, steps = {0};
	struct pn_reader *in;
	int code;

	if (pn_reader_memory(&in, data, size, "fuzz", LIMIT, NULL))
		return;
	code = pn_reader_rest(&all, in, LIMIT, NULL);
	pn_reader_free(in);
	if (all.len > LIMIT)
		abort();
	pn_reader_memory(&in, data, size, "fuzz", LIMIT, NULL);
	if (read_steps(&steps, in, seed) != code)
		abort();
	if (!code && (all.len != steps.len ||
		      (all.len && memcmp(all.data, steps.data, all.len))))
		abort();
	pn_reader_free(in);
	pn_buf_release(&all);
	pn_buf_release(&steps);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_buf out = {0};
	uint32_t seed = 0;
	size_t used = 0;

	if (size < 4)
		return 0;
	/* the last bytes choose, so that files are inputs as they are */
	memcpy(&seed, data + size - 4, 4);
	check_reader(data, size, seed);
	if (!pn_inflate_zlib(&out, &used, data, size, seed % LIMIT, NULL) &&
	    (used > size || out.len > seed % LIMIT))
		abort();
	pn_buf_release(&out);
	return 0;
}
