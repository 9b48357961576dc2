/*
 * Resources of Perun's profiles: both layouts, conversion, traces, uids. The
 * resources are those of Perun's own specification where it shows some.
 */
#include "model/graph/totals.h"
#include "perun_text.h"

#define MALLOC                                                                 \
	"{\"type\":\"memory\",\"subtype\":\"malloc\",\"address\":19284560,"    \
	"\"amount\":4,\"trace\":[{\"source\":\"../memory_collect_test.c\","    \
	"\"function\":\"main\",\"line\":22}],\"uid\":{\"source\":"             \
	"\"../memory_collect_test.c\",\"function\":\"main\",\"line\":22}}"
#define FREE                                                                   \
	"{\"type\":\"memory\",\"subtype\":\"free\",\"address\":19284560,"      \
	"\"amount\":0,\"trace\":[{\"source\":\"../memory_collect_test.c\","    \
	"\"function\":\"main\",\"line\":22}],\"uid\":{\"source\":"             \
	"\"../memory_collect_test.c\",\"function\":\"main\",\"line\":22}}"
#define PLACE                                                                  \
	"{\"source\": \"../memory_collect_test.c\", \"function\": \"main\", "  \
	"\"line\": 22}"

/* seed 000's own example, older than subtypes: real, user and sys are three
 * measurements, not three samples of one. */
static void tells_times_apart_by_uid(void **state)
{
	static const char *const names[] = {"sys", "user", "real"};
	static const double times[] = {.59, .19, 1.59};
	struct pn_profile p;
	struct pn_metric *list;
	size_t i, count;

	(void)state;
	must_read(&p, "{" HEAD "\"global\":{\"time\":\"0.0\",\"resources\":["
		      "{\"amount\":0.59,\"type\":\"time\",\"uid\":\"sys\"},"
		      "{\"amount\":0.19,\"type\":\"time\",\"uid\":\"user\"},"
		      "{\"amount\":1.59,\"type\":\"time\",\"uid\":\"real\"}"
		      "]}}");
	assert_int_equal(p.type_count, 3);
	assert_string_equal(text_of(&p, p.default_type), "real");
	list = pn_totals_of(&count, &p);
	assert_int_equal(count, 3);
	for (i = 0; i < 3; i++) {
		assert_string_equal(text_of(&p, p.types[i].type), names[i]);
		assert_string_equal(text_of(&p, p.types[i].unit), "s");
		assert_true(pn_profile_is_present(&p, i, i));
		assert_false(pn_profile_is_present(&p, i, (i + 1) % 3));
		assert_string_equal(text_of(&p, list[i].name), names[i]);
		assert_int_equal(list[i].value_count, 1);
		assert_true(list[i].values[0] == times[i]);
	}
	pn_totals_free(list, count);
	pn_profile_release(&p);
}

#define SEVERAL                                                                \
	"{\"resources\":[{\"uid\":\"a\",\"type\":\"memory\",\"amount\":5},"    \
	"{\"uid\":\"a\",\"type\":\"time\",\"amount\":7},"                      \
	"{\"uid\":\"b\",\"type\":\"memory\",\"subtype\":\"malloc\","           \
	"\"amount\":2,\"order\":1},"                                           \
	"{\"uid\":\"b\",\"type\":\"memory\",\"subtype\":\"free\","             \
	"\"amount\":3}],\"header\":{\"type\":\"mixed\",\"units\":{"            \
	"\"memory\":\"B\",\"time\":\"s\",\"memory(malloc)\":\"kB\"},"          \
	"\"cmd\":\"x\",\"workload\":\"\"},\"collector_info\":{\"name\":\"m\"," \
	"\"params\":{}},\"postprocessors\":[]}"

/* 5 B, 7 s, 2 kB and 3 B are no 17: three value types, each absent where a
 * resource has another; what is freed has the unit of all memory. */
