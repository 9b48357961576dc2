/* Perun's profiles: regions, and the example that Perun itself was run on. */
#include "perun_text.h"

/*
 * Perun 0.21.8 stored this profile as the object 49e3749c083a..., 338 bytes,
 * of which "profile time 321" and a NUL are the first 17.
 */
static void writes_the_bytes_that_perun_stores(void **state)
{
	static const char want[] =
		"{\"resources\": {\"ls#0\": {\"amount\": [0.25], \"order\": "
		"[1]}}, \"resource_type_map\": {\"ls#0\": {\"subtype\": "
		"\"real\", \"time\": \"0.5\", \"type\": \"time\", \"uid\": "
		"\"ls\"}}, \"models\": []" TAIL;
	struct pn_profile p;
	char *have;

	(void)state;
	must_read(
		&p,
		"{\"origin\":\"254436d30357c4720cd2fe4477d9afd0b8d66e2b\"," HEAD
		"\"global\":{\"time\":\"0.5\",\"resources\":[{\"amount\":0.25,"
		"\"uid\":\"ls\",\"order\":1,\"subtype\":\"real\",\"type\":"
		"\"time\"}]}}");
	assert_string_equal(text_of(&p, p.header.origin),
			    "254436d30357c4720cd2fe4477d9afd0b8d66e2b");
	assert_true(p.complete);
	p.header.origin = 0; /* as storing does */
	have = must_write(&p);
	assert_string_equal(have, want);
	assert_int_equal(strlen(have), 338 - 17);
	free(have);
	pn_profile_release(&p);
}

static void fills_the_header(void **state)
{
	struct pn_profile p;

	(void)state;
	must_read(&p,
		  "{\"header\":{\"type\":\"time\",\"units\":{\"time\":\"s\"},"
		  "\"cmd\":\"perun\",\"args\":\"status\",\"workload\":"
		  "\"--short\",\"exitcode\":3,\"label\":\"nightly\"},"
		  "\"collector_info\":{\"name\":\"complexity\",\"params\":"
		  "{\"sampling\":[{\"func\":\"SLList_insert\",\"sample\":1}]}},"
		  "\"postprocessors\":[{\"name\":\"regression_analysis\","
		  "\"params\":{\"method\":\"full\"}},{\"name\":\"filter\"}],"
		  "\"snapshots\":[]}");
	assert_string_equal(text_of(&p, p.header.kind), "time");
	assert_string_equal(text_of(&p, p.header.cmd), "perun");
	assert_string_equal(text_of(&p, p.header.args), "status");
	assert_string_equal(text_of(&p, p.header.workload), "--short");
	assert_int_equal(p.header.exit_status, 3);
	assert_int_equal(p.header.label_count, 1);
	assert_string_equal(text_of(&p, p.header.labels[0].value), "nightly");
	assert_string_equal(text_of(&p, p.header.collector.name), "complexity");
	assert_string_equal(
		text_of(&p, p.header.collector.params),
		"{\"sampling\":[{\"func\":\"SLList_insert\",\"sample\":1}]}");
	assert_int_equal(p.header.post_count, 2);
	assert_string_equal(text_of(&p, p.header.posts[0].name),
			    "regression_analysis");
	assert_string_equal(text_of(&p, p.header.posts[1].name), "filter");
	assert_true(p.complete);
	assert_int_equal(p.sample_count, 0);
	pn_profile_release(&p);
}

/* Args may be a list in old profiles. */
static void quotes_arguments_of_a_list(void **state)
{
	struct pn_profile p;

	(void)state;
	must_read(&p, "{\"header\":{\"type\":\"time\",\"args\":[\"-a\","
		      "\"b c\"]},\"resources\":[]}");
	assert_string_equal(text_of(&p, p.header.args), "-a 'b c'");
	pn_profile_release(&p);
}

