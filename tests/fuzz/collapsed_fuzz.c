/* Collapsed stacks: what is read is valid, and comes back from what is
 * written. */
#include "codec_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_codec(&pn_codec_collapsed, data, size, true);
}
