/* Collapsed stacks: what is read is valid, and what is written says so again
 * when it was read; equal stacks are one then, and where none are the profile
 * is the same. */
#include "codec/rows.h"
#include "codec_fuzz.h"

#include <string.h>

static void write_twice(const struct pn_profile *p)
{
	struct pn_buf first = {0}, second = {0};
	struct pn_profile q;

	if (!pn_codec_collapsed.write(&first, p, NULL)) {
		if (fuzz_read(&q, &pn_codec_collapsed, first.data, first.len) ||
		    pn_codec_collapsed.write(&second, &q, NULL))
			abort();
		if (first.len != second.len ||
		    memcmp(first.data, second.data, first.len) != 0)
			abort();
		if (p->complete && q.sample_count == p->sample_count &&
		    !pn_profile_equal(p, &q, NULL, 0))
			abort();
		pn_profile_release(&q);
	}
	pn_buf_release(&first);
	pn_buf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_profile p;

	fuzz_codec(&pn_codec_collapsed, data, size, false);
	if (fuzz_read(&p, &pn_codec_collapsed, data, size))
		return 0;
	write_twice(&p);
	pn_profile_release(&p);
	return 0;
}
