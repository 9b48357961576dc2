/* Deflate and inflate against the RFCs' own structure and each other. */
#include "base/deflate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

/* The header of compress/gzip's Writer: method 8, then zeros, system 255. */
static void gzip_has_the_header_that_go_writes(void **state)
{
	static const unsigned char header[] = {0x1f, 0x8b, 8, 0, 0,
					       0,    0,	   0, 0, 0xff};
	struct pn_buf out = {0};
	int level;

	(void)state;
	for (level = -1; level <= 9; level++) {
		pn_buf_clear(&out);
		assert_int_equal(pn_deflate_gzip(&out, "abc", 3, level), 0);
		assert_memory_equal(out.data, header, sizeof(header));
		/* the trailer: CRC-32 of "abc" (352441c2), then the length */
		assert_memory_equal(out.data + out.len - 8,
				    "\xc2\x41\x24\x35\3\0\0\0", 8);
	}
	assert_int_equal(pn_deflate_gzip(&out, "abc", 3, 10), PN_ERANGE);
	pn_buf_release(&out);
}

/* RFC 1950: two bytes before, a sum of four behind; RFC 1951, 3.2.4: a stored
 * block has five bytes before its own. */
static void stored_bytes_come_back(void **state)
{
	static const size_t lens[] = {0, 1, 255, 256, 65535};
	unsigned char *bytes = malloc(65535);
	struct pn_buf out = {0}, back = {0};
	size_t i;

	(void)state;
	for (i = 0; i < 65535; i++)
		bytes[i] = (unsigned char)(i * 7919 >> 5);
	for (i = 0; i < sizeof(lens) / sizeof(*lens); i++) {
		pn_buf_clear(&out);
		pn_buf_clear(&back);
		pn_deflate_stored(&out, bytes, lens[i]);
		assert_int_equal(out.len, lens[i] + 2 + 5 + 4);
		assert_int_equal(pn_inflate_zlib(&back, NULL, out.data, out.len,
						 65535, NULL),
				 0);
		assert_int_equal(back.len, lens[i]);
		assert_memory_equal(back.len ? back.data : bytes, bytes,
				    lens[i]);
	}
	free(bytes);
	pn_buf_release(&out);
	pn_buf_release(&back);
}

static void gzip_comes_back_in_pieces_of_any_size(void **state)
{
	struct pn_inflater *inflater = pn_inflater_new();
	struct pn_buf in = {0}, gz = {0};
	size_t step, i;

	(void)state;
	for (i = 0; i < 5000; i++)
		pn_buf_printf(&in, "%zu;", i * i);
	pn_deflate_gzip(&gz, in.data, in.len, 6);
	for (step = 1; step < 2000; step = step * 3 + 1) {
		unsigned char *back = malloc(in.len), *to = back;
		const unsigned char *from = gz.data, *end = gz.data + gz.len;
		bool done = false;

		pn_inflater_reset(inflater);
		while (!done) {
			size_t left = (size_t)(end - from);
			size_t room = (size_t)(back + in.len - to);

			assert_int_equal(
				pn_inflater_run(
					&done, inflater, &from,
					from + (left < step ? left : step), &to,
					to + (room < step ? room : step), NULL),
				0);
		}
		assert_ptr_equal(from, end);
		assert_int_equal(to - back, in.len);
		assert_memory_equal(back, in.data, in.len);
		free(back);
	}
	pn_inflater_free(inflater);
	pn_buf_release(&in);
	pn_buf_release(&gz);
}

/* What is wrong with a member that is inflated in pieces; NULL: nothing. */
static const char *inflate_in(size_t step, const struct pn_buf *gz, size_t len,
			      struct pn_error *err)
{
	struct pn_inflater *inflater = pn_inflater_new();
	unsigned char *back = malloc(len), *to = back;
	const unsigned char *from = gz->data, *end = gz->data + gz->len;
	bool done = false;
	int code = 0;

	while (!done && !code) {
		size_t left = (size_t)(end - from);
		size_t room = (size_t)(back + len - to);

		code = pn_inflater_run(&done, inflater, &from,
				       from + (left < step ? left : step), &to,
				       to + (room < step ? room : step), err);
	}
	assert_true(code || from == end);
	free(back);
	pn_inflater_free(inflater);
	return code ? err->message : NULL;
}

/* RFC 1952, 2.3: the last eight bytes are the sum of the content, then its
 * length, whatever parts of them come together. */