static void keeps_amounts_of_other_types_apart(void **state)
{
	static const struct {
		const char *type, *unit;
		int64_t values[4];
	} columns[] = {{"memory", "B", {5, 0, 0, 3}},
		       {"time", "s", {0, 7, 0, 0}},
		       {"memory(malloc)", "kB", {0, 0, 2, 0}},
		       {"order", "", {0, 0, 1, 0}}};
	struct pn_profile p, again;
	char why[256] = "", *have;
	size_t i, n;

	(void)state;
	must_read(&p, SEVERAL);
	assert_int_equal(p.type_count, 4);
	assert_string_equal(text_of(&p, p.default_type), "memory");
	for (i = 0; i < 4; i++) {
		assert_string_equal(text_of(&p, p.types[i].type),
				    columns[i].type);
		assert_string_equal(text_of(&p, p.types[i].unit),
				    columns[i].unit);
		for (n = 0; n < 4; n++) {
			assert_int_equal(p.values[n * 4 + i].i,
					 columns[i].values[n]);
			assert_int_equal(pn_profile_is_present(&p, n, i),
					 columns[i].values[n] != 0);
		}
	}
	assert_true(p.complete);
	have = must_write(&p);
	assert_non_null(strstr(have, "\"a#1\": {\"amount\": [7]}"));
	assert_non_null(
		strstr(have, "\"b#0\": {\"amount\": [2], \"order\": [1]}"));
	must_read(&again, have);
	if (!pn_profile_equal(&p, &again, why, sizeof(why)))
		fail_msg("%s", why);
	free(have);
	pn_profile_release(&p);
	pn_profile_release(&again);
}

/* A pending profile of the old layout whose header comes last, behind more
 * models than the bytes that are looked at hold. */
static void recognises_a_profile_whose_header_comes_last(void **state)
{
	const struct pn_codec *codec = NULL;
	struct pn_reader *in;
	struct pn_buf text = {0};
	struct pn_error err;
	int i;

	(void)state;
	pn_buf_add_text(&text, "{\"origin\": \"\", \"global\": {\"models\": [");
	for (i = 0; text.len < PN_SNIFF_BYTES; i++)
		pn_buf_printf(&text,
			      "%s{\"uid\": \"f%d\", \"r_square\": 0.5, "
			      "\"model\": \"linear\", \"coeffs\": []}",
			      i ? ", " : "", i);
	pn_buf_add_text(&text, "], \"resources\": []}, " HEAD "\"x\": 1}");
	assert_int_equal(
		pn_reader_memory(&in, text.data, text.len, "x", 0, &err), 0);
	if (pn_codec_sniff(&codec, in, &err))
		fail_msg("%s", err.message);
	assert_ptr_equal(codec, &pn_codec_perun);
	pn_reader_free(in);
	pn_buf_release(&text);
}

static void names_the_type_that_has_no_unit(void **state)
{
	struct pn_profile p;
	struct pn_error err = {0};

	(void)state;
	assert_true(perun_read(&p,
			       "{" HEAD "\"resources\":[{\"uid\":\"a\","
			       "\"type\":\"memory\",\"subtype\":\"malloc\","
			       "\"amount\":4}]}",
			       &err) < 0);
	assert_string_equal(err.message,
			    "cannot read 'x.perf': header.units has no unit "
			    "for 'memory(malloc)', it has 'time'");
}

/* Three runs, and a subtype that says something else than the uids. */
static void tells_times_of_several_runs_apart_by_uid(void **state)
{
	static const char *const names[] = {"real", "user"};
	static const double times[2][3] = {{1.5, 2.5, 4}, {.5, .25, 1}};
	struct pn_profile p;
	struct pn_metric *list;
	size_t i, k, count;

	(void)state;
	must_read(&p,
		  "{" HEAD "\"resources\":{\"real#0\":{\"amount\":[1.5,2.5,4]},"
		  "\"user#0\":{\"amount\":[0.5,0.25,1]}},"
		  "\"resource_type_map\":{\"real#0\":{\"uid\":\"real\","
		  "\"type\":\"time\",\"subtype\":\"delta\"},\"user#0\":{"
		  "\"uid\":\"user\",\"type\":\"time\","
		  "\"subtype\":\"delta\"}},\"models\":[]}");
	list = pn_totals_of(&count, &p);
	assert_int_equal(count, 2);
	for (i = 0; i < 2; i++) {
		assert_string_equal(text_of(&p, list[i].name), names[i]);
		assert_int_equal(list[i].value_count, 3);
		for (k = 0; k < 3; k++)
			assert_true(list[i].values[k] == times[i][k]);
	}
	pn_totals_free(list, count);
	pn_profile_release(&p);
}

