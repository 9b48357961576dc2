/* Canonical bodies: what they promise, and what they refuse. */
#include "base/hash.h"
#include "body/body.h"
#include "codec/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROWS 600

/* `rows` functions, each a stack of its own below main. */
static void make_profile(struct pn_profile *p, size_t rows, int64_t first)
{
	union pn_value values[2];
	struct pn_location l = {.mapping = PN_NONE};
	struct pn_function f = {0};
	struct pn_line line = {0};
	uint32_t frames[2] = {0, 0};
	char name[32];
	size_t i;

	pn_profile_init(p);
	pn_profile_add_type(p, "samples", "count");
	pn_profile_add_type(p, "cpu", "nanoseconds");
	for (i = 0; i < rows; i++) {
		snprintf(name, sizeof(name), "function%zu", i * 7919 % 100003);
		f.name = f.system_name = pn_strtab_add_text(&p->strings, name);
		line.function = pn_profile_add_function(p, &f);
		line.line = (int64_t)(i * 31 % 977);
		frames[0] = pn_profile_add_location(p, &l, &line, 1);
		values[0].i = first + (int64_t)(i * i % 4999);
		values[1].i = values[0].i * 10000000;
		pn_profile_add_sample(p, pn_profile_add_stack(p, frames, 2), 0,
				      values);
	}
}

static void encode(struct pn_buf *out, struct pn_body_state **state,
		   const struct pn_profile *p, const struct pn_body_state *base,
		   const struct pn_oid *oid)
{
	struct pn_error err;

	if (pn_body_encode(out, state, p, base, oid, &err))
		fail_msg("%s", err.message);
}

static void a_delta_body_names_its_base(void **unused)
{
	struct pn_body_state *state;
	struct pn_buf key = {0}, delta = {0};
	struct pn_body_info info;
	struct pn_profile p;
	struct pn_error err;
	struct pn_oid oid;

	(void)unused;
	make_profile(&p, ROWS, 1);
	encode(&key, &state, &p, NULL, NULL);
	pn_hash_git_object(&oid, "blob", key.data, key.len);
	p.values[0].i += 3;
	p.values[1].i += 30000000;
	encode(&delta, NULL, &p, state, &oid);
	assert_int_equal(pn_body_info(&info, delta.data, 64, &err), 0);
	assert_true(info.is_delta);
	assert_true(pn_oid_equal(&info.base, &oid));
	assert_int_equal(info.depth, 1);
	/* one sample of 600 changed: a header, a change, a sum */
	assert_in_range(delta.len, 1, 100);
	assert_int_equal(
		pn_body_decode(NULL, delta.data, delta.len, NULL, &err),
		PN_EINVAL);
	assert_non_null(strstr(err.message, "delta body, needs its base '"));
	pn_body_state_free(state);
	pn_buf_release(&key);
	pn_buf_release(&delta);
	pn_profile_release(&p);
}

static void a_second_column_that_is_a_multiple_takes_one_number(void **unused)
{
	struct pn_buf with = {0}, without = {0};
	struct pn_profile p;
	size_t i;

	(void)unused;
	make_profile(&p, ROWS, 1);
	encode(&with, NULL, &p, NULL, NULL);
	for (i = 0; i < p.sample_count; i++)
		p.values[i * 2 + 1].i = 0;
	encode(&without, NULL, &p, NULL, NULL);
	/* a section of two factors, of which the second is one number */
	assert_in_range(with.len, without.len, without.len + 24);
	pn_buf_release(&with);
	pn_buf_release(&without);
	pn_profile_release(&p);
}

