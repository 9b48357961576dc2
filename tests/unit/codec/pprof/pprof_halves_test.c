/* Large pprof files, which two threads read where they have one for itself,
 * and write. */
#include "codec/pprof_bytes.h"
#include "codec/rows.h"

#include "base/deflate.h"
#include "codec/pprof/pprof.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LOCATIONS 1000
#define DEPTH 40
#define SAMPLES                                                                \
	60000u /* of 80 bytes and more: 4 MB are read in two threads           \
		*/
#define LARGE_ID (UINT64_C(1) << 40)

/* How a file is made. */
struct made {
	uint64_t id; /* of the first location */
	size_t late; /* samples behind the tables */
	bool tables_first, single, labels;
	size_t bad;  /* a sample with a value more, 0: none */
	size_t wide; /* the first one of all that have one, 0: none */
	size_t lost; /* a sample with a location that is not there, 0: none */
};

static uint32_t location_of(size_t sample, size_t frame)
{
	return (uint32_t)((sample * 31 + frame * 7) % LOCATIONS);
}

static void add_big_sample(struct pn_buf *to, const struct made *made, size_t i)
{
	struct pn_buf frames = {0}, sample = {0};
	size_t j;

	for (j = 0; j < DEPTH; j++) {
		uint64_t id = made->id + location_of(i, j);

		if (i == made->lost && i)
			id = made->id + LOCATIONS;
		if (made->single)
			num(&sample, 1, id);
		else
			pn_buf_add_varint(&frames, id);
	}
	if (!made->single)
		bytes(&sample, 1, frames.data, frames.len);
	num(&sample, 2, i);
	num(&sample, 2, 2 * i);
	if ((i == made->bad && i) || (made->wide && i >= made->wide))
		num(&sample, 2, 1);
	if (made->labels && i % 3)
		message(&sample, 3, N(1, S_KEY), N(3, i % 3), END);
	bytes(to, 2, sample.data, sample.len);
	pn_buf_release(&frames);
	pn_buf_release(&sample);
}

static void add_big_tables(struct pn_buf *to, const struct made *made)
{
	struct pn_buf location = {0};
	unsigned int i;

	for (i = 0; i < LOCATIONS; i++) {
		pn_buf_clear(&location);
		num(&location, 1, made->id + i);
		num(&location, 3, 0x1000 + i);
		message(&location, 4, N(1, 1), N(2, i), END);
		bytes(to, 4, location.data, location.len);
	}
	message(to, 5, N(1, 1), N(2, S_MAIN), END);
	pn_buf_release(&location);
}

static struct pn_buf make(const struct made *made)
{
	struct pn_buf raw = {0};
	size_t i;

	add_types(&raw);
	if (made->tables_first)
		add_big_tables(&raw, made);
	for (i = 0; i < SAMPLES - made->late; i++)
		add_big_sample(&raw, made, i);
	if (!made->tables_first)
		add_big_tables(&raw, made);
	for (; i < SAMPLES; i++)
		add_big_sample(&raw, made, i);
	add_strings(&raw);
	assert_true(raw.len > 4 << 20);
	return raw;
}

/* Of a file that nothing else is read beside. */
static int read_file(struct pn_profile *out, const struct pn_buf *raw,
		     struct pn_error *err)
{
	char path[] = "/tmp/pprof_halves_test.XXXXXX";
	struct pn_reader *in = NULL;
	struct pn_buf gz = {0};
	FILE *f;
	int code;

	close(mkstemp(path));
	pn_deflate_gzip(&gz, raw->data, raw->len, 1);
	f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(gz.data, 1, gz.len, f), gz.len);
	assert_int_equal(fclose(f), 0);
	pn_profile_init(out);
	code = pn_reader_open(&in, path, 0, err);
	if (!code)
		code = pn_codec_read(out, &pn_codec_pprof, NULL, in, err);
	pn_reader_free(in);
	pn_buf_release(&gz);
	unlink(path);
	return code;
}

