/* Perun profiles: what can be read can be written, and reads the same when the
 * model held all of it (types without resources, say, leave a trace in the
 * model that writing does not give back; those inputs are kept verbatim). */
#include "codec/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (1u << 24)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_profile(struct pn_profile *out, const void *bytes, size_t len,
			struct pn_error *err)
{
	struct pn_reader *in;
	int code;

	code = pn_reader_memory(&in, bytes, len, "fuzz", MAX_BYTES, err);
	if (code)
		return code;
	code = pn_codec_read(out, &pn_codec_perun, NULL, in, err);
	pn_reader_free(in);
	return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_profile first = {0}, second = {0};
	struct pn_buf text = {0};
	struct pn_error err = {0};
	char why[256] = "";

	pn_codec_perun.sniff(data,
			     size < PN_SNIFF_BYTES ? size : PN_SNIFF_BYTES);
	if (read_profile(&first, data, size, &err)) {
		if (!err.code || !*err.message)
			abort();
		return 0;
	}
	if (pn_codec_perun.write(&text, &first, &err)) {
		fprintf(stderr, "not written: %s\n", err.message);
		abort();
	}
	if (read_profile(&second, text.data, text.len, &err)) {
		fprintf(stderr, "not read again: %s\n", err.message);
		abort();
	}
	if (first.complete &&
	    !pn_profile_equal(&first, &second, why, sizeof(why))) {
		fprintf(stderr, "not equal: %s\n%s\n", why, pn_buf_text(&text));
		abort();
	}
	pn_buf_release(&text);
	pn_profile_release(&first);
	pn_profile_release(&second);
	return 0;
}
