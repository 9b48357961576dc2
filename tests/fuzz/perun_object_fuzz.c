/* An object of any bytes: as its file, and as what the file would hold, so
 * that the header is reached, too. */
#include "base/deflate.h"
#include "base/hash.h"
#include "perun/object.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_hash_sha1 *hash = pn_hash_sha1_new();
	struct pn_buf file = {0}, json = {0};
	struct pn_error err;
	struct pn_oid id;

	pn_hash_sha1_add(hash, data, size);
	pn_hash_sha1_end(id.bytes, hash);
	if (!pn_perun_object_read(&json, &id, data, size, LIMIT, &err) &&
	    json.len > LIMIT)
		abort();
	pn_buf_clear(&json);
	pn_deflate_zlib(&file, "", 0, data, size, 1);
	if (!pn_perun_object_read(&json, &id, file.data, file.len, LIMIT,
				  &err) &&
	    (json.len > size ||
	     (json.len &&
	      memcmp(json.data, data + size - json.len, json.len) != 0)))
		abort();
	pn_buf_release(&file);
	pn_buf_release(&json);
	return 0;
}
