/*
 * Bytes of a Perun store. The worked example is what Perun itself wrote for
 * one profile of `ls` (TZ=UTC, time 1700000000), index and object.
 */
#include "perun/index.h"
#include "perun/object.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define V1_BYTES 43 /* the same without texts, and version 1 */

static const unsigned char example[] =
	"pidx\x02\0\0\0\x01\0\0\0\x00\xf1\x53\x65"
	"\x49\xe3\x74\x9c\x08\x3a\xa4\xe0\x51\xc1"
	"\xba\x25\xcf\xe6\xa0\x72\x0b\x3e\x8f\x29"
	"a.perf\0"
	"\x04\0\0\0time\x02\0\0\0ls\x01\0\0\0/\x04\0\0\0time\0\0\0";
#define EXAMPLE_BYTES 74

static const char json[] =
	"{\"resources\": {\"ls#0\": {\"amount\": [0.25], \"order\": [1]}}, "
	"\"resource_type_map\": {\"ls#0\": {\"subtype\": \"real\", "
	"\"time\": \"0.5\", \"type\": \"time\", \"uid\": \"ls\"}}, "
	"\"models\": [], \"header\": {\"type\": \"time\", \"units\": "
	"{\"time\": \"s\"}, \"cmd\": \"ls\", \"workload\": \"/\"}, "
	"\"collector_info\": {\"name\": \"time\", \"params\": {}}, "
	"\"postprocessors\": []}";

static void parse(struct pn_perun_index *out, const void *bytes, size_t len)
{
	struct pn_error err;

	if (pn_perun_index_parse(out, bytes, len, &err))
		fail_msg("%s", err.message);
}

static void refuses(const void *bytes, size_t len, const char *why)
{
	struct pn_perun_index index;
	struct pn_error err;

	assert_int_not_equal(pn_perun_index_parse(&index, bytes, len, &err), 0);
	if (!strstr(err.message, why))
		fail_msg("'%s' does not say '%s'", err.message, why);
}

static void reads_the_index_that_perun_wrote(void **state)
{
	struct pn_perun_index index;
	struct pn_buf back = {0};
	char hex[PN_OID_HEX + 1];

	(void)state;
	parse(&index, example, EXAMPLE_BYTES);
	assert_int_equal(index.layout, PN_PERUN_V2B);
	assert_int_equal(index.count, 1);
	assert_int_equal(index.items[0].time_s, 1700000000);
	pn_oid_hex(hex, &index.items[0].object);
	assert_string_equal(hex, "49e3749c083aa4e051c1ba25cfe6a0720b3e8f29");
	assert_string_equal(index.items[0].name, "a.perf");
	assert_string_equal(index.items[0].texts[PN_PERUN_TYPE], "time");
	assert_string_equal(index.items[0].texts[PN_PERUN_CMD], "ls");
	assert_string_equal(index.items[0].texts[PN_PERUN_WORKLOAD], "/");
	assert_string_equal(index.items[0].texts[PN_PERUN_COLLECTOR], "time");
	assert_string_equal(index.items[0].texts[PN_PERUN_POSTS], "");
	pn_perun_index_write(&back, PN_PERUN_V2B, index.items, 1);
	assert_int_equal(back.len, EXAMPLE_BYTES);
	assert_memory_equal(back.data, example, EXAMPLE_BYTES);
	pn_buf_release(&back);
	pn_perun_index_release(&index);
}

static void reads_and_writes_version_one(void **state)
{
	unsigned char bytes[V1_BYTES];
	struct pn_perun_index index;
	struct pn_buf back = {0};

	(void)state;
	memcpy(bytes, example, V1_BYTES);
	bytes[4] = 1;
	parse(&index, bytes, V1_BYTES);
	assert_int_equal(index.layout, PN_PERUN_V1);
	assert_string_equal(index.items[0].name, "a.perf");
	pn_perun_index_write(&back, PN_PERUN_V1, index.items, 1);
	assert_int_equal(back.len, V1_BYTES);
	assert_memory_equal(back.data, bytes, V1_BYTES);
	pn_buf_release(&back);
	pn_perun_index_release(&index);
}