static void reads_allocations_of_two_snapshots(void **state)
{
	static const char text[] = "{" HEAD_OF(
		"memory", "B") "\"snapshots\":[{\"time\":\"0.025000\","
			       "\"resources\":[" MALLOC
			       "],\"models\":[]},{\"time\":\"0.050000\","
			       "\"resources\":[" FREE "],\"models\":[]}]}";
	struct pn_profile p;

	(void)state;
	must_read(&p, text);
	assert_int_equal(p.sample_count, 2);
	assert_int_equal(p.stack_count, 1);
	assert_string_equal(frame_of(&p, 0, 0),
			    "main ../memory_collect_test.c:22");
	assert_null(frame_of(&p, 0, 1));
	assert_string_equal(text_of(&p, p.types[0].type), "address");
	assert_string_equal(text_of(&p, p.types[1].type), "amount");
	assert_string_equal(text_of(&p, p.types[1].unit), "B");
	assert_string_equal(text_of(&p, p.default_type), "amount");
	assert_int_equal(p.types[1].number, PN_NUMBER_INT);
	assert_int_equal(p.values[0].i, 19284560);
	assert_int_equal(p.values[1].i, 4);
	assert_string_equal(label_of(&p, 0, "subtype"), "malloc");
	assert_string_equal(label_of(&p, 0, "time"), "0.025000");
	assert_string_equal(label_of(&p, 1, "snapshot"), "int 1");
	assert_true(p.complete);
	pn_profile_release(&p);
	check_written(
		text,
		"{\"resources\": {"
		"\"../memory_collect_test.c:main:22#0\": {\"address\": "
		"[19284560], \"amount\": [4]}, "
		"\"../memory_collect_test.c:main:22#1\": {\"address\": "
		"[19284560], \"amount\": [0]}}, \"resource_type_map\": {"
		"\"../memory_collect_test.c:main:22#0\": {\"snapshot\": 0, "
		"\"subtype\": \"malloc\", \"time\": \"0.025000\", \"trace\": "
		"[" PLACE "], \"type\": \"memory\", \"uid\": " PLACE "}, "
		"\"../memory_collect_test.c:main:22#1\": {\"snapshot\": 1, "
		"\"subtype\": \"free\", \"time\": \"0.050000\", \"trace\": "
		"[" PLACE "], \"type\": \"memory\", \"uid\": " PLACE "}}, "
		"\"models\": []" TAIL_OF("memory", "B"));
}

/* 1 + 2 + 3 in the first, 4 in the second; an order is no cost. */
static void sums_snapshots_as_curves(void **state)
{
	static const char text[] =
		"{" HEAD "\"snapshots\":["
		"{\"time\":\"%s\",\"resources\":["
		"{\"uid\":\"f\",\"amount\":1,\"order\":9},"
		"{\"uid\":\"g\",\"amount\":2,\"order\":9},"
		"{\"amount\":3,\"uid\":\"f\",\"order\":9}]},"
		"{\"time\":\"0.2\",\"resources\":["
		"{\"uid\":\"f\",\"amount\":4,\"order\":9}]}]}";
	/* times that do not grow are no positions */
	static const char *const times[] = {"0.1", "0.2", "early"};
	struct pn_profile p;
	char with[1024];
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		snprintf(with, sizeof(with), text, times[i]);
		must_read(&p, with);
		assert_int_equal(p.curves.count, 1);
		assert_string_equal(text_of(&p, p.curves.items[0].name),
				    "amount");
		assert_string_equal(text_of(&p, p.curves.items[0].along),
				    i ? "snapshot" : "s");
		assert_int_equal(p.curves.point_count, 2);
		assert_true(p.curves.points[0].position == (i ? 0 : 0.1));
		assert_true(p.curves.points[1].position == (i ? 1 : 0.2));
		assert_true(p.curves.points[0].value == 6);
		assert_true(p.curves.points[1].value == 4);
		pn_profile_release(&p);
	}
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

/* Python tells 1, 1.0, "1" and True apart in what resources share. */
static void tells_numbers_texts_and_truth_apart(void **state)
{
	(void)state;
	check_written(
		"{" HEAD "\"resources\":[{\"uid\":\"f\",\"k\":1,\"order\":1},"
		"{\"uid\":\"f\",\"k\":1.0,\"order\":2},"
		"{\"uid\":\"f\",\"k\":\"1\",\"order\":3},"
		"{\"uid\":\"f\",\"k\":true,\"order\":4},"
		"{\"uid\":\"f\",\"k\":1.00,\"order\":5}]}",
		"{\"resources\": {\"f#0\": {\"order\": [1]}, \"f#1\": "
		"{\"order\": [2, 5]}, \"f#2\": {\"order\": [3]}, "
		"\"f#3\": {\"order\": [4]}}, \"resource_type_map\": {"
		"\"f#0\": {\"k\": 1, \"uid\": \"f\"}, "
		"\"f#1\": {\"k\": 1.0, \"uid\": \"f\"}, "
		"\"f#2\": {\"k\": \"1\", \"uid\": \"f\"}, "
		"\"f#3\": {\"k\": true, \"uid\": \"f\"}}, \"models\": []" TAIL);
}