/* Rows in the order in which they were made. */
static void check_rows(const struct pn_profile *p, const struct made *made)
{
	size_t i, j;

	assert_true(p->complete);
	assert_int_equal(p->sample_count, SAMPLES);
	assert_int_equal(p->frame_count, (size_t)SAMPLES * DEPTH);
	assert_int_equal(p->location_count, LOCATIONS);
	assert_int_equal(p->type_count, 2);
	for (i = 0; i < SAMPLES; i++) {
		const uint32_t *frames =
			p->frames + p->stack_start[p->samples[i].stack];
		uint32_t set = p->samples[i].labels;
		uint32_t label = p->label_set_start[set];

		for (j = 0; j < DEPTH; j++)
			if (frames[j] != location_of(i, j))
				fail_msg("frame %zu of sample %zu", j, i);
		if ((size_t)p->values[2 * i].i != i ||
		    (size_t)p->values[2 * i + 1].i != 2 * i)
			fail_msg("values of sample %zu", i);
		if (!made->labels || !(i % 3))
			assert_int_equal(p->label_set_start[set + 1], label);
		else
			assert_int_equal(p->labels[label].value.i, i % 3);
	}
	assert_int_equal(p->label_set_count, made->labels ? 3 : 1);
}

/* As read, and as written and read again, whatever the file's own order. */
static void check(const struct made *made)
{
	struct pn_buf raw = make(made), written = {0};
	struct pn_profile p, again;
	struct pn_error err;

	if (read_file(&p, &raw, &err))
		fail_msg("%s", err.message);
	check_rows(&p, made);
	assert_int_equal(pn_pprof_encode(&written, &p, &err), 0);
	if (read_file(&again, &written, &err))
		fail_msg("%s", err.message);
	check_rows(&again, made);
	pn_profile_release(&p);
	pn_profile_release(&again);
	pn_buf_release(&raw);
	pn_buf_release(&written);
}

static void keeps_rows_in_their_order(void **state)
{
	(void)state;
	check(&(struct made){.id = 1});
	check(&(struct made){.id = 1, .tables_first = true});
	check(&(struct made){.id = 1, .labels = true});
	check(&(struct made){.id = 1, .single = true});
	/* names of their own in each thread */
	check(&(struct made){.id = LARGE_ID});
	/* the tables are between the samples */
	check(&(struct made){.id = 1, .late = 10, .labels = true});
	check(&(struct made){.id = 1, .late = SAMPLES - 10});
}

/* What is wrong is said as of bytes that one thread reads. */
static void check_bad(const struct made *made, const char *said)
{
	struct pn_buf raw = make(made);
	struct pn_error one, two;
	struct pn_profile p;

	assert_int_not_equal(read_bytes(&p, &raw, &one), 0);
	assert_int_not_equal(read_file(&p, &raw, &two), 0);
	assert_non_null(strstr(one.message, said));
	assert_string_equal(strstr(two.message, ": "),
			    strstr(one.message, ": "));
	assert_int_equal(two.code, one.code);
	pn_buf_release(&raw);
}

/* The first sample that begins at three eighths of a file or behind. */
static size_t first_behind_front(const struct pn_buf *raw)
{
	const unsigned char *start = (const unsigned char *)raw->data;
	const unsigned char *at = start, *end = start + raw->len;
	uint64_t tag, len;
	size_t i = 0;

	for (; at < start + raw->len / 8 * 3; at += len) {
		assert_int_equal(pn_varint_read(&tag, &at, end), 0);
		assert_int_equal(pn_varint_read(&len, &at, end), 0);
		i += tag >> 3 == 2;
	}
	return i;
}

/* Each thread has read samples that are alike. */
static void refuses_two_widths(void **state)
{
	struct made made = {.id = 1, .wide = 22000};
	struct pn_buf raw = make(&made);
	char said[64];

	(void)state;
	while (first_behind_front(&raw) != made.wide) {
		made.wide = first_behind_front(&raw);
		pn_buf_release(&raw);
		raw = make(&made);
	}
	pn_buf_release(&raw);
	snprintf(said, sizeof(said), "sample %zu has 3 values, expected 2",
		 made.wide);
	check_bad(&made, said);
}

static void says_what_is_wrong_where_it_is(void **state)
{
	(void)state;
	check_bad(&(struct made){.id = 1, .bad = 10},
		  "sample 10 has 3 values, expected 2");
	check_bad(&(struct made){.id = 1, .bad = SAMPLES - 10},
		  "sample 59990 has 3 values, expected 2");
	check_bad(&(struct made){.id = 1, .bad = 7, .late = SAMPLES - 5},
		  "sample 7 has 3 values, expected 2");
	check_bad(&(struct made){.id = 1, .lost = 10},
		  "sample 10 names location 1001, which is not there");
	check_bad(&(struct made){.id = LARGE_ID, .lost = SAMPLES - 10},
		  "sample 59990 names location 1099511628776, which is not");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_rows_in_their_order),
		cmocka_unit_test(refuses_two_widths),
		cmocka_unit_test(says_what_is_wrong_where_it_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
