/* Frame after frame; a frame that is cut short is an error. */
#include "codec/zstd_reader.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

struct pn_zstd {
	ZSTD_DStream *stream;
	struct pn_reader *in;
	uint64_t produced;
	bool in_frame;
};

bool pn_zstd_is(const unsigned char *bytes, size_t len)
{
	return len >= 4 && !memcmp(bytes, "\x28\xb5\x2f\xfd", 4);
}

static ZSTD_DStream *new_stream(void)
{
	ZSTD_DStream *stream = ZSTD_createDStream();

	if (!stream ||
	    ZSTD_isError(ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax,
						PN_ZSTD_WINDOW_LOG)))
		pn_alloc_failed(0);
	return stream;
}

static int corrupt(const struct pn_zstd *z, struct pn_error *err,
		   const char *why)
{
	return pn_error_set(err, PN_EINVAL,
			    "byte %" PRIu64 ": corrupt zstd data: %s",
			    pn_reader_offset(z->in), why);
}

/* As a source of a reader: 0 bytes are the end. */
static int take_some(size_t *got, void *from, unsigned char *to, size_t room,
		     struct pn_error *err)
{
	struct pn_zstd *z = from;
	ZSTD_outBuffer out = {to, room, 0};
	ZSTD_inBuffer in = {NULL, 0, 0};
	const unsigned char *at;
	size_t have, hint;
	int code = 0;

	while (!out.pos) {
		code = pn_reader_peek(&at, &have, z->in, 1, err);
		if (code)
			return code;
		if (!have && !z->in_frame)
			break;
		in = (ZSTD_inBuffer){at, have, 0};
		hint = ZSTD_decompressStream(z->stream, &out, &in);
		if (ZSTD_isError(hint))
			return corrupt(z, err, ZSTD_getErrorName(hint));
		pn_reader_consume(z->in, in.pos);
		if (!have && !out.pos)
			return corrupt(z, err, "it is cut short");
		z->in_frame = hint > 0;
	}
	z->produced += out.pos;
	if (z->produced > PN_ZSTD_FREE_BYTES &&
	    (z->produced - PN_ZSTD_FREE_BYTES) / PN_READER_MAX_RATIO >
		    pn_reader_offset(z->in))
		return pn_error_set(err, PN_ELIMIT,
				    "byte %" PRIu64 ": zstd data of more than "
				    "%d times its size",
				    pn_reader_offset(z->in),
				    PN_READER_MAX_RATIO);
	*got = out.pos;
	return 0;
}

int pn_zstd_open(struct pn_reader **out, struct pn_zstd **state,
		 struct pn_reader *in, struct pn_error *err)
{
	struct pn_zstd *z = pn_calloc(1, sizeof(*z));
	int code;

	z->stream = new_stream();
	z->in = in;
	code = pn_reader_source(out, take_some, z, pn_reader_name(in), err);
	if (code)
		pn_zstd_free(z);
	else
		*state = z;
	return code;
}

void pn_zstd_free(struct pn_zstd *z)
{
	if (!z)
		return;
	ZSTD_freeDStream(z->stream);
	free(z);
}

size_t pn_zstd_begin(unsigned char *to, size_t room, const unsigned char *bytes,
		     size_t len)
{
	ZSTD_outBuffer out = {to, room, 0};
	ZSTD_inBuffer in = {bytes, len, 0};
	ZSTD_DStream *stream = new_stream();
	size_t before, hint = 1;

	do {
		before = in.pos + out.pos;
		hint = ZSTD_decompressStream(stream, &out, &in);
	} while (!ZSTD_isError(hint) && hint && out.pos < room &&
		 in.pos + out.pos > before);
	ZSTD_freeDStream(stream);
	return out.pos;
}
