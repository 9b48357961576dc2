/*
 * The promises of every codec, for its fuzz target: what is read is valid or
 * refused with one line; what can be written is read again, and equal when
 * the codec keeps all.
 */
#ifndef FUZZ_CODEC_FUZZ_H
#define FUZZ_CODEC_FUZZ_H

#include "codec/codec.h"

#include <stdio.h>
#include <stdlib.h>

#define FUZZ_LIMIT (1 << 24) /* of what a small gzip becomes */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int fuzz_read(struct pn_profile *out, const struct pn_codec *codec,
		     const void *data, size_t size)
{
	struct pn_reader *in = NULL;
	struct pn_error err = {0};
	int code;

	pn_profile_init(out);
	code = pn_reader_memory(&in, data, size, "fuzz", FUZZ_LIMIT, &err);
	if (!code)
		code = pn_codec_read(out, codec, NULL, in, &err);
	pn_reader_free(in);
	if (code && (code != err.code || !*err.message))
		abort();
	return code;
}

/* What is written is read again; `equal`: and says the same. */
static inline void fuzz_way_back(const struct pn_codec *codec,
				 const struct pn_profile *p, bool equal)
{
	struct pn_buf out = {0};
	struct pn_error err = {0};
	struct pn_profile q;
	char why[256] = "";

	if (!codec->write(&out, p, &err)) {
		if (fuzz_read(&q, codec, out.data, out.len))
			abort();
		if (equal && !pn_profile_equal(p, &q, why, sizeof(why))) {
			fprintf(stderr, "%s\n", why);
			abort();
		}
		pn_profile_release(&q);
	} else if (equal || !*err.message) {
		fprintf(stderr, "%s\n", err.message);
		abort();
	}
	pn_buf_release(&out);
}

static inline int fuzz_codec(const struct pn_codec *codec, const uint8_t *data,
			     size_t size, bool equal)
{
	struct pn_profile p;

	codec->sniff(data, size < PN_SNIFF_BYTES ? size : PN_SNIFF_BYTES);
	if (fuzz_read(&p, codec, data, size))
		return 0;
	if (pn_profile_check(&p, NULL))
		abort();
	if (codec->write)
		fuzz_way_back(codec, &p, equal && p.complete);
	pn_profile_release(&p);
	return 0;
}

#endif
