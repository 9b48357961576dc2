/* All that a reader has left. */
#include "base/reader/reader.h"

#include <inttypes.h>

int pn_reader_rest(struct pn_buf *out, struct pn_reader *reader, uint64_t limit,
		   struct pn_error *err)
{
	size_t start = out->len, have = 0;
	const unsigned char *at;
	int code;

	while (!(code = pn_reader_peek(&at, &have, reader, 1, err)) && have) {
		if (out->len - start + have > limit) {
			code = pn_error_set(err, PN_ELIMIT,
					    "cannot read '%s': more than "
					    "%" PRIu64 " bytes",
					    pn_reader_name(reader), limit);
			break;
		}
		pn_buf_add(out, at, have);
		pn_reader_consume(reader, have);
	}
	if (code) {
		out->len = start;
		if (out->data)
			out->data[start] = '\0';
	}
	return code;
}
