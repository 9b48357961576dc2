/* JSON: a document that is read, copied and read again says the same, and
 * the window's end may lie anywhere. */
#include "base/deflate.h"
#include "base/json/json.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Copy the document; 0 when it is one. */
static int copy(struct pn_buf *out, const void *bytes, size_t len)
{
	struct pn_error err = {0};
	enum pn_json_event event;
	struct pn_reader *in;
	struct pn_json *json;
	int code;

	if (pn_reader_memory(&in, bytes, len, "fuzz", 1 << 24, &err))
		return PN_EINVAL;
	json = pn_json_new(in);
	code = pn_json_next(&event, json, &err);
	if (!code)
		code = pn_json_copy(out, json, event, &err);
	if (!code)
		code = pn_json_expect(json, PN_JSON_END, &err);
	if (code && (!err.code || !*err.message))
		abort();
	pn_json_free(json);
	pn_reader_free(in);
	return code;
}

/* Read event by event, asking for everything there is to ask. */
static void walk(const void *bytes, size_t len)
{
	struct pn_error err = {0};
	enum pn_json_event event = PN_JSON_NULL;
	struct pn_buf path = {0};
	struct pn_reader *in;
	struct pn_json *json;
	uint64_t count = 0;
	double value;

	if (pn_reader_memory(&in, bytes, len, "fuzz", 1 << 24, &err))
		return;
	json = pn_json_new(in);
	while (event != PN_JSON_END && !pn_json_next(&event, json, &err)) {
		if (strlen(pn_json_text(json)) > pn_json_len(json))
			abort();
		if (event == PN_JSON_NUMBER)
			pn_json_number(&value, json);
		if (count++ % 16)
			continue;
		pn_buf_clear(&path);
		pn_json_path(&path, json);
	}
	pn_buf_release(&path);
	pn_json_free(json);
	pn_reader_free(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_buf once = {0}, again = {0}, gz = {0}, padded = {0};
	size_t blanks = PN_READER_WINDOW - size / 8 % 64;

	walk(data, size);
	if (copy(&once, data, size))
		goto out;
	if (copy(&again, once.data, once.len) || again.len != once.len ||
	    memcmp(again.data, once.data, once.len))
		abort();
	/* a mark or gzip may only stand first; an eighth will do of what costs
	 */
	if (size % 8 || data[0] == 0x1f || data[0] == 0xef)
		goto out;
	memset(pn_buf_reserve(&padded, blanks), ' ', blanks);
	padded.len = blanks;
	pn_buf_add(&padded, data, size);
	pn_deflate_gzip(&gz, padded.data, padded.len, 1);
	pn_buf_clear(&again);
	if (copy(&again, gz.data, gz.len) || again.len != once.len ||
	    memcmp(again.data, once.data, once.len))
		abort();
out:
	pn_buf_release(&once);
	pn_buf_release(&again);
	pn_buf_release(&gz);
	pn_buf_release(&padded);
	return 0;
}
