/* Threads of a server as text. */
#include "codec/rows.h"
#include "codec_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_codec(&pn_codec_threads, data, size, false);
}
