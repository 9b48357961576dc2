/* Perun profiles that are wrong: the path of what is wrong, and what would
 * have been right. */
#include "perun_text.h"

#define LIST(resource)                                                         \
	"{" HEAD "\"resources\":[{\"uid\":\"a\",\"amount\":1}," resource "]}"

struct bad {
	const char *text, *why;
};

static const struct bad regions[] = {
	{"[]", "expected an object, have an array"},
	{"{}", "missing 'header'"},
	{"{\"header\":{\"type\":\"time\"}}",
	 "missing 'resources' (or 'snapshots', 'global')"},
	{"{\"header\":[]}", "header: expected an object, have an array"},
	{"{\"header\":{\"cmd\":\"ls\"}}", "header: missing 'type'"},
	{"{\"header\":{\"type\":7}}",
	 "header.type: expected a string, have a number"},
	{"{\"header\":{\"cmd\":null}}",
	 "header.cmd: expected a string, have null"},
	{"{\"header\":{\"workload\":[]}}",
	 "header.workload: expected a string, have an array"},
	{"{\"header\":{\"args\":{}}}",
	 "header.args: expected a string, have an object"},
	{"{\"header\":{\"units\":\"s\"}}",
	 "header.units: expected an object, have a string"},
	{"{\"header\":{\"units\":{\"time\":1}}}",
	 "header.units.time: expected a string, have a number"},
	{"{\"header\":{\"type\":\"a\",\"type\":\"b\"}}",
	 "header.type: stands twice"},
	{"{\"origin\":17}", "origin: expected a string, have a number"},
	{"{\"origin\":\"HEAD\"}", "origin: expected 40 hexadecimal digits"},
	{"{\"origin\":\"\",\"origin\":\"\"}", "'origin' stands twice"},
	{"{\"collector_info\":[]}",
	 "collector_info: expected an object, have an array"},
	{"{\"collector_info\":{\"name\":1}}",
	 "collector_info.name: expected a string, have a number"},
	{"{\"postprocessors\":{}}",
	 "postprocessors: expected an array, have an object"},
	{"{\"postprocessors\":[{\"name\":\"a\"},{\"params\":{}}]}",
	 "postprocessors[1]: missing 'name'"},
	{"{\"models\":{}}", "models: expected an array, have an object"},
	{"{\"models\":[{},1]}", "models[1]: expected an object, have a number"},
	{"{\"chunks\":[]}", "chunks: expected an object, have an array"},
};

static const struct bad resources[] = {
	{LIST("1"), "resources[1]: expected an object, have a number"},
	{LIST("{\"amount\":1}"), "resources[1]: missing 'uid'"},
	{LIST("{\"uid\":\"a\",\"amount\":\"2\"}"),
	 "resources[1].amount: expected a number, have a string"},
	{LIST("{\"uid\":\"a\",\"address\":null}"),
	 "resources[1].address: expected a number, have null"},
	{LIST("{\"uid\":\"a\",\"call-order\":[1]}"),
	 "resources[1].call-order: expected a number, have an array"},
	{"{\"resources\":7}",
	 "resources: expected an object or an array, have a number"},
	{"{\"global\":7}",
	 "global: expected an object or an array, have a number"},
	{"{\"global\":{\"time\":\"1\"}}", "global: missing 'resources'"},
	{"{\"global\":{\"resources\":{}}}",
	 "global.resources: expected an array, have an object"},
	{"{\"snapshots\":{}}", "snapshots: expected an array, have an object"},
	{"{\"snapshots\":[[]]}",
	 "snapshots[0]: expected an object, have an array"},
	{"{\"snapshots\":[{\"resources\":[]},{}]}",
	 "snapshots[1]: missing 'resources'"},
	{"{\"snapshots\":[{\"resources\":[]},{\"resources\":[{\"uid\":1},"
	 "{\"uid\":1,\"order\":false}]}]}",
	 "snapshots[1].resources[1].order: expected a number, have false"},
	/* without any unit 5 bytes and 7 seconds would be 12 of something */
	{"{\"header\":{\"type\":\"mixed\",\"units\":{}},\"resources\":[{"
	 "\"uid\":\"a\",\"type\":\"memory\",\"amount\":5},"
	 "{\"uid\":\"a\",\"type\":\"time\",\"amount\":7}]}",
	 "header.units has no unit for 'memory', it has none"},
	{"{\"header\":{\"type\":\"time\"},\"resources\":[{\"uid\":\"a\","
	 "\"amount\":5}]}",
	 "header.units has no unit for 'time', it has none"},
	{"{\"snapshots\":[{\"models\":[0]}]}",
	 "snapshots[0].models[0]: expected an object, have a number"},
};