static void chains_stay_short_however_long_the_series(void **unused)
{
	struct pn_body_state *state = NULL, *next;
	struct pn_oid oid = {{0}};
	struct pn_buf bytes = {0};
	struct pn_body_info info;
	struct pn_profile p;
	size_t i, keys = 0, deepest = 0;

	(void)unused;
	make_profile(&p, ROWS, 1);
	for (i = 0; i < 520; i++) {
		p.values[i % ROWS * 2].i ^= 5;
		pn_buf_clear(&bytes);
		encode(&bytes, &next, &p, state, &oid);
		pn_body_state_free(state);
		state = next;
		pn_hash_git_object(&oid, "blob", bytes.data, bytes.len);
		pn_body_info(&info, bytes.data, bytes.len, NULL);
		keys += !info.is_delta;
		if (info.depth > deepest)
			deepest = info.depth;
	}
	/* 255 is 3333 in base 4: as many steps as its digits add up to */
	assert_int_equal(deepest, 12);
	assert_int_equal(keys, 3); /* 0, 256, 512 */
	pn_body_state_free(state);
	pn_buf_release(&bytes);
	pn_profile_release(&p);
}

static void a_renamed_function_costs_its_name(void **unused)
{
	struct pn_body_state *state;
	struct pn_buf key = {0}, delta = {0};
	struct pn_oid oid = {{7}};
	struct pn_profile p;

	(void)unused;
	make_profile(&p, ROWS, 1);
	encode(&key, &state, &p, NULL, NULL);
	p.functions[300].name = p.functions[300].system_name =
		pn_strtab_add_text(&p.strings, "a_name_of_24_characters_");
	encode(&delta, NULL, &p, state, &oid);
	/* header 30, sum 8, the name 24, and a few sections of two changes */
	assert_in_range(delta.len, 1, 120);
	pn_body_state_free(state);
	pn_buf_release(&key);
	pn_buf_release(&delta);
	pn_profile_release(&p);
}

static void moved_addresses_leave_stacks_alone(void **unused)
{
	struct pn_body_state *state;
	struct pn_buf key = {0}, delta = {0};
	struct pn_mapping m = {.start = 0x550000000000,
			       .limit = 0x550000100000};
	struct pn_oid oid = {{7}};
	struct pn_profile p;
	size_t i;

	(void)unused;
	make_profile(&p, ROWS, 1);
	pn_profile_add_mapping(&p, &m);
	for (i = 0; i < p.location_count; i++) {
		p.locations[i].mapping = 0;
		p.locations[i].address = m.start + i * 16;
	}
	encode(&key, &state, &p, NULL, NULL);
	/* loaded elsewhere, as address space randomisation does */
	p.mappings[0].start += 0x7000;
	p.mappings[0].limit += 0x7000;
	for (i = 0; i < p.location_count; i++)
		p.locations[i].address += 0x7000;
	encode(&delta, NULL, &p, state, &oid);
	assert_in_range(delta.len, 1, 80);
	pn_body_state_free(state);
	pn_buf_release(&key);
	pn_buf_release(&delta);
	pn_profile_release(&p);
}

/* Runaway recursion, cut at every depth: few bytes, many frames. */
static void deep_recursion_is_kept(void **unused)
{
	enum { DEPTH = 5000 };
	static uint32_t frames[DEPTH];
	union pn_value values[2] = {{.i = 1}, {.i = 2}};
	struct pn_body_state *state = NULL;
	struct pn_location l = {.mapping = PN_NONE, .address = 4096};
	struct pn_profile p, back = {0};
	struct pn_buf bytes = {0};
	struct pn_error err;
	uint32_t depth;

	(void)unused;
	pn_profile_init(&p);
	pn_profile_add_type(&p, "samples", "count");
	pn_profile_add_type(&p, "cpu", "nanoseconds");
	pn_profile_add_location(&p, &l, NULL, 0);
	for (depth = 0; depth <= DEPTH; depth += 2)
		pn_profile_add_sample(
			&p, pn_profile_add_stack(&p, frames, depth), 0, values);
	encode(&bytes, NULL, &p, NULL, NULL);
	/* 6.25 million frames; the limit asks for a byte in 1,024 of them */
	assert_in_range(bytes.len, 1, 40000);
	if (pn_body_decode(&state, bytes.data, bytes.len, NULL, &err) ||
	    pn_body_profile(&back, state, &err))
		fail_msg("%s", err.message);
	assert_true(pn_profile_equal(&p, &back, NULL, 0));
	pn_body_state_free(state);
	pn_buf_release(&bytes);
	pn_profile_release(&p);
	pn_profile_release(&back);
}