static void keeps_order_and_form_of_what_it_does_not_know(void **state)
{
	(void)state;
	check_written(
		"{\"zeta\":[1,2.50,1E5,true,null,{\"\\u00e9\":\"\\u20ac\"}],"
		"\"postprocessors\":[{\"name\":\"p\",\"params\":[]}],"
		"\"header\":{\"workload\":\"w\",\"secret\":null,"
		"\"units\":{},\"type\":\"mixed\",\"cmd\":\"\"},"
		"\"snapshots\":[],\"machine\":{\"cpu\":{\"total\":2}},"
		"\"collector_info\":{}}",
		"{\"resources\": {}, \"resource_type_map\": {}, \"models\": "
		"[], \"zeta\": [1, 2.5, 100000.0, true, null, {\"\\u00e9\": "
		"\"\\u20ac\"}], \"postprocessors\": [{\"name\": \"p\", "
		"\"params\": []}], \"header\": {\"workload\": \"w\", "
		"\"secret\": null, \"units\": {}, \"type\": \"mixed\", "
		"\"cmd\": \"\"}, \"machine\": {\"cpu\": {\"total\": 2}}, "
		"\"collector_info\": {}}");
}

static void writes_what_was_changed_in_the_model(void **state)
{
	struct pn_profile p;
	char *have;

	(void)state;
	must_read(&p, "{\"header\":{\"cmd\":\"old\",\"type\":\"time\"},"
		      "\"resources\":[]}");
	p.header.cmd = pn_strtab_add_text(&p.strings, "new");
	p.header.workload = pn_strtab_add_text(&p.strings, "w");
	pn_profile_set_label(&p, "k", "v");
	have = must_write(&p);
	assert_string_equal(
		have, "{\"resources\": {}, \"resource_type_map\": {}, "
		      "\"models\": [], \"header\": {\"cmd\": \"new\", "
		      "\"type\": \"time\", \"workload\": \"w\", \"labels\": "
		      "{\"k\": \"v\"}}}");
	free(have);
	pn_profile_release(&p);
}

/*
 * One number in two spellings: the profiles are equal, with each other and
 * with what is written. Python's repr of both is 1e-07.
 */
static void takes_spellings_of_a_number_for_equal(void **state)
{
	static const char *const spellings[] = {"1e-7", "0.10E-6"};
	static const char format[] =
		"{\"header\":{\"type\":\"time\",\"labels\":{\"l\":%1$s},"
		"\"units\":{\"time\":\"s\"},\"x\":[%1$s]},\"collector_info\":{"
		"\"name\":\"c\","
		"\"params\":{\"p\":%1$s}},\"machine\":{\"m\":%1$s},"
		"\"resources\":[{\"amount\":1,\"uid\":[\"a\",{\"name\":"
		"\"n\",\"value\":%1$s}],\"k\":%1$s,\"j\":[%1$s]}],"
		"\"models\":[{\"uid\":\"a\",\"model\":\"m\",\"coeffs\":"
		"[{\"name\":\"b0\",\"value\":%1$s}],\"y\":[%1$s]}]}";
	struct pn_profile read[2], again;
	char text[1024], why[256] = "", *have;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		snprintf(text, sizeof(text), format, spellings[i]);
		must_read(&read[i], text);
		assert_true(read[i].complete);
		assert_string_equal(frame_of(&read[i], 0, 0), "a,n:1e-07 :0");
		have = must_write(&read[i]);
		must_read(&again, have);
		if (!pn_profile_equal(&read[i], &again, why, sizeof(why)))
			fail_msg("%s", why);
		pn_profile_release(&again);
		free(have);
	}
	if (!pn_profile_equal(&read[0], &read[1], why, sizeof(why)))
		fail_msg("%s", why);
	pn_profile_release(&read[0]);
	pn_profile_release(&read[1]);
}

/* Labels of our own; what is no map of texts stays as it is. */
static void reads_the_labels_that_it_writes(void **state)
{
	struct pn_profile p;

	(void)state;
	must_read(&p, "{\"header\":{\"type\":\"time\",\"labels\":{\"os\":"
		      "\"linux\",\"run\":\"7\"}},\"resources\":[]}");
	assert_int_equal(p.header.label_count, 2);
	assert_string_equal(text_of(&p, p.header.labels[1].key), "run");
	pn_profile_release(&p);
	check_written(
		"{\"header\":{\"type\":\"time\",\"labels\":{\"a\":\"b\"},"
		"\"label\":\"l\"},\"resources\":[]}",
		"{\"resources\": {}, \"resource_type_map\": {}, \"models\": "
		"[], \"header\": {\"type\": \"time\", \"labels\": {\"a\": "
		"\"b\"}, \"label\": \"l\"}}");
	check_written(
		"{\"header\":{\"type\":\"time\",\"labels\":{\"label\":\"b\"},"
		"\"label\":[1],\"exitcode\":\"0\"},\"resources\":[]}",
		"{\"resources\": {}, \"resource_type_map\": {}, \"models\": "
		"[], \"header\": {\"type\": \"time\", \"labels\": "
		"{\"label\": \"b\"}, \"label\": [1], \"exitcode\": \"0\"}}");
}

