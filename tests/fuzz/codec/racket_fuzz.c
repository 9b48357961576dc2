/* Racket's JSON: what is read can be written; the order of nodes is new. */
#include "codec/rows.h"
#include "codec_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_codec(&pn_codec_racket, data, size, false);
}