/* Perun would keep one of them: without columns nothing counts rows. */
static void keeps_equal_resources_without_numbers(void **state)
{
	(void)state;
	check_written("{" HEAD "\"resources\":[{\"uid\":\"f\"},"
		      "{\"uid\":\"f\"}]}",
		      "{\"resources\": {\"f#0\": {}, \"f#1\": {}}, "
		      "\"resource_type_map\": {\"f#0\": {\"uid\": \"f\"}, "
		      "\"f#1\": {\"uid\": \"f\"}}, \"models\": []" TAIL);
}

static void reads_both_layouts_as_the_same_resources(void **state)
{
	struct pn_profile old, now;
	char why[256] = "";

	(void)state;
	must_read(
		&old,
		"{" HEAD_OF("mixed",
			    "us") "\"resources\":["
				  "{\"amount\":11,\"subtype\":\"time "
				  "delta\",\"type\":"
				  "\"mixed\",\"uid\":\"SLList_init(SLList*)\","
				  "\"structure-unit-size\":0},"
				  "{\"amount\":12,\"subtype\":\"time "
				  "delta\",\"type\":"
				  "\"mixed\",\"uid\":\"SLList_init(SLList*)\","
				  "\"structure-unit-size\":7},"
				  "{\"amount\":1,\"type\":\"mixed\",\"uid\":"
				  "\"g\"}]}");
	must_read(
		&now,
		"{" HEAD_OF("mixed",
			    "us") "\"resource_type_map\":{"
				  "\"SLList_init(SLList*)#0\":{\"subtype\":"
				  "\"time delta\","
				  "\"type\":\"mixed\",\"uid\":\"SLList_init("
				  "SLList*)\"},"
				  "\"g#0\":{\"type\":\"mixed\",\"uid\":\"g\"}},"
				  "\"resources\":{\"SLList_init(SLList*)#0\":{"
				  "\"amount\":[11,12],\"structure-unit-size\":["
				  "0,7]},"
				  "\"g#0\":{\"amount\":[1]}}}");
	if (!pn_profile_equal(&old, &now, why, sizeof(why)))
		fail_msg("%s", why);
	/* mixed(time delta), mixed, structure-unit-size */
	assert_int_equal(now.type_count, 3);
	assert_true(pn_profile_is_present(&now, 1, 2));
	assert_false(pn_profile_is_present(&now, 2, 2));
	assert_true(pn_profile_is_present(&now, 2, 1));
	pn_profile_release(&old);
	pn_profile_release(&now);
}

/* Columns of unequal length would be misread by Perun: own types instead. */
static void keeps_resources_with_other_columns_apart(void **state)
{
	(void)state;
	check_written(
		"{" HEAD "\"resources\":[{\"uid\":\"f\",\"amount\":1},"
		"{\"uid\":\"f\",\"amount\":2,\"order\":1},"
		"{\"uid\":\"f\",\"amount\":3}]}",
		"{\"resources\": {\"f#0\": {\"amount\": [1, 3]}, \"f#1\": "
		"{\"amount\": [2], \"order\": [1]}}, \"resource_type_map\": "
		"{\"f#0\": {\"uid\": \"f\"}, \"f#1\": {\"uid\": \"f\"}}, "
		"\"models\": []" TAIL);
}

static void makes_a_column_of_doubles_where_one_is(void **state)
{
	struct pn_profile p;

	(void)state;
	must_read(&p, "{" HEAD "\"resources\":[{\"uid\":\"f\",\"amount\":1},"
		      "{\"uid\":\"f\",\"amount\":0.5},"
		      "{\"uid\":\"f\",\"order\":7}]}");
	assert_int_equal(p.types[0].number, PN_NUMBER_DOUBLE);
	assert_int_equal(p.types[1].number, PN_NUMBER_INT);
	assert_true(p.values[0].d == 1.0 && p.values[2].d == 0.5);
	assert_false(pn_profile_is_present(&p, 2, 0));
	pn_profile_release(&p);
}

