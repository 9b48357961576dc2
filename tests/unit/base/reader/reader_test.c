/* Bytes from files, pipes and memory, plain and gzip. */
#include "base/deflate.h"
#include "base/reader/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGE 3000000 /* over ten windows */

/* Bytes that a wrong offset would not repeat. */
static void add_pattern(struct pn_buf *out, size_t len)
{
	uint64_t x = 88172645463325252u; /* xorshift64, Marsaglia 2003 */
	unsigned char *to = pn_buf_reserve(out, len);
	size_t i;

	for (i = 0; i < len; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		to[i] = (unsigned char)(x & 15);
	}
	out->len += len;
}

/* Read all, leaving less than `want` bytes behind each time. */
static void check_reads(struct pn_reader *r, const struct pn_buf *in,
			size_t want)
{
	const unsigned char *at;
	size_t have, done = 0;
	struct pn_error err;

	for (;;) {
		assert_int_equal(pn_reader_peek(&at, &have, r, want, &err), 0);
		assert_true(have >= want || have == in->len - done);
		assert_int_equal(pn_reader_offset(r), done);
		assert_true(pn_reader_left(r) >= in->len - done);
		assert_memory_equal(at, in->data + done, have);
		if (!have)
			break;
		if (have > 1 && want > 1)
			have -= have > want ? want - 1 : 1;
		pn_reader_consume(r, have);
		done += have;
	}
	assert_int_equal(done, in->len);
	pn_reader_free(r);
}

static void write_file(const char *path, const struct pn_buf *bytes)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes->data, 1, bytes->len, f), bytes->len);
	assert_int_equal(fclose(f), 0);
}

static void shows_the_same_bytes_from_every_source(void **state)
{
	static const size_t wants[] = {1, 10, 1000, 262144, 600000};
	struct pn_buf in = {0}, gz = {0};
	struct pn_reader *r;
	char path[] = "/tmp/reader_test.XXXXXX";
	size_t i;

	(void)state;
	close(mkstemp(path));
	add_pattern(&in, LARGE);
	pn_deflate_gzip(&gz, in.data, in.len, 1);
	for (i = 0; i < sizeof(wants) / sizeof(*wants); i++) {
		pn_reader_memory(&r, in.data, in.len, "m", 0, NULL);
		assert_false(pn_reader_was_gzip(r));
		assert_int_equal(pn_reader_left(r), LARGE);
		check_reads(r, &in, wants[i]);
		pn_reader_memory(&r, gz.data, gz.len, "m", 0, NULL);
		assert_true(pn_reader_was_gzip(r));
		check_reads(r, &in, wants[i]);
		write_file(path, &in);
		assert_int_equal(pn_reader_open(&r, path, 0, NULL), 0);
		assert_int_equal(pn_reader_left(r), LARGE);
		check_reads(r, &in, wants[i]);
		write_file(path, &gz);
		assert_int_equal(pn_reader_open(&r, path, 0, NULL), 0);
		check_reads(r, &in, wants[i]);
	}
	unlink(path);
	pn_buf_release(&in);
	pn_buf_release(&gz);
}

/* What the file holds is shown at once behind what was consumed, or, where that
 * cannot be, piece by piece as before. */
static void check_all(const char *path, const struct pn_buf *in, size_t looked,
		      bool all)
{
	const unsigned char *at;
	struct pn_reader *r;
	size_t have, done = 0;

	assert_int_equal(pn_reader_open(&r, path, 0, NULL), 0);
	for (; done < looked; done += have) {
		assert_int_equal(pn_reader_peek(&at, &have, r, 1, NULL), 0);
		have = have > looked - done ? looked - done : have;
		pn_reader_consume(r, have);
	}
	assert_int_equal(pn_reader_show_all(r), all);
	assert_int_equal(pn_reader_offset(r), looked);
	assert_int_equal(pn_reader_peek(&at, &have, r, 1, NULL), 0);
	if (all)
		assert_int_equal(have, in->len - looked);
	assert_memory_equal(at, in->data + looked, have);
	pn_reader_free(r);
}