#define MODEL(name) "{\"model\":\"" name "\",\"r_square\":0.5}"

static void prefers_models_at_the_top_to_those_of_global(void **state)
{
	struct pn_profile p;

	(void)state;
	must_read(&p,
		  "{" HEAD "\"global\":{\"resources\":[],\"models\":[" MODEL(
			  "linear") "]}}");
	assert_int_equal(p.header.model_count, 1);
	assert_string_equal(text_of(&p, p.header.models[0]), MODEL("linear"));
	pn_profile_release(&p);

	must_read(&p, "{" HEAD "\"models\":[" MODEL(
			      "power") "],"
				       "\"global\":{\"resources\":[],"
				       "\"models\":[" MODEL("linear") "]}}");
	assert_int_equal(p.header.model_count, 1);
	assert_string_equal(text_of(&p, p.header.models[0]), MODEL("power"));
	assert_false(p.complete); /* one is gone */
	pn_profile_release(&p);
}

/* Perun drops them; here they come last, and the input is kept. */
static void keeps_models_of_snapshots(void **state)
{
	struct pn_profile p;

	(void)state;
	must_read(&p, "{" HEAD "\"snapshots\":[{\"resources\":[{\"uid\":\"a\"}"
		      "],\"models\":[" MODEL(
			      "quadratic") "]}],"
					   "\"models\":[" MODEL("power") "]}");
	assert_int_equal(p.header.model_count, 2);
	assert_string_equal(text_of(&p, p.header.models[0]), MODEL("power"));
	assert_string_equal(text_of(&p, p.header.models[1]),
			    MODEL("quadratic"));
	assert_false(p.complete);
	pn_profile_release(&p);
}

static void says_when_something_is_lost(void **state)
{
	static const char *const lossy[] = {
		/* the times of nothing */
		"\"snapshots\":[{\"time\":\"1\",\"resources\":[]}]",
		"\"snapshots\":[{\"x\":1,\"resources\":[{\"uid\":\"a\"}]}]",
		"\"global\":{\"timestamp\":1,\"resources\":[{\"uid\":\"a\"}]}",
		/* equal keys: the last one stands */
		"\"resources\":[{\"uid\":\"a\",\"amount\":1,\"amount\":2}]",
		"\"resources\":[{\"uid\":\"a\",\"k\":1,\"k\":2}]",
		/* digits that fit nowhere */
		"\"resources\":[{\"uid\":\"a\",\"amount\":"
		"9223372036854775808}]",
		"\"resources\":[{\"uid\":\"a\",\"amount\":9007199254740993},"
		"{\"uid\":\"a\",\"amount\":0.5}]",
		"\"resources\":[{\"uid\":\"a\",\"amount\":1e999}]",
		/* types without rows */
		"\"resources\":{\"a#0\":{\"amount\":[]}},"
		"\"resource_type_map\":{\"a#0\":{\"uid\":\"a\"}}",
		"\"resources\":{},\"resource_type_map\":{\"a#0\":"
		"{\"uid\":\"a\"}}",
		"\"global\":{},\"resource_type_map\":{\"a#0\":"
		"{\"uid\":\"a\"}}",
		"\"resources\":[],\"chunks\":{\"c\":1}",
	};
	static const char *const whole[] = {
		"\"snapshots\":[{\"time\":\"1\",\"resources\":[{\"uid\":\"a\"}"
		"],\"models\":[]}]",
		"\"resources\":[{\"uid\":\"a\",\"amount\":"
		"9223372036854775807}]",
		"\"resources\":[{\"uid\":\"a\",\"amount\":9007199254740992},"
		"{\"uid\":\"a\",\"amount\":0.5}]",
		"\"resources\":[],\"chunks\":{},\"global\":{}",
	};
	struct pn_profile p;
	char text[1024];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lossy) / sizeof(*lossy); i++) {
		snprintf(text, sizeof(text), "{" HEAD "%s}", lossy[i]);
		must_read(&p, text);
		if (p.complete)
			fail_msg("taken for complete: %s", lossy[i]);
		pn_profile_release(&p);
	}
	for (i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		snprintf(text, sizeof(text), "{" HEAD "%s}", whole[i]);
		must_read(&p, text);
		if (!p.complete)
			fail_msg("not complete: %s", whole[i]);
		pn_profile_release(&p);
	}
}