static void gzip_in_pieces_is_held_against_its_sum_and_length(void **state)
{
	struct pn_buf in = {0}, gz = {0};
	struct pn_error err = {0};
	size_t step, i;

	(void)state;
	for (i = 0; in.len < 200000; i++)
		pn_buf_printf(&in, "%zu;", i * i);
	pn_deflate_gzip(&gz, in.data, in.len, 6);
	for (step = 1; step < 200000; step = step * 7 + 2) {
		assert_null(inflate_in(step, &gz, in.len, &err));
		for (i = 1; i <= 8; i++) {
			gz.data[gz.len - i] ^= 0x40;
			assert_string_equal(
				inflate_in(step, &gz, in.len, &err),
				i > 4 ? "corrupt compressed data: incorrect "
					"data check"
				      : "corrupt compressed data: incorrect "
					"length check");
			gz.data[gz.len - i] ^= 0x40;
		}
	}
	pn_buf_release(&in);
	pn_buf_release(&gz);
}

/* RFC 1950, 2.2: Adler-32 is behind the data, of the second stream, too. */
static void zlib_streams_are_held_against_their_sums(void **state)
{
	struct pn_inflater *inflater = pn_inflater_new_zlib();
	struct pn_buf z = {0};
	unsigned char back[8], *to;
	const unsigned char *from;
	bool done = false;
	int i;

	(void)state;
	pn_deflate_zlib(&z, NULL, 0, "hello", 5, 6);
	for (i = 0; i < 4; i++) {
		from = z.data;
		to = back;
		z.data[z.len - 1] ^= i & 1;
		pn_inflater_reset(inflater);
		assert_int_equal(pn_inflater_run(&done, inflater, &from,
						 z.data + z.len, &to,
						 back + sizeof(back), NULL),
				 i & 1 ? PN_EINVAL : 0);
		z.data[z.len - 1] ^= i & 1;
	}
	pn_inflater_free(inflater);
	pn_buf_release(&z);
}

/* Some blocks, and a length that is none of theirs. */
static void gzip_of_many_blocks_is_one_member(void **state)
{
	struct pn_inflater *inflater = pn_inflater_new();
	struct pn_buf in = {0}, gz = {0}, again = {0};
	const unsigned char *from;
	unsigned char *back, *to;
	bool done = false;
	size_t i;

	(void)state;
	for (i = 0; in.len < 1000000; i++)
		pn_buf_printf(&in, "%zu;", i * i % 65521);
	pn_deflate_gzip(&gz, in.data, in.len, 4);
	pn_deflate_gzip(&again, in.data, in.len, 4);
	assert_int_equal(gz.len, again.len);
	assert_memory_equal(gz.data, again.data, gz.len);
	back = to = malloc(in.len);
	from = gz.data;
	assert_int_equal(pn_inflater_run(&done, inflater, &from,
					 gz.data + gz.len, &to, back + in.len,
					 NULL),
			 0);
	assert_true(done); /* and its sum is right */
	assert_ptr_equal(from, gz.data + gz.len);
	assert_int_equal(to - back, in.len);
	assert_memory_equal(back, in.data, in.len);
	free(back);
	pn_inflater_free(inflater);
	pn_buf_release(&in);
	pn_buf_release(&gz);
	pn_buf_release(&again);
}

static void a_deflater_may_be_used_again(void **state)
{
	struct pn_deflater *deflater = pn_deflater_new(1);
	struct pn_buf once = {0}, again = {0}, back = {0};
	size_t used;

	(void)state;
	pn_deflate_zlib(&once, "blob 5", 7, "hello", 5, 1);
	pn_deflater_run(&again, deflater, "blob 5", 7, "hello", 5);
	pn_deflater_run(&again, deflater, NULL, 0, "", 0);
	pn_deflater_run(&again, deflater, "blob 5", 7, "hello", 5);
	assert_memory_equal(again.data, once.data, once.len);
	assert_int_equal(
		pn_inflate_zlib(&back, &used, again.data, again.len, 12, NULL),
		0);
	assert_int_equal(used, once.len);
	assert_int_equal(back.len, 12);
	assert_memory_equal(back.data, "blob 5\0hello", 12);
	assert_memory_equal(again.data + again.len - once.len, once.data,
			    once.len);
	assert_null(pn_deflater_new(10));
	pn_deflater_free(deflater);
	pn_buf_release(&once);
	pn_buf_release(&again);
	pn_buf_release(&back);
}

