/* Python's dumps: what is read comes back from what is written. */
#include "codec/rows.h"
#include "codec_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_codec(&pn_codec_pstats, data, size, true);
}
