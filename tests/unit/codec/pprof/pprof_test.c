/* The pprof codec on good messages: reading, writing, recognising. */
#include "codec/pprof_bytes.h"
#include "codec/rows.h"

#include "codec/pprof/pprof.h"

static void reads_every_field(void **state)
{
	struct pn_buf raw = good();
	struct pn_profile p;

	(void)state;
	num(&raw, 7, S_MAIN);
	num(&raw, 8, S_LEAF);
	num(&raw, 9, 1700000000);
	num(&raw, 10, 60);
	message(&raw, 11, N(1, S_CPU), N(2, S_NS), END);
	num(&raw, 12, 100);
	num(&raw, 13, S_KEY);
	num(&raw, 14, S_SAMPLES);
	num(&raw, 15, S_FILE);
	read_good(&p, &raw);
	assert_true(p.complete);
	assert_int_equal(p.type_count, 2);
	assert_string_equal(pn_profile_text(&p, p.types[1].type), "cpu");
	assert_string_equal(pn_profile_text(&p, p.types[1].unit),
			    "nanoseconds");
	assert_int_equal(p.sample_count, 1);
	assert_int_equal(p.values[1].i, 30);
	assert_int_equal(p.frames[0], 1);
	assert_int_equal(p.frames[1], 0);
	assert_int_equal(p.mappings[0].start, 0x1000);
	assert_int_equal(p.mappings[0].limit, 0x2000);
	assert_int_equal(p.mappings[0].offset, 16);
	assert_int_equal(p.mappings[0].has,
			 PN_MAPPING_FUNCTIONS | PN_MAPPING_LINES);
	assert_int_equal(p.locations[1].address, 0x1002);
	assert_int_equal(p.locations[1].mapping, 0);
	assert_int_equal(p.lines[1].function, 1);
	assert_int_equal(p.lines[1].line, 20);
	assert_int_equal(p.lines[1].column, 2);
	assert_string_equal(pn_profile_text(&p, p.functions[1].name), "leaf");
	assert_string_equal(pn_profile_text(&p, p.functions[1].file), "a.c");
	assert_int_equal(p.functions[1].start_line, 2);
	assert_string_equal(pn_profile_text(&p, p.drop_frames), "main");
	assert_string_equal(pn_profile_text(&p, p.keep_frames), "leaf");
	assert_int_equal(p.time_ns, 1700000000);
	assert_int_equal(p.duration_ns, 60);
	assert_string_equal(pn_profile_text(&p, p.period_type.type), "cpu");
	assert_int_equal(p.period, 100);
	assert_string_equal(pn_profile_text(&p, p.comments[0]), "key");
	assert_string_equal(pn_profile_text(&p, p.default_type), "samples");
	assert_string_equal(pn_profile_text(&p, p.doc_url), "a.c");
	pn_profile_release(&p);
	pn_buf_release(&raw);
}

static void takes_packed_and_single_numbers_mixed(void **state)
{
	struct pn_buf raw = {0}, sample = {0}, other = good();
	struct pn_profile p, q;

	(void)state;
	add_types(&raw);
	num(&sample, 2, 3);
	bytes(&sample, 1, "\x02", 1);
	bytes(&sample, 2, "\x1e", 1);
	num(&sample, 1, 1);
	bytes(&raw, 2, sample.data, sample.len);
	add_tables(&raw);
	add_strings(&raw);
	bytes(&raw, 13, "\x05\x06", 2);
	num(&raw, 13, 7);
	bytes(&other, 13, "\x05\x06\x07", 3);
	read_good(&p, &raw);
	read_good(&q, &other);
	assert_int_equal(p.comment_count, 3);
	assert_true(pn_profile_equal(&p, &q, NULL, 0));
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&raw);
	pn_buf_release(&sample);
	pn_buf_release(&other);
}

static void takes_fields_in_any_order(void **state)
{
	struct pn_buf raw = {0}, other = good();
	struct pn_profile p, q;

	(void)state;
	add_strings(&raw);
	add_sample(&raw);
	add_tables(&raw);
	add_types(&raw);
	read_good(&p, &raw);
	read_good(&q, &other);
	assert_true(pn_profile_equal(&p, &q, NULL, 0));
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&raw);
	pn_buf_release(&other);
}