static void gives_a_time_to_resources_that_stand_before_it(void **state)
{
	struct pn_profile before, behind;

	(void)state;
	must_read(&before, "{" HEAD "\"snapshots\":[{\"time\":2,\"resources\":["
			   "{\"uid\":\"a\",\"amount\":1}]}]}");
	must_read(&behind, "{" HEAD "\"snapshots\":[{\"resources\":["
			   "{\"uid\":\"a\",\"amount\":1}],\"time\":2}]}");
	assert_true(pn_profile_equal(&before, &behind, NULL, 0));
	assert_string_equal(label_of(&behind, 0, "time"), "int 2");
	assert_int_equal(behind.label_set_count, 2); /* and the empty one */
	pn_profile_release(&before);
	pn_profile_release(&behind);
}

/* The memory collector writes the leaf first. */
static void takes_a_trace_of_functions_leaf_first(void **state)
{
	struct pn_profile p;

	(void)state;
	must_read(&p, "{" HEAD "\"resources\":[{\"uid\":\"malloc\",\"trace\":["
		      "{\"function\":\"malloc\",\"source\":\"unreachable\","
		      "\"line\":0},{\"function\":\"main\",\"source\":\"a.c\","
		      "\"line\":45}],\"amount\":4}]}");
	assert_string_equal(frame_of(&p, 0, 0), "malloc unreachable:0");
	assert_string_equal(frame_of(&p, 0, 1), "main a.c:45");
	assert_null(label_of(&p, 0, "trace")); /* the stack says it all */
	assert_null(label_of(&p, 0, "uid"));
	pn_profile_release(&p);
}

/* Perun's perf collector writes the root first and the leaf as the uid. */
static void takes_a_trace_of_funcs_root_first(void **state)
{
	struct pn_profile p;

	(void)state;
	must_read(&p, "{" HEAD "\"resources\":[{\"uid\":\"leaf\",\"trace\":["
		      "{\"func\":\"main\"},{\"func\":\"f\"}],\"amount\":4}]}");
	assert_string_equal(frame_of(&p, 0, 0), "leaf :0");
	assert_string_equal(frame_of(&p, 0, 1), "f :0");
	assert_string_equal(frame_of(&p, 0, 2), "main :0");
	assert_string_equal(label_of(&p, 0, "trace"), "func");
	pn_profile_release(&p);
}

#define TWO_FRAMES                                                             \
	"[{\"source\": \"a.c\", \"function\": \"f\", \"line\": 1}, "           \
	"{\"source\": \"a.c\", \"function\": \"u\", \"line\": 2}]"

/* Each must come out as it went in, whether it is a stack or not. */
static void gives_back_traces_of_every_kind(void **state)
{
	static const char *const traces[] = {
		"[{\"function\": \"f\", \"source\": \"a.c\", \"line\": 1}]",
		TWO_FRAMES,
		"[{\"line\": 3, \"function\": \"u\"}]",
		"[{\"function\": \"u\"}]",
		"[{\"function\": \"u\", \"source\": \"\", \"line\": 0}]",
		"[{\"func\": \"g\"}, {\"func\": \"h\"}]",
		"[]",
		"[{\"function\": \"f\"}, {\"function\": \"g\", \"line\": 1}]",
		"[{\"function\": \"f\", \"line\": \"1\"}]",
		"[{\"function\": \"f\", \"line\": 1.5}]",
		"[{\"function\": \"f\", \"function\": \"g\"}]",
		"[{\"function\": \"f\", \"extra\": null}]",
		"[{\"function\": null}]",
		"[{\"source\": \"a.c\"}]",
		"[{}]",
		"[\"f\", \"g\"]",
		"\"func\"",
		"\"f#g\"",
		"null",
		"17",
		"{\"function\": \"f\"}",
	};
	static const char *const uids[] = {
		"\"u\"", "{\"function\": \"f\", \"line\": 1}", "[\"u\"]", "3"};
	static const char *const flat[] = {"u", "f:1", "u", "3"};
	char in[1024], want[1024];
	size_t i, k;

	(void)state;
	for (i = 0; i < sizeof(traces) / sizeof(*traces); i++) {
		for (k = 0; k < sizeof(uids) / sizeof(*uids); k++) {
			snprintf(in, sizeof(in),
				 "{" HEAD "\"resources\":[{\"trace\":%s,"
				 "\"uid\":%s,\"amount\":1}]}",
				 traces[i], uids[k]);
			snprintf(want, sizeof(want),
				 "{\"resources\": {\"%s#0\": {\"amount\": [1]}"
				 "}, \"resource_type_map\": {\"%s#0\": "
				 "{\"trace\": %s, \"uid\": %s}}, \"models\": "
				 "[]" TAIL,
				 flat[k], flat[k], traces[i], uids[k]);
			check_written(in, want);
		}
	}
}