static void shows_all_of_a_file_where_it_is_asked_for(void **state)
{
	char path[] = "/tmp/reader_test.XXXXXX";
	struct pn_buf in = {0}, gz = {0};
	const unsigned char *at;
	struct pn_reader *r;
	size_t have;

	(void)state;
	close(mkstemp(path));
	add_pattern(&in, 4 * LARGE);
	pn_deflate_gzip(&gz, in.data, in.len, 1);
	assert_true(gz.len > 4 << 20); /* less is shown at once unasked */
	write_file(path, &gz);
	check_all(path, &in, 0, true);
	check_all(path, &in, 100, true);
	check_all(path, &in, LARGE, false); /* a thread is at it */
	assert_int_equal(pn_reader_open(&r, path, 0, NULL), 0);
	pn_reader_show_all(r);
	assert_int_equal(pn_reader_peek(&at, &have, r, 1, NULL), 0);
	pn_reader_consume(r, 3 * LARGE);
	pn_reader_forget(r);
	assert_int_equal(pn_reader_peek(&at, &have, r, 1, NULL), 0);
	assert_int_equal(have, LARGE);
	assert_memory_equal(at, in.data + 3 * LARGE, have);
	pn_reader_free(r);
	assert_int_equal(pn_reader_open(&r, path, 0, NULL), 0);
	pn_reader_show_all(r);
	check_reads(r, &in, 1000);
	/* the limit is as far as ever */
	assert_int_equal(pn_reader_open(&r, path, in.len - 1, NULL), 0);
	assert_false(pn_reader_show_all(r));
	pn_reader_free(r);
	/* a second member, and a member that is cut */
	pn_deflate_gzip(&gz, in.data, in.len, 1);
	write_file(path, &gz);
	check_all(path, &in, 100, false);
	gz.len = gz.len / 2 - 1;
	write_file(path, &gz);
	check_all(path, &in, 100, false);
	write_file(path, &in);
	check_all(path, &in, 100, false);
	unlink(path);
	pn_buf_release(&in);
	pn_buf_release(&gz);
}

static void reads_standard_input(void **state)
{
	int fds[2], old = dup(0);
	struct pn_reader *r;
	struct pn_buf out = {0};

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "xyz", 3), 3);
	close(fds[1]);
	dup2(fds[0], 0);
	close(fds[0]);
	assert_int_equal(pn_reader_open(&r, "-", 0, NULL), 0);
	dup2(old, 0);
	close(old);
	assert_string_equal(pn_reader_name(r), "standard input");
	assert_true(pn_reader_left(r) == UINT64_MAX);
	assert_int_equal(pn_reader_rest(&out, r, 3, NULL), 0);
	assert_string_equal(pn_buf_text(&out), "xyz");
	assert_int_equal(pn_reader_left(r), 0);
	pn_reader_free(r);
	pn_buf_release(&out);
}

static void joins_members_and_skips_trailing_zeros(void **state)
{
	struct pn_buf gz = {0}, out = {0};
	struct pn_reader *r;

	(void)state;
	pn_deflate_gzip(&gz, "one,", 4, 6);
	pn_deflate_gzip(&gz, "", 0, 6);
	pn_deflate_gzip(&gz, "two", 3, 6);
	pn_buf_add(&gz, "\0\0\0\0\0", 5);
	pn_reader_memory(&r, gz.data, gz.len, "m", 0, NULL);
	assert_int_equal(pn_reader_rest(&out, r, 7, NULL), 0);
	assert_string_equal(pn_buf_text(&out), "one,two");
	pn_reader_free(r);
	pn_buf_release(&gz);
	pn_buf_release(&out);
}

/* What came before the fault is shown, then the fault is told. */
static void check_fails(const struct pn_buf *gz, size_t len, size_t good,
			const char *message)
{
	struct pn_error err = {0};
	const unsigned char *at;
	struct pn_reader *r;
	size_t have = 0;
	int code;

	assert_int_equal(pn_reader_memory(&r, gz->data, len, "m", 0, &err), 0);
	if (good) {
		assert_int_equal(pn_reader_peek(&at, &have, r, good, &err), 0);
		assert_int_equal(have, good);
	}
	code = pn_reader_peek(&at, &have, r, good + 1, &err);
	assert_int_equal(code, PN_EINVAL);
	assert_string_equal(err.message, message);
	assert_int_equal(pn_reader_peek(&at, &have, r, good + 1, &err), code);
	pn_reader_free(r);
}