/* The same profile with other ids for its functions and locations. */
static struct pn_buf with_ids(uint64_t main_id, uint64_t leaf_id)
{
	const uint64_t ids[] = {main_id, leaf_id};
	struct pn_buf raw = {0}, location = {0};
	unsigned int i;

	add_types(&raw);
	message(&raw, 2, N(1, leaf_id), N(1, main_id), N(2, 3), N(2, 30), END);
	for (i = 0; i < 2; i++) {
		pn_buf_clear(&location);
		num(&location, 1, ids[i]);
		message(&location, 4, N(1, ids[i]), N(2, 10), END);
		bytes(&raw, 4, location.data, location.len);
	}
	for (i = 2; i-- > 0;)
		message(&raw, 5, N(1, ids[i]), N(2, S_MAIN + i), END);
	add_strings(&raw);
	pn_buf_release(&location);
	return raw;
}

static void takes_ids_of_any_size(void **state)
{
	static const uint64_t ids[][2] = {
		{1, 2},
		{2, 1},
		{7, 300},
		{1000000, 5},
		{UINT64_MAX, 1},
		{1, UINT64_MAX},
		{UINT64_C(1) << 31, (UINT64_C(1) << 31) - 1},
		{UINT64_C(1) << 32, UINT64_C(1) << 63}};
	struct pn_profile p, q;
	struct pn_buf raw = with_ids(1, 2);
	size_t i;

	(void)state;
	read_good(&p, &raw);
	pn_buf_release(&raw);
	for (i = 0; i < sizeof(ids) / sizeof(*ids); i++) {
		raw = with_ids(ids[i][0], ids[i][1]);
		read_good(&q, &raw);
		assert_true(pn_profile_equal(&p, &q, NULL, 0));
		pn_profile_release(&q);
		pn_buf_release(&raw);
	}
	pn_profile_release(&p);
}

static void takes_a_thousand_sparse_ids(void **state)
{
	struct pn_buf raw = {0};
	struct pn_profile p;
	uint64_t i;

	(void)state;
	message(&raw, 1, N(1, 1), END);
	for (i = 1; i <= 1000; i++) {
		uint64_t id = i * UINT64_C(0x9e3779b97f4a7c15);

		message(&raw, 2, N(1, id), N(2, i), END);
		message(&raw, 4, N(1, id), N(3, i), END);
	}
	strings(&raw, "", "n", NULL);
	read_good(&p, &raw);
	for (i = 0; i < 1000; i++)
		assert_int_equal(p.locations[p.frames[i]].address,
				 p.values[i].i);
	pn_profile_release(&p);
	pn_buf_release(&raw);
}

/* A sample of one frame with labels, each of four numbers. */
/* Of more than 4 MB at once: their room is that of one frame a byte first. */
static void gives_long_samples_the_room_they_need(void **state)
{
	enum { SAMPLES = 50, FRAMES = 100000 };
	struct pn_buf raw = {0}, ids = {0}, sample = {0};
	struct pn_profile p;
	size_t i;

	(void)state;
	for (i = 0; i < FRAMES; i++)
		pn_buf_add_byte(&ids, 1 + i % 2);
	bytes(&sample, 1, ids.data, ids.len);
	bytes(&sample, 2, "\x03\x1e", 2);
	add_types(&raw);
	for (i = 0; i < SAMPLES; i++)
		bytes(&raw, 2, sample.data, sample.len);
	add_tables(&raw);
	add_strings(&raw);
	assert_true(raw.len > 4u << 20);
	read_good(&p, &raw);
	assert_int_equal(p.sample_count, SAMPLES);
	assert_int_equal(p.frame_count, SAMPLES * FRAMES);
	assert_in_range(p.frame_cap, SAMPLES * FRAMES, SAMPLES * FRAMES + 1);
	for (i = 0; i < SAMPLES * FRAMES; i++)
		if (p.frames[i] != i % 2)
			fail_msg("frame %zu is %u", i, p.frames[i]);
	pn_profile_release(&p);
	pn_buf_release(&raw);
	pn_buf_release(&ids);
	pn_buf_release(&sample);
}