static void puts_chunks_in_place_wherever_they_stand(void **state)
{
	static const char chunks[] =
		"\"chunks\":{\"c1\":[{\"function\":\"f\",\"source\":\"a.c\","
		"\"line\":1},{\"function\":\"g\",\"source\":\"a.c\","
		"\"line\":2}],\"c2\":{\"function\":\"f\",\"line\":1},"
		"\"c3\":42,\"c4\":\"c3\"}";
	static const char resources[] =
		"\"resources\":[{\"uid\":\"c2\",\"trace\":\"c1\","
		"\"amount\":\"c3\",\"deep\":[\"c4\",{\"k\":\"c2\"},\"c9\"]}]";
	struct pn_profile before, behind;
	char text[1024];

	(void)state;
	snprintf(text, sizeof(text), "{" HEAD "%s,%s}", chunks, resources);
	must_read(&before, text);
	snprintf(text, sizeof(text), "{" HEAD "%s,%s}", resources, chunks);
	must_read(&behind, text);
	assert_true(pn_profile_equal(&before, &behind, NULL, 0));
	assert_int_equal(behind.sample_count, 1);
	assert_int_equal(behind.values[0].i, 42);
	assert_string_equal(label_of(&behind, 0, "uid"),
			    "{\"function\":\"f\",\"line\":1}");
	assert_string_equal(frame_of(&behind, 0, 1), "g a.c:2");
	assert_string_equal(label_of(&behind, 0, "deep"),
			    "[\"c3\",{\"k\":{\"function\":\"f\",\"line\":1}},"
			    "\"c9\"]");
	assert_false(behind.complete);
	pn_profile_release(&before);
	pn_profile_release(&behind);
}

/* 2,000 names of 100 kB each would be 200 MB out of 130 kB. */
static void bounds_what_chunks_expand_to(void **state)
{
	struct pn_buf text = {0};
	struct pn_profile p;
	struct pn_error err;
	int i;

	(void)state;
	pn_buf_add_text(&text, "{" HEAD "\"chunks\":{\"c\":\"");
	for (i = 0; i < 100000; i++)
		pn_buf_add_byte(&text, 'x');
	pn_buf_add_text(&text, "\"},\"resources\":[{\"uid\":\"a\",\"k\":[");
	for (i = 0; i < 2000; i++)
		pn_buf_add_text(&text, i ? ",\"c\"" : "\"c\"");
	pn_buf_add_text(&text, "]}]}");
	assert_int_equal(perun_read(&p, pn_buf_text(&text), &err), PN_ELIMIT);
	assert_non_null(strstr(err.message, "chunks expand to too much"));
	pn_buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_the_bytes_that_perun_stores),
		cmocka_unit_test(fills_the_header),
		cmocka_unit_test(quotes_arguments_of_a_list),
		cmocka_unit_test(keeps_order_and_form_of_what_it_does_not_know),
		cmocka_unit_test(takes_spellings_of_a_number_for_equal),
		cmocka_unit_test(writes_what_was_changed_in_the_model),
		cmocka_unit_test(reads_the_labels_that_it_writes),
		cmocka_unit_test(prefers_models_at_the_top_to_those_of_global),
		cmocka_unit_test(keeps_models_of_snapshots),
		cmocka_unit_test(says_when_something_is_lost),
		cmocka_unit_test(puts_chunks_in_place_wherever_they_stand),
		cmocka_unit_test(bounds_what_chunks_expand_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