static void a_file_of_the_codec_is_a_key_body(void **unused)
{
	const struct pn_codec *used = NULL;
	struct pn_profile p, back;
	struct pn_reader *in;
	struct pn_buf bytes = {0};
	struct pn_error err;

	(void)unused;
	make_profile(&p, 40, 1);
	assert_int_equal(pn_codec_body.write(&bytes, &p, &err), 0);
	assert_int_equal(
		pn_reader_memory(&in, bytes.data, bytes.len, "a.perf", 0, &err),
		0);
	if (pn_codec_read(&back, NULL, &used, in, &err))
		fail_msg("%s", err.message);
	assert_string_equal(used->name, "git-perf");
	assert_true(pn_profile_equal(&p, &back, NULL, 0));
	pn_reader_free(in);
	pn_buf_release(&bytes);
	pn_profile_release(&p);
	pn_profile_release(&back);
}

/* A header as FORMAT.md draws it, then sections, then any sum. */
static int decode_sections(const unsigned char *sections, size_t len,
			   struct pn_error *err)
{
	struct pn_buf bytes = {0};
	int code;

	pn_buf_add(&bytes, "\xb1pnb\x01\x00", 6);
	pn_buf_add_varint(&bytes, 4096);
	pn_buf_add(&bytes, sections, len);
	pn_buf_add(&bytes, "01234567", 8);
	code = pn_body_decode(NULL, bytes.data, bytes.len, NULL, err);
	pn_buf_release(&bytes);
	return code;
}

#define REFUSES(want, text, ...)                                               \
	do {                                                                   \
		const unsigned char bytes[] = {__VA_ARGS__};                   \
		struct pn_error err;                                           \
		int code = decode_sections(bytes, sizeof(bytes), &err);        \
                                                                               \
		assert_string_equal(                                           \
			strstr(err.message, text) ? text : err.message, text); \
		assert_int_equal(code, want);                                  \
	} while (0)

/* Words by the table in FORMAT.md: 1 a string, 5 a function, 5 a location, 3 a
 * line, 3 a row and for each of two types a value and an absence. */
static void columns_are_estimated_from_counts(void **unused)
{
	struct pn_body_info info;
	struct pn_buf key = {0};
	struct pn_profile p;
	uint64_t words, text = 0;
	size_t i;

	(void)unused;
	make_profile(&p, ROWS, 1);
	words = p.strings.count + (5 + 5 + 3 + 3 + 4) * ROWS;
	for (i = 0; i < p.strings.count; i++)
		text += p.strings.items[i].len;
	/* set 0, and two frames a stack of 4 bytes each */
	assert_int_equal(pn_body_estimate(&p),
			 (words + p.label_set_count) * 8 + text + ROWS * 8);
	encode(&key, NULL, &p, NULL, NULL);
	assert_int_equal(pn_body_info(&info, key.data, key.len, NULL), 0);
	/* the tree of stacks, two words a path, and what is no table */
	assert_in_range(info.raw_bytes, pn_body_estimate(&p),
			pn_body_estimate(&p) + (ROWS + 1) * 16 + 2048);
	pn_buf_release(&key);
	pn_profile_release(&p);
}

static void refuses_what_does_not_fit(void **unused)
{
	(void)unused;
	/* tag, length, then: words, coding byte, ... */
	REFUSES(PN_EINVAL, "a section is cut", 2, 9, 1);
	REFUSES(PN_EINVAL, "out of order", 9, 0, 9, 0);
	REFUSES(PN_EREFUSED, "section 220, which needs a newer git-perf", 0xdc,
		1, 0);
	/* an odd tag may be skipped: what is wrong is the sum */
	REFUSES(PN_EINVAL, "checksum", 0xdd, 1, 1, 0);
	/* 2^40 words, all the same */
	REFUSES(PN_ELIMIT, "more words than the body says", 2, 8, 0x80, 0x80,
		0x80, 0x80, 0x80, 0x40, 0, 0);
	/* 513 words, where 4096 bytes are said to come out */
	REFUSES(PN_ELIMIT, "more words than the body says", 2, 4, 0x81, 4, 0,
		0);
	/* 16 words in two planes, of which one byte is there */
	REFUSES(PN_EINVAL, "a column is cut", 2, 3, 16, 0x21, 0);
	REFUSES(PN_EINVAL, "15 byte planes", 2, 3, 1, 0xf1, 0);
	REFUSES(PN_EINVAL, "coding 3", 2, 3, 1, 3, 0);
	REFUSES(PN_EINVAL, "view 3", 2, 3, 1, 12, 0);
	/* a comment of string 5, where there are none */
	REFUSES(PN_EINVAL, "column 10 refers to row 5 of 0", 20, 3, 1, 0, 5);
	/* one string, whose length is that of no text */
	REFUSES(PN_EINVAL, "column 2 does not fit", 2, 3, 1, 0x11, 1, 4, 3, 1,
		0, 9);
	/* 65 value types */
	REFUSES(PN_ELIMIT, "65 value types", 2, 11, 9, 0x11, 0, 0, 0, 0, 0, 0,
		0, 0, 65);
}