static void gives_resources_without_a_trace_one_frame(void **state)
{
	struct pn_profile p;

	(void)state;
	must_read(&p, "{" HEAD "\"global\":[{\"amount\":0.59,\"type\":\"time\","
		      "\"uid\":\"sys\"},{\"amount\":1,\"uid\":"
		      "{\"line\":22,\"function\":\"main\"}}]}");
	assert_string_equal(frame_of(&p, 0, 0), "sys :0");
	assert_null(frame_of(&p, 0, 1));
	assert_null(label_of(&p, 0, "time")); /* a list adds none */
	assert_string_equal(frame_of(&p, 1, 0), "main:22 :0");
	assert_string_equal(label_of(&p, 1, "uid"),
			    "{\"line\":22,\"function\":\"main\"}");
	pn_profile_release(&p);
}

/* Only what Perun's `bounds` collector writes: no numbers at all. */
static void keeps_resources_without_numbers(void **state)
{
	struct pn_profile p;

	(void)state;
	must_read(&p, "{" HEAD "\"resources\":{\"f#0\":{}},"
		      "\"resource_type_map\":{\"f#0\":{\"uid\":\"f\","
		      "\"bound\":\"1 + max(0, n)\",\"class\":\"O(n^1)\"}}}");
	assert_int_equal(p.sample_count, 1);
	assert_int_equal(p.type_count, 1);
	assert_false(pn_profile_is_present(&p, 0, 0));
	assert_string_equal(label_of(&p, 0, "class"), "O(n^1)");
	assert_true(p.complete);
	pn_profile_release(&p);
}

/* Keys of workload generators are columns of the current layout. */
static void keeps_columns_of_any_name(void **state)
{
	(void)state;
	check_written(
		"{" HEAD "\"resources\":{\"f#0\":{\"seed\":[7,8],\"amount\":"
		"[1,-0.0]}},\"resource_type_map\":{\"f#0\":{\"uid\":\"f\"}}}",
		"{\"resources\": {\"f#0\": {\"seed\": [7, 8], \"amount\": "
		"[1.0, -0.0]}}, \"resource_type_map\": {\"f#0\": {\"uid\": "
		"\"f\"}}, \"models\": []" TAIL);
}

static void writes_numbers_as_python_does(void **state)
{
	(void)state;
	check_written(
		"{" HEAD "\"resources\":[{\"uid\":\"f\",\"exclusive\":1e-5},"
		"{\"uid\":\"f\",\"exclusive\":1e16},"
		"{\"uid\":\"f\",\"exclusive\":123456.70},"
		"{\"uid\":\"f\",\"exclusive\":NaN},"
		"{\"uid\":\"f\",\"exclusive\":-Infinity}]}",
		"{\"resources\": {\"f#0\": {\"exclusive\": [1e-05, 1e+16, "
		"123456.7, NaN, -Infinity]}}, \"resource_type_map\": {\"f#0\": "
		"{\"uid\": \"f\"}}, \"models\": []" TAIL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_times_apart_by_uid),
		cmocka_unit_test(keeps_amounts_of_other_types_apart),
		cmocka_unit_test(recognises_a_profile_whose_header_comes_last),
		cmocka_unit_test(names_the_type_that_has_no_unit),
		cmocka_unit_test(tells_times_of_several_runs_apart_by_uid),
		cmocka_unit_test(reads_allocations_of_two_snapshots),
		cmocka_unit_test(sums_snapshots_as_curves),
		cmocka_unit_test(groups_resources_as_perun_does),
		cmocka_unit_test(tells_numbers_texts_and_truth_apart),
		cmocka_unit_test(keeps_equal_resources_without_numbers),
		cmocka_unit_test(reads_both_layouts_as_the_same_resources),
		cmocka_unit_test(keeps_resources_with_other_columns_apart),
		cmocka_unit_test(makes_a_column_of_doubles_where_one_is),
		cmocka_unit_test(
			gives_a_time_to_resources_that_stand_before_it),
		cmocka_unit_test(takes_a_trace_of_functions_leaf_first),
		cmocka_unit_test(takes_a_trace_of_funcs_root_first),
		cmocka_unit_test(gives_back_traces_of_every_kind),
		cmocka_unit_test(gives_resources_without_a_trace_one_frame),
		cmocka_unit_test(keeps_resources_without_numbers),
		cmocka_unit_test(keeps_columns_of_any_name),
		cmocka_unit_test(writes_numbers_as_python_does),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