static void labelled(struct pn_buf *raw, const uint64_t labels[][4],
		     size_t count)
{
	struct pn_buf sample = {0};
	size_t i;

	num(&sample, 1, 1);
	num(&sample, 2, 1);
	num(&sample, 2, 1);
	for (i = 0; i < count; i++)
		message(&sample, 3, N(1, labels[i][0]), N(2, labels[i][1]),
			N(3, labels[i][2]), N(4, labels[i][3]), END);
	bytes(raw, 2, sample.data, sample.len);
	pn_buf_release(&sample);
}

static void keeps_equal_sets_of_labels_once(void **state)
{
	static const uint64_t a[][4] = {{S_KEY, S_MAIN, 0, 0},
					{S_FILE, 0, 64, S_COUNT}};
	static const uint64_t b[][4] = {{S_KEY, S_LEAF, 0, 0}};
	struct pn_buf raw = good();
	struct pn_profile p;
	int i;

	(void)state;
	for (i = 0; i < 100; i++) {
		labelled(&raw, a, 2);
		labelled(&raw, b, 1);
	}
	read_good(&p, &raw);
	assert_true(p.complete);
	assert_int_equal(p.label_set_count, 3);
	assert_int_equal(p.samples[0].labels, 0);
	assert_int_equal(p.samples[1].labels, p.samples[199].labels);
	assert_int_equal(p.label_count, 3);
	assert_int_equal(p.labels[0].kind, PN_LABEL_STRING);
	assert_string_equal(pn_profile_text(&p, p.labels[0].value.s), "main");
	assert_int_equal(p.labels[1].kind, PN_LABEL_INT);
	assert_int_equal(p.labels[1].value.i, 64);
	assert_string_equal(pn_profile_text(&p, p.labels[1].unit), "count");
	pn_profile_release(&p);
	pn_buf_release(&raw);
}

static void says_when_something_is_lost(void **state)
{
	static const uint64_t empty[][4] = {{S_KEY, 0, 0, 0}};
	static const uint64_t both[][4] = {{S_KEY, S_MAIN, 5, 0}};
	struct pn_profile p;
	int i;

	(void)state;
	for (i = 0; i < 6; i++) {
		struct pn_buf raw = good();

		if (i == 0)
			labelled(&raw, empty, 1);
		else if (i == 1)
			labelled(&raw, both, 1);
		else if (i == 2)
			num(&raw, 16, 1);
		else if (i == 3)
			message(&raw, 5, N(1, 9), N(6, 1), END);
		else if (i == 4)
			message(&raw, 4, N(1, 9), N(2, 77), END);
		else
			message(&raw, 5, N(1, 9), N(5, 1), N(5, 2), END);
		read_good(&p, &raw);
		assert_false(p.complete);
		if (i == 0)
			assert_int_equal(p.samples[1].labels, 0);
		if (i == 1)
			assert_string_equal(
				pn_profile_text(&p, p.labels[0].value.s),
				"main");
		pn_profile_release(&p);
		pn_buf_release(&raw);
	}
}

static void writes_what_it_read(void **state)
{
	static const uint64_t labels[][4] = {{S_KEY, S_MAIN, 0, 0},
					     {S_FILE, 0, 64, S_COUNT},
					     {S_FILE, 0, (uint64_t)-5, 0},
					     {S_COUNT, S_LEAF, 0, 0}};
	struct pn_buf raw = good(), once = {0}, twice = {0};
	struct pn_profile p, q;
	struct pn_error err;
	char why[200] = "";

	(void)state;
	labelled(&raw, labels, 4);
	bytes(&raw, 13, "\x05\x06\x07", 3);
	num(&raw, 12, (uint64_t)-7);
	read_good(&p, &raw);
	assert_int_equal(pn_pprof_encode(&once, &p, &err), 0);
	read_good(&q, &once);
	if (!pn_profile_equal(&p, &q, why, sizeof(why)))
		fail_msg("%s", why);
	assert_int_equal(pn_pprof_encode(&twice, &q, &err), 0);
	assert_int_equal(once.len, twice.len);
	assert_memory_equal(once.data, twice.data, once.len);
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&raw);
	pn_buf_release(&once);
	pn_buf_release(&twice);
}