/* A section of a later version that may be skipped, before the sum. */
static void other_bytes_for_the_same_are_told(void **unused)
{
	static const unsigned char later[] = {0x83, 9, 1, 0}; /* tag 1155 */
	struct pn_body_state *state = NULL;
	struct pn_buf body = {0}, other = {0};
	struct pn_profile p;
	struct pn_error err;

	(void)unused;
	make_profile(&p, 20, 1);
	encode(&body, NULL, &p, NULL, NULL);
	pn_buf_add(&other, body.data, body.len - 8);
	pn_buf_add(&other, later, sizeof(later));
	pn_buf_add(&other, body.data + body.len - 8, 8);
	assert_int_equal(
		pn_body_decode(&state, other.data, other.len, NULL, &err), 0);
	assert_true(pn_body_is_canonical(state, body.data, body.len));
	assert_false(pn_body_is_canonical(state, other.data, other.len));
	pn_body_state_free(state);
	pn_buf_release(&body);
	pn_buf_release(&other);
	pn_profile_release(&p);
}

static void refuses_other_bytes(void **unused)
{
	struct pn_error err;
	struct pn_body_info info;

	(void)unused;
	assert_int_equal(pn_body_info(&info, "", 0, &err), PN_EINVAL);
	assert_int_equal(pn_body_info(&info, "main;a 1\n", 9, &err), PN_EINVAL);
	assert_int_equal(pn_body_info(&info, "\xb1pnb\x02\x00\x01", 7, &err),
			 PN_EREFUSED);
	assert_string_equal(err.message, "body of version 2, 1 is known");
	/* a delta whose base has a name of 32 bytes */
	assert_int_equal(pn_body_info(&info,
				      "\xb1pnb\x01\x02\x01\x01\x01"
				      "0123456789abcdef0123456789abcdef",
				      41, &err),
			 PN_EREFUSED);
	assert_string_equal(err.message,
			    "body whose base is named by a SHA-256, this "
			    "git-perf knows SHA-1: use a newer one");
	assert_int_equal(pn_body_info(&info, "\xb1pnb\x01\x03\x01", 7, &err),
			 PN_EINVAL);
	assert_non_null(strstr(err.message, "neither key nor delta"));
	/* a key of seven bytes and a sum that says it decodes to 2^41 */
	assert_int_equal(
		pn_body_decode(NULL,
			       "\xb1pnb\x01\x00\x80\x80\x80\x80\x80\x40"
			       "01234567",
			       20, NULL, &err),
		PN_ELIMIT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_delta_body_names_its_base),
		cmocka_unit_test(
			a_second_column_that_is_a_multiple_takes_one_number),
		cmocka_unit_test(chains_stay_short_however_long_the_series),
		cmocka_unit_test(a_renamed_function_costs_its_name),
		cmocka_unit_test(moved_addresses_leave_stacks_alone),
		cmocka_unit_test(deep_recursion_is_kept),
		cmocka_unit_test(a_file_of_the_codec_is_a_key_body),
		cmocka_unit_test(columns_are_estimated_from_counts),
		cmocka_unit_test(refuses_what_does_not_fit),
		cmocka_unit_test(other_bytes_for_the_same_are_told),
		cmocka_unit_test(refuses_other_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
