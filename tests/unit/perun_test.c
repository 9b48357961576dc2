/* Perun's profiles: read, write, convert as Perun does. */
#include "codec/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                   \
	"\"header\":{\"type\":\"time\",\"units\":{\"time\":\"s\"},"            \
	"\"cmd\":\"ls\",\"workload\":\"/\"},"                                  \
	"\"collector_info\":{\"name\":\"time\",\"params\":{}},"                \
	"\"postprocessors\":[],"
/* The same as json.dumps writes it. */
#define TAIL                                                                   \
	", \"header\": {\"type\": \"time\", \"units\": {\"time\": \"s\"}, "    \
	"\"cmd\": \"ls\", \"workload\": \"/\"}, "                              \
	"\"collector_info\": {\"name\": \"time\", \"params\": {}}, "           \
	"\"postprocessors\": []}"

static int read_text(struct pn_profile *out, const char *text,
		     struct pn_error *err)
{
	struct pn_reader *reader;
	int code;

	assert_int_equal(
		pn_reader_memory(&reader, text, strlen(text), "x.perf", 0, err),
		0);
	memset(out, 0, sizeof(*out));
	code = pn_codec_read(out, &pn_codec_perun, NULL, reader, err);
	pn_reader_free(reader);
	return code;
}

static void must_read(struct pn_profile *out, const char *text)
{
	struct pn_error err = {0};

	if (read_text(out, text, &err))
		fail_msg("%s", err.message);
}

static char *written(const struct pn_profile *profile)
{
	struct pn_error err = {0};
	struct pn_buf out = {0};

	if (pn_codec_perun.write(&out, profile, &err))
		fail_msg("%s", err.message);
	return pn_buf_detach(&out);
}

/* What is read is written so, and that reads as the same profile. */
static void check_written(const char *text, const char *want)
{
	struct pn_profile first, second;
	char why[256] = "", *have;

	must_read(&first, text);
	have = written(&first);
	assert_string_equal(have, want);
	must_read(&second, have);
	if (!pn_profile_equal(&first, &second, why, sizeof(why)))
		fail_msg("%s", why);
	pn_profile_release(&first);
	pn_profile_release(&second);
	free(have);
}

/* The example that Perun itself was run on: design notes, "Storage bytes". */
static void writes_the_bytes_that_perun_stores(void **state)
{
	static const char want[] =
		"{\"resources\": {\"ls#0\": {\"amount\": [0.25], \"order\": "
		"[1]}}, \"resource_type_map\": {\"ls#0\": {\"subtype\": "
		"\"real\", \"time\": \"0.5\", \"type\": \"time\", \"uid\": "
		"\"ls\"}}, \"models\": []" TAIL;
	struct pn_profile profile;
	char *have;

	(void)state;
	must_read(
		&profile,
		"{\"origin\":\"254436d30357c4720cd2fe4477d9afd0b8d66e2b\"," HEAD
		"\"global\":{\"time\":\"0.5\",\"resources\":[{\"amount\":0.25,"
		"\"uid\":\"ls\",\"order\":1,\"subtype\":\"real\",\"type\":"
		"\"time\"}]}}");
	assert_string_equal(pn_profile_text(&profile, profile.header.origin),
			    "254436d30357c4720cd2fe4477d9afd0b8d66e2b");
	assert_true(profile.complete);
	profile.header.origin = 0; /* as storing does */
	have = written(&profile);
	assert_string_equal(have, want);
	/* Perun counted 338 bytes with "profile time 321" and NUL before */
	assert_int_equal(strlen(have), 321);
	free(have);
	pn_profile_release(&profile);
}

static void groups_resources_as_perun_does(void **state)
{
	(void)state;
	check_written(
		"{" HEAD "\"snapshots\":["
		"{\"time\":\"0.1\",\"resources\":["
		"{\"uid\":\"f\",\"amount\":1,\"type\":\"time\"},"
		"{\"uid\":\"g\",\"amount\":2,\"type\":\"time\"},"
		"{\"type\":\"time\",\"amount\":3,\"uid\":\"f\"}]},"
		"{\"time\":\"0.2\",\"resources\":["
		"{\"uid\":\"f\",\"amount\":4,\"type\":\"time\"}]}]}",
		"{\"resources\": {\"f#0\": {\"amount\": [1, 3]}, \"g#0\": "
		"{\"amount\": [2]}, \"f#1\": {\"amount\": [4]}}, "
		"\"resource_type_map\": {"
		"\"f#0\": {\"snapshot\": 0, \"time\": \"0.1\", \"type\": "
		"\"time\", \"uid\": \"f\"}, "
		"\"g#0\": {\"snapshot\": 0, \"time\": \"0.1\", \"type\": "
		"\"time\", \"uid\": \"g\"}, "
		"\"f#1\": {\"snapshot\": 1, \"time\": \"0.2\", \"type\": "
		"\"time\", \"uid\": \"f\"}}, \"models\": []" TAIL);
}

static void names_the_path_of_what_is_wrong(void **state)
{
	struct pn_profile profile;
	struct pn_error err;

	(void)state;
	assert_int_equal(
		read_text(&profile,
			  "{" HEAD "\"snapshots\":[{\"time\":\"0.1\","
			  "\"resources\":[{\"uid\":\"a\",\"amount\":1},"
			  "{\"uid\":\"a\",\"amount\":\"2\"}]}]}",
			  &err),
		PN_EINVAL);
	assert_string_equal(err.message, "cannot read 'x.perf': "
					 "snapshots[0].resources[1].amount: "
					 "expected a number, have a string");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_the_bytes_that_perun_stores),
		cmocka_unit_test(groups_resources_as_perun_does),
		cmocka_unit_test(names_the_path_of_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