static void refuses_gzip_that_is_cut_or_corrupt(void **state)
{
	struct pn_buf gz = {0};
	size_t i;

	(void)state;
	pn_deflate_gzip(&gz, "some bytes", 10, 6);
	for (i = 2; i < 10; i++)
		check_fails(&gz, i, 0,
			    "cannot read 'm': gzip data is cut short");
	check_fails(&gz, gz.len - 1, 10,
		    "cannot read 'm': gzip data is cut short");
	gz.data[gz.len - 5] ^= 1;
	check_fails(&gz, gz.len, 0,
		    "cannot read 'm': corrupt compressed data: incorrect data "
		    "check");
	gz.data[gz.len - 5] ^= 1;
	gz.data[gz.len - 4]--; /* 9 bytes, it says at its end */
	check_fails(&gz, gz.len, 0,
		    "cannot read 'm': corrupt compressed data: incorrect "
		    "length check");
	gz.data[gz.len - 4]++;
	pn_buf_add_text(&gz, "junk");
	check_fails(&gz, gz.len, 10,
		    "cannot read 'm': garbage behind its gzip data");
	gz.data[2] = 7;
	check_fails(&gz, gz.len, 0,
		    "cannot read 'm': corrupt compressed data: unknown "
		    "compression method");
	pn_buf_release(&gz);
}

/* RFC 1952, 2.3.1: the low half of the header's CRC-32 stands behind it. */
static void looks_at_the_sum_of_a_header(void **state)
{
	unsigned char sum[2];
	struct pn_buf gz = {0}, all = {0};
	const unsigned char *at;
	struct pn_reader *r;
	struct pn_error err;
	uint32_t crc;
	size_t have;

	(void)state;
	pn_deflate_gzip(&gz, "some bytes", 10, 6);
	gz.data[3] = 2; /* FHCRC */
	crc = pn_deflate_crc32(0, gz.data, 10);
	sum[0] = (unsigned char)crc;
	sum[1] = (unsigned char)(crc >> 8);
	pn_buf_add(&all, gz.data, 10);
	pn_buf_add(&all, sum, 2);
	pn_buf_add(&all, gz.data + 10, gz.len - 10);
	assert_int_equal(pn_reader_memory(&r, all.data, all.len, "m", 0, &err),
			 0);
	assert_int_equal(pn_reader_peek(&at, &have, r, 10, &err), 0);
	assert_int_equal(have, 10);
	assert_memory_equal(at, "some bytes", 10);
	pn_reader_free(r);
	all.data[10] ^= 1;
	check_fails(&all, all.len, 0,
		    "cannot read 'm': corrupt compressed data: header crc "
		    "mismatch");
	pn_buf_release(&gz);
	pn_buf_release(&all);
}

/* Beyond 16 MB a member is inflated as it is read. */
static void reads_long_members(void **state)
{
	struct pn_buf in = {0}, gz = {0};
	struct pn_reader *r;
	struct pn_error err;

	(void)state;
	memset(pn_buf_reserve(&in, 17u << 20), 'a', 17u << 20);
	in.len = 17u << 20;
	pn_deflate_gzip(&gz, in.data, in.len, 1);
	assert_int_equal(pn_reader_memory(&r, gz.data, gz.len, "m", 0, &err),
			 0);
	check_reads(r, &in, 1 << 20);
	pn_buf_release(&in);
	pn_buf_release(&gz);
}

static void stops_a_bomb_at_max_bytes(void **state)
{
	struct pn_buf zeros = {0}, gz = {0}, out = {0};
	struct pn_error err;
	struct pn_reader *r;

	(void)state;
	memset(pn_buf_reserve(&zeros, LARGE), 0, LARGE);
	pn_deflate_gzip(&gz, zeros.data, LARGE, 9);
	pn_reader_memory(&r, gz.data, gz.len, "m", LARGE - 1, NULL);
	assert_int_equal(pn_reader_rest(&out, r, LARGE, &err), PN_ELIMIT);
	assert_string_equal(err.message,
			    "cannot read 'm': more than 2999999 bytes");
	assert_int_equal(pn_reader_offset(r), LARGE - 1);
	assert_int_equal(out.len, 0);
	pn_reader_free(r);
	pn_reader_memory(&r, gz.data, gz.len, "m", LARGE, NULL);
	assert_int_equal(pn_reader_rest(&out, r, LARGE, &err), 0);
	assert_int_equal(out.len, LARGE);
	pn_reader_free(r);
	pn_reader_memory(&r, gz.data, gz.len, "m", LARGE, NULL);
	assert_int_equal(pn_reader_rest(&out, r, LARGE - 1, &err), PN_ELIMIT);
	pn_reader_free(r);
	assert_int_equal(pn_reader_memory(&r, "abc", 3, "m", 2, &err),
			 PN_ELIMIT);
	pn_buf_release(&zeros);
	pn_buf_release(&gz);
	pn_buf_release(&out);
}

