/* What a call tracer left, of any bytes behind a good head: the profile
 * that comes out keeps the model's rules. */
#include "base/alloc.h"
#include "collect/trace/record.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *bytes = pn_calloc(1, PN_RUNTIME_HEAD + size);
	struct pn_runtime_head head = {.magic = PN_RUNTIME_MAGIC,
				       .end_ns = (int64_t)(size % 2)};
	struct pn_trace_reading reading;
	struct pn_runtime_record record;
	struct pn_profile profile;

	memcpy(bytes, &head, sizeof(head));
	if (size)
		memcpy(bytes + PN_RUNTIME_HEAD, data, size);
	pn_profile_init(&profile);
	if (pn_runtime_record_parse(&record, bytes, PN_RUNTIME_HEAD + size,
				    "fuzz", NULL))
		abort();
	profile.header.runs = 2;
	pn_trace_reading_begin(&reading, &profile, 2, NULL);
	reading.by_size = size / 2 % 2;
	pn_trace_reading_add(&reading, &record, size % 2);
	pn_trace_reading_end(&reading);
	if (pn_profile_check(&profile, NULL))
		abort();
	pn_profile_release(&profile);
	free(bytes);
	return 0;
}