/* Deflated and inflated again by zlib; returns the length of the stream. */
static size_t deflated(struct pn_deflater *deflater, const void *bytes,
		       size_t len)
{
	struct pn_buf z = {0}, back = {0};
	size_t n;

	pn_deflater_run(&z, deflater, NULL, 0, bytes, len);
	assert_int_equal(pn_inflate_zlib(&back, NULL, z.data, z.len, len, NULL),
			 0);
	assert_int_equal(back.len, len);
	if (len)
		assert_memory_equal(back.data, bytes, len);
	n = z.len;
	pn_buf_release(&z);
	pn_buf_release(&back);
	return n;
}

static uint32_t next_number(uint32_t *seed)
{
	/* Numerical Recipes, 7.1: the upper bits are the good ones */
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void small_inputs_of_all_kinds_come_back(void **state)
{
	struct pn_deflater *deflater = pn_deflater_new(1);
	unsigned char bytes[20000];
	uint32_t seed = 1;
	size_t len, i, kind;

	(void)state;
	for (len = 0; len <= sizeof(bytes); len += 1 + len / 7)
		for (kind = 0; kind < 5; kind++) {
			for (i = 0; i < len; i++) {
				uint32_t r = next_number(&seed);

				bytes[i] = kind == 0   ? 'x'
					   : kind == 1 ? (unsigned char)r
					   : kind == 2
						   ? "0123456789abcdef"[r & 15]
					   : kind == 3 && i > 300
						   ? bytes[i - 1 - r % 300]
						   : (unsigned char)(i / 3);
			}
			deflated(deflater, bytes, len);
		}
	pn_deflater_free(deflater);
}

/* Within 3 % of zlib; what cannot be made shorter grows by 11 bytes. */
static void small_inputs_are_as_short_as_zlib_makes_them(void **state)
{
	struct pn_deflater *deflater = pn_deflater_new(1);
	struct pn_buf line = {0}, z = {0};
	size_t ours = 0, zlibs = 0, i, k;
	unsigned char bytes[600];
	uint32_t seed = 7;

	(void)state;
	for (i = 0; i < 50; i++) {
		pn_buf_clear(&line);
		pn_buf_add_text(&line, "perf1 2026-11-21T22:34:25.3Z ");
		for (k = 0; k < 25; k++)
			pn_buf_printf(&line, "%08x%s", next_number(&seed) * 257,
				      k % 5 ? "" : " cmd=program ");
		pn_buf_clear(&z);
		pn_deflate_zlib(&z, NULL, 0, line.data, line.len, 2);
		zlibs += z.len;
		ours += deflated(deflater, line.data, line.len);
	}
	assert_true(ours * 100 <= zlibs * 103);
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(next_number(&seed) >> 3);
	assert_int_equal(deflated(deflater, bytes, sizeof(bytes)),
			 sizeof(bytes) + 11);
	pn_deflater_free(deflater);
	pn_buf_release(&line);
	pn_buf_release(&z);
}

static void a_stream_does_not_depend_on_those_before(void **state)
{
	static const char text[] = "the same text, the same text, the same";
	struct pn_deflater *deflater = pn_deflater_new(1);
	struct pn_buf first = {0}, again = {0};
	size_t i;

	(void)state;
	pn_deflater_run(&first, deflater, NULL, 0, text, sizeof(text));
	for (i = 0; i < sizeof(text); i++)
		deflated(deflater, text, i);
	pn_deflater_run(&again, deflater, text, 10, text + 10,
			sizeof(text) - 10);
	assert_int_equal(again.len, first.len);
	assert_memory_equal(again.data, first.data, first.len);
	pn_deflater_free(deflater);
	pn_buf_release(&first);
	pn_buf_release(&again);
}

static void refuses_zlib_data_that_is_wrong(void **state)
{
	struct pn_buf z = {0}, back = {0};
	struct pn_error err;
	size_t i;

	(void)state;
	pn_buf_add_text(&back, "kept");
	pn_deflate_zlib(&z, NULL, 0, "some text, some text, some text", 31, 6);
	for (i = 0; i < z.len; i++)
		assert_int_equal(
			pn_inflate_zlib(&back, NULL, z.data, i, 100, &err),
			PN_EINVAL);
	assert_string_equal(err.message, "corrupt compressed data: cut short");
	z.data[z.len - 1] ^= 1;
	assert_int_equal(pn_inflate_zlib(&back, NULL, z.data, z.len, 100, &err),
			 PN_EINVAL);
	assert_string_equal(err.message,
			    "corrupt compressed data: incorrect data check");
	z.data[z.len - 1] ^= 1;
	pn_buf_add_byte(&z, 0);
	assert_int_equal(pn_inflate_zlib(&back, NULL, z.data, z.len, 100, &err),
			 PN_EINVAL);
	assert_string_equal(err.message,
			    "corrupt compressed data: 1 bytes behind its end");
	assert_string_equal(pn_buf_text(&back), "kept");
	pn_buf_release(&z);
	pn_buf_release(&back);
}

static void stops_at_the_limit(void **state)
{
	struct pn_buf z = {0}, back = {0}, zeros = {0};
	struct pn_error err;
	size_t used;

	(void)state;
	memset(pn_buf_reserve(&zeros, 1 << 20), 0, 1 << 20);
	zeros.len = 1 << 20;
	pn_deflate_zlib(&z, NULL, 0, zeros.data, zeros.len, 9);
	assert_int_equal(pn_inflate_zlib(&back, &used, z.data, z.len,
					 (1 << 20) - 1, &err),
			 PN_ELIMIT);
	assert_string_equal(err.message,
			    "compressed data holds more than 1048575 bytes");
	assert_int_equal(back.len, 0);
	assert_int_equal(
		pn_inflate_zlib(&back, &used, z.data, z.len, 1 << 20, &err), 0);
	assert_int_equal(back.len, 1 << 20);
	assert_memory_equal(back.data, zeros.data, 1 << 20);
	pn_buf_release(&z);
	pn_buf_release(&back);
	pn_buf_release(&zeros);
}

/* Streams of zlib, with what follows them in a pack behind each. */
static void whole_streams_come_back_at_once(void **state)
{
	static const size_t lens[] = {0, 1, 250, 8448, 100000};
	struct pn_inflate_whole *whole = pn_inflate_whole_new();
	unsigned char *bytes = malloc(100001), *back = malloc(100001);
	struct pn_buf out = {0};
	size_t i, z;

	(void)state;
	for (i = 0; i < 100001; i++)
		bytes[i] = (unsigned char)(i * i >> 7);
	for (i = 0; i < sizeof(lens) / sizeof(*lens); i++) {
		pn_buf_clear(&out);
		pn_deflate_zlib(&out, NULL, 0, bytes, lens[i], 6);
		z = out.len;
		pn_buf_add_text(&out, "more");
		assert_true(pn_inflate_whole_run(back, lens[i], whole, out.data,
						 out.len));
		assert_memory_equal(back, bytes, lens[i]);
		/* another length, cut, another sum */
		assert_false(pn_inflate_whole_run(back, lens[i] + 1, whole,
						  out.data, out.len));
		assert_false(lens[i] &&
			     pn_inflate_whole_run(back, lens[i] - 1, whole,
						  out.data, out.len));
		assert_false(pn_inflate_whole_run(back, lens[i], whole,
						  out.data, z - 1));
		out.data[z - 1] ^= 1;
		assert_false(pn_inflate_whole_run(back, lens[i], whole,
						  out.data, out.len));
	}
	pn_inflate_whole_free(whole);
	free(bytes);
	free(back);
	pn_buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gzip_has_the_header_that_go_writes),
		cmocka_unit_test(stored_bytes_come_back),
		cmocka_unit_test(whole_streams_come_back_at_once),
		cmocka_unit_test(gzip_comes_back_in_pieces_of_any_size),
		cmocka_unit_test(
			gzip_in_pieces_is_held_against_its_sum_and_length),
		cmocka_unit_test(zlib_streams_are_held_against_their_sums),
		cmocka_unit_test(gzip_of_many_blocks_is_one_member),
		cmocka_unit_test(a_deflater_may_be_used_again),
		cmocka_unit_test(small_inputs_of_all_kinds_come_back),
		cmocka_unit_test(small_inputs_are_as_short_as_zlib_makes_them),
		cmocka_unit_test(a_stream_does_not_depend_on_those_before),
		cmocka_unit_test(refuses_zlib_data_that_is_wrong),
		cmocka_unit_test(stops_at_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
