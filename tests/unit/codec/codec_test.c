/* The table of formats, and reading by it. */
#include "codec/rows.h"
#include "codec_text.h"

#include "base/deflate.h"

static int refused(const struct pn_codec *codec, const char *text, size_t len,
		   struct pn_error *err)
{
	struct pn_profile p;
	int code = read_bytes(&p, codec, text, len, err);

	pn_profile_release(&p);
	return code;
}

static void finds_each_format_by_its_name(void **state)
{
	size_t i, j;

	(void)state;
	for (i = 0; pn_codecs[i]; i++) {
		struct pn_error err;

		assert_ptr_equal(pn_codec_find(pn_codecs[i]->name, &err),
				 pn_codecs[i]);
		assert_non_null(pn_codecs[i]->summary);
		assert_non_null(pn_codecs[i]->sniffed_by);
		assert_non_null(pn_codecs[i]->sniff);
		assert_int_equal(pn_codecs[i]->suffix[0], '.');
		assert_true(pn_codecs[i]->read || pn_codecs[i]->write);
		for (j = 0; j < i; j++)
			assert_string_not_equal(pn_codecs[i]->name,
						pn_codecs[j]->name);
	}
	assert_true(i >= 2);
}

static void says_where_the_names_are_when_there_is_no_such_format(void **state)
{
	struct pn_error err;

	(void)state;
	assert_null(pn_codec_find("xml", &err));
	assert_int_equal(err.code, PN_ENOTFOUND);
	assert_string_equal(err.message,
			    "no such format 'xml', 'git perf formats' lists "
			    "those that are");
}

static void lists_those_that_are_written_to_who_wants_to_write(void **state)
{
	struct pn_error err;

	(void)state;
	assert_null(pn_codec_find_writer("xml", &err));
	assert_int_equal(err.code, PN_ENOTFOUND);
	assert_non_null(
		strstr(err.message, "written are pprof, otlp, collapsed, "));
	assert_null(strstr(err.message, "perf-script"));
	assert_null(pn_codec_find_writer("gprof", &err));
	assert_int_equal(err.code, PN_EINVAL);
	assert_memory_equal(err.message,
			    "format 'gprof' is read only, written are ", 41);
}

static void refuses_an_empty_input_whatever_the_format(void **state)
{
	struct pn_error err;
	size_t i;

	(void)state;
	assert_int_equal(refused(NULL, "", 0, &err), PN_EINVAL);
	assert_string_equal(err.message, "cannot read 'x': the input is empty");
	for (i = 0; pn_codecs[i]; i++) {
		if (!pn_codecs[i]->read)
			continue;
		assert_int_equal(refused(pn_codecs[i], "", 0, &err), PN_EINVAL);
		assert_string_equal(err.message,
				    "cannot read 'x': the input is empty");
	}
}

static void refuses_what_no_format_recognises(void **state)
{
	/* as callgrind_annotate 3.19 begins */
	static const char annotated[] =
		"------------------------------------------------------------"
		"--------------------\n"
		"Profile data file 'callgrind.out.1' (creator: "
		"callgrind-3.19.0)\n";
	struct pn_error err;

	(void)state;
	assert_int_equal(refused(NULL, "hello, world\n", 13, &err), PN_EFORMAT);
	assert_string_equal(err.message,
			    "cannot read 'x': its format is not recognised, "
			    "'git perf formats' lists those that are");
	assert_int_equal(refused(NULL, "gmon\1\0\0\0", 8, &err), PN_EFORMAT);
	assert_string_equal(err.message,
			    "cannot read 'x': this is gmon.out: give the "
			    "output of 'gprof <program> <file>'");
	assert_int_equal(refused(NULL, annotated, strlen(annotated), &err),
			 PN_EFORMAT);
	assert_non_null(strstr(err.message, "callgrind_annotate"));
}

