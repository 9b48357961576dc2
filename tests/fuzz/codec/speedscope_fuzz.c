/* speedscope's files: the order in time is lost, so they need not be equal. */
#include "codec/rows.h"
#include "codec_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_codec(&pn_codec_speedscope, data, size, false);
}
