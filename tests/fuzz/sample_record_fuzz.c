/* What a sampler left: a profile comes out of whatever the bytes are. */
#include "collect/sample/read.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_sampler_reader *reader;
	struct pn_runtime_record record;
	struct pn_error err = {0};
	struct pn_profile p;

	if (pn_runtime_record_parse(&record, data, size, "fuzz", &err)) {
		if (!*err.message)
			abort();
		return 0;
	}
	pn_profile_init(&p);
	reader = pn_sampler_reader_new(&p, size & 1, size & 2, "/sample.so");
	pn_sampler_reader_add(reader, &record, 1);
	pn_sampler_reader_add(reader, &record, 2);
	pn_sampler_reader_free(reader);
	pn_runtime_record_release(&record);
	if (pn_profile_check(&p, &err))
		abort();
	pn_profile_release(&p);
	return 0;
}