/* The head that Go's compress/gzip writes: no flags, no time, system 255. */
static void writes_the_gzip_head_of_go(void **state)
{
	struct pn_buf raw = good(), out = {0};
	struct pn_profile p;
	struct pn_error err;

	(void)state;
	read_good(&p, &raw);
	assert_int_equal(pn_codec_pprof.write(&out, &p, &err), 0);
	assert_memory_equal(out.data, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
	pn_profile_release(&p);
	pn_buf_release(&raw);
	pn_buf_release(&out);
}

static void writes_whole_doubles_and_refuses_fractions(void **state)
{
	struct pn_buf raw = good(), out = {0};
	struct pn_profile p, q;
	struct pn_error err;

	(void)state;
	read_good(&p, &raw);
	p.types[1].number = PN_NUMBER_DOUBLE;
	p.values[1].d = 1e15;
	assert_int_equal(pn_pprof_encode(&out, &p, &err), 0);
	read_good(&q, &out);
	assert_int_equal(q.values[1].i, INT64_C(1000000000000000));
	p.values[1].d = 0.5;
	assert_int_equal(pn_pprof_encode(&out, &p, &err), PN_EINVAL);
	assert_string_equal(err.message,
			    "pprof has whole numbers only, sample 0 has "
			    "another value of 'cpu'");
	pn_profile_release(&p);
	pn_profile_release(&q);
	pn_buf_release(&raw);
	pn_buf_release(&out);
}

static void refuses_to_write_what_pprof_lacks(void **state)
{
	struct pn_label label = {.kind = PN_LABEL_JSON};
	struct pn_profile p;
	struct pn_buf raw = good(), out = {0};
	struct pn_error err;

	(void)state;
	read_good(&p, &raw);
	label.key = pn_strtab_add_text(&p.strings, "uid");
	pn_profile_add_label_set(&p, &label, 1);
	assert_int_equal(pn_pprof_encode(&out, &p, &err), PN_EINVAL);
	assert_string_equal(err.message, "pprof has no nested labels like "
					 "'uid'");
	pn_profile_release(&p);
	pn_profile_init(&p);
	pn_profile_add_metric(&p, "time", "s", PN_BETTER_LESS, NULL, 0);
	assert_int_equal(pn_pprof_encode(&out, &p, &err), PN_EINVAL);
	pn_profile_release(&p);
	pn_buf_release(&raw);
	assert_int_equal(out.len, 0);
	pn_buf_release(&out);
}

static void takes_no_text_for_pprof(void **state)
{
	static const char *const texts[] = {"\n\nhello world\nhow are you\n",
					    "2024-11-20 12:00 a line\n",
					    "xaxaxaxaxaxaxa",
					    "8.8.8.8.8.8",
					    "{\"a\": 1}",
					    "p0p1p2",

					    "main;a 1\n"};
	struct pn_buf raw = good();
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_int_equal(
			pn_codec_pprof.sniff((const unsigned char *)texts[i],
					     strlen(texts[i])),
			PN_SNIFF_NO);
	assert_int_equal(pn_codec_pprof.sniff(raw.data, raw.len),
			 PN_SNIFF_LIKELY);
	assert_int_equal(pn_codec_pprof.sniff(raw.data, 20), PN_SNIFF_LIKELY);
	pn_buf_release(&raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_field),
		cmocka_unit_test(takes_packed_and_single_numbers_mixed),
		cmocka_unit_test(takes_fields_in_any_order),
		cmocka_unit_test(takes_ids_of_any_size),
		cmocka_unit_test(takes_a_thousand_sparse_ids),
		cmocka_unit_test(gives_long_samples_the_room_they_need),
		cmocka_unit_test(keeps_equal_sets_of_labels_once),
		cmocka_unit_test(says_when_something_is_lost),
		cmocka_unit_test(writes_what_it_read),
		cmocka_unit_test(writes_the_gzip_head_of_go),
		cmocka_unit_test(writes_whole_doubles_and_refuses_fractions),
		cmocka_unit_test(refuses_to_write_what_pprof_lacks),
		cmocka_unit_test(takes_no_text_for_pprof),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