static void refuses_every_cut_index(void **state)
{
	size_t len;

	(void)state;
	for (len = 0; len < 12; len++)
		refuses(example, len, "need 'pidx' and 8 more bytes");
	for (; len < 12 + 26; len++)
		refuses(example, len, "1 entries cannot be in");
	for (; len < EXAMPLE_BYTES; len++)
		refuses(example, len, "neither of five texts nor of six");
}

static void refuses_what_is_no_index_of_ours(void **state)
{
	unsigned char bytes[EXAMPLE_BYTES + 1];

	(void)state;
	memcpy(bytes, example, EXAMPLE_BYTES);
	bytes[EXAMPLE_BYTES] = 0;
	refuses(bytes, EXAMPLE_BYTES + 1, "neither of five texts nor of six");
	bytes[4] = 3;
	refuses(bytes, EXAMPLE_BYTES, "index version 3, need 1 or 2");
	bytes[4] = 1;
	refuses(bytes, EXAMPLE_BYTES, "byte 43: more bytes than the entries");
	bytes[36] = '\0';
	refuses(bytes, V1_BYTES, "byte 36: an empty name");
	memset(bytes + 8, 0xff, 4);
	refuses(bytes, EXAMPLE_BYTES, "4294967295 entries cannot be in 74");
}

static void tells_arguments_from_labels_by_the_workload(void **state)
{
	struct pn_perun_listing listing = {0};

	(void)state;
	/* as v2c is read: type, cmd, workload, label, ... */
	listing.texts[PN_PERUN_ARGS] = "";
	listing.texts[PN_PERUN_WORKLOAD] = "-x";
	listing.texts[PN_PERUN_LABEL] = "input";
	pn_perun_listing_settle(&listing, "-x");
	assert_string_equal(listing.texts[PN_PERUN_LABEL], "input");
	pn_perun_listing_settle(&listing, "input");
	assert_string_equal(listing.texts[PN_PERUN_ARGS], "-x");
	assert_string_equal(listing.texts[PN_PERUN_WORKLOAD], "input");
	assert_string_equal(listing.texts[PN_PERUN_LABEL], "");
}

static void names_and_packs_an_object_as_perun_does(void **state)
{
	/* what the file begins with: 78 9c, level 6 */
	static const unsigned char begin[] = {0x78, 0x9c, 0x65, 0x50, 0xcb,
					      0x0a, 0x83, 0x30, 0x10, 0xec};
	struct pn_buf file = {0}, back = {0};
	char hex[PN_OID_HEX + 1];
	struct pn_error err;
	struct pn_oid id;

	(void)state;
	assert_int_equal(strlen(json), 321);
	pn_perun_object_name(&id, "time", json, strlen(json));
	pn_oid_hex(hex, &id);
	assert_string_equal(hex, "49e3749c083aa4e051c1ba25cfe6a0720b3e8f29");
	pn_perun_object_write(&file, "time", json, strlen(json));
	assert_memory_equal(file.data, begin, sizeof(begin));
	if (pn_perun_object_read(&back, &id, file.data, file.len, 321, &err))
		fail_msg("%s", err.message);
	assert_string_equal(pn_buf_text(&back), json);
	pn_buf_release(&file);
	pn_buf_release(&back);
}

static void refuses_an_object_above_the_limit(void **state)
{
	struct pn_buf file = {0}, back = {0};
	struct pn_error err;
	struct pn_oid id;
	char *long_text = calloc(1, 1 << 20);

	(void)state;
	pn_perun_object_name(&id, "time", long_text, 1 << 20);
	pn_perun_object_write(&file, "time", long_text, 1 << 20);
	assert_int_equal(pn_perun_object_read(&back, &id, file.data, file.len,
					      1 << 16, &err),
			 PN_ELIMIT);
	assert_int_equal(back.len, 0);
	free(long_text);
	pn_buf_release(&file);
	pn_buf_release(&back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_the_index_that_perun_wrote),
		cmocka_unit_test(reads_and_writes_version_one),
		cmocka_unit_test(refuses_every_cut_index),
		cmocka_unit_test(refuses_what_is_no_index_of_ours),
		cmocka_unit_test(tells_arguments_from_labels_by_the_workload),
		cmocka_unit_test(names_and_packs_an_object_as_perun_does),
		cmocka_unit_test(refuses_an_object_above_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