static void recognises_and_reads(void **state)
{
	const struct pn_codec *used = NULL;
	struct pn_profile p;
	struct pn_reader *in = NULL;
	struct pn_error err;

	(void)state;
	pn_profile_init(&p);
	assert_int_equal(pn_reader_memory(&in, "a;b 1\n", 6, "x", 0, &err), 0);
	assert_int_equal(pn_codec_sniff(&used, in, &err), 0);
	assert_ptr_equal(used, &pn_codec_collapsed);
	used = NULL;
	assert_int_equal(pn_codec_read(&p, NULL, &used, in, &err), 0);
	assert_ptr_equal(used, &pn_codec_collapsed);
	assert_int_equal(p.sample_count, 1);
	pn_profile_release(&p);
	pn_reader_free(in);
}

/* A name of `name` bytes, then `rest`. */
static int sniffs_long(size_t name, const char *rest)
{
	const struct pn_codec *used = NULL;
	struct pn_buf text = {0};
	struct pn_reader *in = NULL;
	struct pn_profile p;
	struct pn_error err;
	int code;

	pn_buf_add_fill(&text, 'f', name);
	pn_buf_add_text(&text, rest);
	assert_int_equal(
		pn_reader_memory(&in, text.data, text.len, "x", 0, &err), 0);
	code = pn_codec_sniff(&used, in, &err);
	if (!code) {
		assert_ptr_equal(used, &pn_codec_collapsed);
		pn_profile_init(&p);
		assert_int_equal(pn_codec_read(&p, NULL, NULL, in, &err), 0);
		assert_int_equal(p.sample_count, 2);
		assert_int_equal(p.values[0].i, 3);
		pn_profile_release(&p);
	}
	pn_reader_free(in);
	pn_buf_release(&text);
	return code;
}

/* Sniffers see 4096 bytes, a first line is looked through up to 1 MiB. */
static void recognises_stacks_of_long_names(void **state)
{
	(void)state;
	assert_int_equal(sniffs_long(5, ";g 3\na;b 2\n"), 0);
	assert_int_equal(sniffs_long(4090, ";g 3\na;b 2\n"), 0);
	assert_int_equal(sniffs_long(4096, ";g 3\na;b 2\n"), 0);
	assert_int_equal(sniffs_long(100000, ";g 3\na;b 2\n"), 0);
	assert_int_equal(sniffs_long(100000, " 3\r\na;b 2"), 0);
	/* the LF is the last byte of it, or the next */
	assert_int_equal(sniffs_long((1 << 20) - 5, ";g 3\na;b 2\n"), 0);
	assert_int_equal(sniffs_long((1 << 20) - 4, ";g 3\na;b 2\n"),
			 PN_EFORMAT);
	assert_int_equal(sniffs_long(100000, ";g\na;b 2\n"), PN_EFORMAT);
	assert_int_equal(sniffs_long(100000, ";\1 3\na;b 2\n"), 0);
	assert_int_equal(sniffs_long(100000, "\r;g 3\na;b 2\n"), PN_EFORMAT);
}

/* One frame that keeps the bytes as they are. RFC 8878, 3.1. */
static void pack_zstd(struct pn_buf *out, const struct pn_buf *bytes)
{
	size_t head = bytes->len << 3 | 1;

	assert_true(bytes->len < 128 << 10);
	pn_buf_add(out, "\x28\xb5\x2f\xfd\x00\x58", 6);
	pn_buf_add_byte(out, (unsigned char)head);
	pn_buf_add_byte(out, (unsigned char)(head >> 8));
	pn_buf_add_byte(out, (unsigned char)(head >> 16));
	pn_buf_add(out, bytes->data, bytes->len);
}

static void reads_packed(const char *name, const struct pn_buf *packed,
			 const struct pn_profile *plain,
			 const struct pn_codec *codec)
{
	const struct pn_codec *used = NULL;
	struct pn_reader *in = NULL;
	struct pn_profile p;
	struct pn_error err;
	char why[256];

	pn_profile_init(&p);
	if (pn_reader_memory(&in, packed->data, packed->len, name, 0, &err) ||
	    pn_codec_read(&p, NULL, &used, in, &err))
		fail_msg("%s", err.message);
	assert_ptr_equal(used, codec);
	if (!pn_profile_equal(plain, &p, why, sizeof(why)))
		fail_msg("%s: %s", name, why);
	pn_profile_release(&p);
	pn_reader_free(in);
}

