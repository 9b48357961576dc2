/*
 * Results without a format of their own: what stands before the first NUL is
 * the hint (columns or a pattern), the rest is read as CSV and by the pattern.
 */
#include "codec/rows.h"
#include "codec_fuzz.h"

#include <string.h>

static void read_with(const struct pn_codec *codec, const char *hint,
		      const uint8_t *data, size_t size)
{
	struct pn_reader *in = NULL;
	struct pn_error err = {0};
	struct pn_profile p;
	int code = pn_reader_memory(&in, data, size, "fuzz", FUZZ_LIMIT, &err);

	pn_profile_init(&p);
	if (!code) {
		pn_reader_set_hint(in, hint);
		code = pn_codec_read(&p, codec, NULL, in, &err);
	}
	if (code ? code != err.code || !*err.message
		 : pn_profile_check(&p, NULL) || !p.complete)
		abort();
	if (!code)
		pn_profile_release(&p);
	pn_reader_free(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nul = memchr(data, 0, size);
	size_t at = nul ? (size_t)(nul - data) + 1 : 0;
	const char *hint = nul ? (const char *)data : NULL;

	read_with(&pn_codec_csv, hint, data + at, size - at);
	read_with(&pn_codec_pattern, hint, data + at, size - at);
	return 0;
}