static const struct bad columns[] = {
	{"{\"resources\":{\"a#0\":[]}}", "expected an object, have an array"},
	{"{\"resources\":{\"a#0\":{\"amount\":1}}}",
	 "expected an array, have a number"},
	{"{\"resources\":{\"a#0\":{\"amount\":[1,\"2\"]}}}",
	 "amount[1]: expected a number, have a string"},
	{"{\"resources\":{\"a#0\":{\"amount\":[1,2],\"order\":[1]}}}",
	 "order: expected 2 values as in 'amount', have 1"},
	{"{\"resources\":{\"a#0\":{},\"a#0\":{}}}", "stands twice"},
	{"{\"resource_type_map\":[]}",
	 "resource_type_map: expected an object, have an array"},
	{"{\"resource_type_map\":{\"a#0\":{}}}", "missing 'uid'"},
	{"{" HEAD "\"resources\":{\"a#0\":{\"amount\":[1]}}}",
	 "missing 'resource_type_map'"},
	{"{" HEAD "\"resources\":{\"a#0\":{\"amount\":[1]}},"
	 "\"resource_type_map\":{\"b#0\":{\"uid\":\"b\"}}}",
	 "resource_type_map: missing 'a#0'"},
};

/* Each is refused with its reason at the end of the message, after the path
 * when the path is plain. */
static void check_refused(const struct bad *bad, size_t count, bool whole)
{
	struct pn_profile profile;
	struct pn_error err;
	char want[512];
	size_t i;

	for (i = 0; i < count; i++) {
		size_t len, n;

		memset(&err, 0, sizeof(err));
		if (!perun_read(&profile, bad[i].text, &err))
			fail_msg("accepted: %s", bad[i].text);
		assert_int_equal(err.code, PN_EINVAL);
		snprintf(want, sizeof(want), "%s%s",
			 whole ? "cannot read 'x.perf': " : "", bad[i].why);
		len = strlen(err.message);
		n = strlen(want);
		if (len < n || strcmp(err.message + len - n, want) ||
		    (whole && len != n))
			fail_msg("'%s' should be '%s'", err.message, want);
		assert_null(profile.samples); /* nothing is left */
	}
}

static void names_the_region_that_is_wrong(void **state)
{
	(void)state;
	check_refused(regions, sizeof(regions) / sizeof(*regions), true);
}

static void names_the_resource_that_is_wrong(void **state)
{
	(void)state;
	check_refused(resources, sizeof(resources) / sizeof(*resources), true);
}

static void names_the_column_that_is_wrong(void **state)
{
	(void)state;
	check_refused(columns, sizeof(columns) / sizeof(*columns), false);
}

static void refuses_what_is_cut(void **state)
{
	static const char text[] =
		"{" HEAD "\"snapshots\":[{\"time\":\"1\",\"resources\":[{"
		"\"uid\":{\"function\":\"f\"},\"amount\":1,\"trace\":["
		"{\"func\":\"main\"}]}]}],\"models\":[{\"a\":[1]}]}";
	struct pn_profile profile;
	struct pn_error err;
	char cut[sizeof(text)];
	size_t len;

	(void)state;
	must_read(&profile, text);
	pn_profile_release(&profile);
	for (len = 1; len + 1 < sizeof(text); len++) {
		memcpy(cut, text, len);
		cut[len] = '\0';
		if (!perun_read(&profile, cut, &err))
			fail_msg("accepted: %s", cut);
	}
}

/* Each level doubles the flat text; 40 levels would be a terabyte. */
static void refuses_a_uid_that_is_nested_too_deeply(void **state)
{
	struct pn_buf text = {0};
	struct pn_profile profile;
	struct pn_error err;
	int i;

	(void)state;
	pn_buf_add_text(&text, "{" HEAD "\"resources\":[{\"uid\":");
	for (i = 0; i < 40; i++)
		pn_buf_add_text(&text, "{\"a\":");
	pn_buf_add_text(&text, "1");
	for (i = 0; i < 40; i++)
		pn_buf_add_byte(&text, '}');
	pn_buf_add_text(&text, "}]}");
	assert_int_equal(perun_read(&profile, pn_buf_text(&text), &err),
			 PN_ELIMIT);
	assert_non_null(strstr(err.message, "resources[0].uid: nested too "
					    "deeply"));
	pn_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_the_region_that_is_wrong),
		cmocka_unit_test(names_the_resource_that_is_wrong),
		cmocka_unit_test(names_the_column_that_is_wrong),
		cmocka_unit_test(refuses_what_is_cut),
		cmocka_unit_test(refuses_a_uid_that_is_nested_too_deeply),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