static void fails_at(const char *path, uint64_t max_bytes, size_t least,
		     int want, const char *why)
{
	struct pn_buf out = {0};
	struct pn_error err = {0};
	struct pn_reader *r;

	assert_int_equal(pn_reader_open(&r, path, max_bytes, &err), 0);
	assert_int_equal(pn_reader_rest(&out, r, LARGE, &err), want);
	assert_non_null(strstr(err.message, why));
	assert_null(strstr(strstr(err.message, "cannot read") + 1,
			   "cannot read")); /* said once */
	assert_true(pn_reader_offset(r) >= least);
	assert_true(pn_reader_was_gzip(r));
	pn_reader_free(r);
	assert_int_equal(pn_reader_open(&r, path, max_bytes, &err), 0);
	pn_reader_free(r); /* before anything is read */
	pn_buf_release(&out);
}

/* What a thread inflates fails as all else does, behind what was good. */
static void refuses_large_files_as_small_ones(void **state)
{
	struct pn_buf in = {0}, gz = {0};
	char path[] = "/tmp/reader_test.XXXXXX";

	(void)state;
	close(mkstemp(path));
	add_pattern(&in, LARGE);
	pn_deflate_gzip(&gz, in.data, in.len, 1);
	write_file(path, &gz);
	fails_at(path, LARGE - 1, LARGE - 1, PN_ELIMIT,
		 "more than 2999999 bytes");
	gz.len -= 4;
	write_file(path, &gz);
	fails_at(path, 0, LARGE, PN_EINVAL, "gzip data is cut short");
	gz.len /= 2;
	write_file(path, &gz);
	fails_at(path, 0, LARGE / 3, PN_EINVAL, "gzip data is cut short");
	unlink(path);
	pn_buf_release(&in);
	pn_buf_release(&gz);
}

static void reads_what_only_begins_like_gzip(void **state)
{
	struct pn_buf out = {0};
	struct pn_reader *r;

	(void)state;
	pn_reader_memory(&r, "\x1f", 1, "m", 0, NULL);
	assert_int_equal(pn_reader_rest(&out, r, 9, NULL), 0);
	assert_int_equal(out.len, 1);
	pn_reader_free(r);
	pn_buf_clear(&out);
	pn_reader_memory(&r, NULL, 0, "m", 0, NULL);
	assert_int_equal(pn_reader_rest(&out, r, 9, NULL), 0);
	assert_int_equal(out.len, 0);
	pn_reader_free(r);
	pn_buf_release(&out);
}

static void names_what_cannot_be_opened(void **state)
{
	struct pn_reader *r = NULL;
	struct pn_error err;

	(void)state;
	assert_int_equal(pn_reader_open(&r, "no-such", 0, &err), PN_EIO);
	assert_string_equal(err.message, "cannot read 'no-such': No such file "
					 "or directory");
	assert_int_equal(pn_reader_open(&r, ".", 0, &err), PN_EIO);
	assert_string_equal(err.message, "cannot read '.': it is a directory");
	assert_null(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_the_same_bytes_from_every_source),
		cmocka_unit_test(shows_all_of_a_file_where_it_is_asked_for),
		cmocka_unit_test(reads_standard_input),
		cmocka_unit_test(joins_members_and_skips_trailing_zeros),
		cmocka_unit_test(refuses_gzip_that_is_cut_or_corrupt),
		cmocka_unit_test(looks_at_the_sum_of_a_header),
		cmocka_unit_test(reads_long_members),
		cmocka_unit_test(stops_a_bomb_at_max_bytes),
		cmocka_unit_test(refuses_large_files_as_small_ones),
		cmocka_unit_test(reads_what_only_begins_like_gzip),
		cmocka_unit_test(names_what_cannot_be_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
