/* Any format by its name: what is read is valid. */
#include "codec_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct pn_codec *codec;

	if (!codec)
		codec = pn_codec_find(FUZZ_FORMAT, NULL);
	if (!codec)
		abort();
	return fuzz_codec(codec, data, size, false);
}