static void says_that_packed_data_is_cut(void **state)
{
	(void)state;
	refuses_text(NULL, "\x28\xb5\x2f\xfd\x01",
		     "corrupt zstd data: no whole block");
}

/* Whatever the format: text, JSON, and what is read by its bytes. */
static void unpacks_gzip_and_zstd(void **state)
{
	static const char *const names[] = {
		"cachegrind/lines.cachegrind",	 "callgrind/calls.callgrind",
		"callgrind/xdebug.cachegrind",	 "criterion/sort-sample.json",
		"firefox/version75.json",	 "go-text/mutex.txt",
		"gperftools-cpu/words32be.prof", "gperftools-heap/go.heap",
		"gprof/cycle.gprof.txt",	 "heaptrack/small.heaptrack",
		"massif/small.massif",		 "perf-script/records.perf.txt",
		"stackprof/wall.dump",		 "stackprof/wall.json"};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct pn_buf bytes = {0}, packed = {0};
		const struct pn_codec *codec;
		struct pn_profile plain;

		codec = read_data(&plain, names[i]);
		data_bytes(&bytes, names[i]);
		assert_int_equal(
			pn_deflate_gzip(&packed, bytes.data, bytes.len, -1), 0);
		reads_packed(names[i], &packed, &plain, codec);
		pn_buf_clear(&packed);
		pack_zstd(&packed, &bytes);
		reads_packed(names[i], &packed, &plain, codec);
		pn_buf_release(&packed);
		pn_buf_release(&bytes);
		pn_profile_release(&plain);
	}
}

/* A body says how much is in it: what is longer ends there, and what is no
 * body is not unpacked at all. */
static void reads_no_more_than_a_body_can_have(void **state)
{
	struct pn_buf zeros = {0}, packed = {0}, body = {0};
	struct pn_profile p, q;
	struct pn_error err = {0};
	struct pn_reader *in;
	size_t i;

	(void)state;
	for (i = 0; i < 1 << 20; i++)
		pn_buf_add_byte(&zeros, 0);
	assert_int_equal(pn_deflate_gzip(&packed, zeros.data, zeros.len, -1),
			 0);
	assert_int_equal(
		pn_reader_memory(&in, packed.data, packed.len, "x", 0, &err),
		0);
	pn_profile_init(&p);
	assert_true(pn_codec_body.read(&p, in, &err) < 0);
	assert_int_equal(pn_reader_offset(in), 0);
	pn_reader_free(in);

	pn_profile_init(&q);
	assert_int_equal(pn_codec_body.write(&body, &q, &err), 0);
	pn_buf_add(&body, zeros.data, zeros.len);
	assert_int_equal(
		read_bytes(&p, &pn_codec_body, body.data, body.len, &err),
		PN_ELIMIT);
	assert_non_null(strstr(err.message, "more than "));
	pn_buf_release(&zeros);
	pn_buf_release(&packed);
	pn_buf_release(&body);
	pn_profile_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_each_format_by_its_name),
		cmocka_unit_test(
			says_where_the_names_are_when_there_is_no_such_format),
		cmocka_unit_test(
			lists_those_that_are_written_to_who_wants_to_write),
		cmocka_unit_test(refuses_an_empty_input_whatever_the_format),
		cmocka_unit_test(refuses_what_no_format_recognises),
		cmocka_unit_test(recognises_and_reads),
		cmocka_unit_test(recognises_stacks_of_long_names),
		cmocka_unit_test(unpacks_gzip_and_zstd),
		cmocka_unit_test(reads_no_more_than_a_body_can_have),
		cmocka_unit_test(says_that_packed_data_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
