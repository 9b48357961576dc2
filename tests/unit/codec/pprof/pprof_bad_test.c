/* The pprof decoder on bad messages: refused, with what and where. */
#include "codec/pprof_bytes.h"

static void refuses(struct pn_buf *raw, int code, const char *why)
{
	struct pn_profile p;
	struct pn_error err;

	assert_int_equal(read_bytes(&p, raw, &err), code);
	if (!strstr(err.message, why))
		fail_msg("'%s' does not say '%s'", err.message, why);
	assert_memory_equal(err.message, "cannot read 'x': ", 17);
	pn_profile_release(&p);
	pn_buf_release(raw);
}

static void refuses_what_check_valid_refuses(void **state)
{
	struct pn_buf raw = {0};

	(void)state;
	add_sample(&raw);
	add_tables(&raw);
	add_strings(&raw);
	refuses(&raw, PN_EINVAL, "1 samples but no sample type");

	raw = good();
	message(&raw, 2, N(1, 1), N(2, 3), END);
	refuses(&raw, PN_EINVAL, "sample 1 has 1 values, expected 2");
	raw = good();
	message(&raw, 1, N(1, S_CPU), END);
	refuses(&raw, PN_EINVAL, "have 2 values, but there are 3");
	raw = good();
	message(&raw, 2, N(1, 1), N(1, 9), N(2, 3), N(2, 3), END);
	refuses(&raw, PN_EINVAL, "sample 1 names location 9");
	raw = good();
	message(&raw, 2, N(1, 0), N(2, 3), N(2, 3), END);
	refuses(&raw, PN_EINVAL, "sample 1 names location 0");
	raw = good();
	message(&raw, 4, N(1, 2), END);
	refuses(&raw, PN_EINVAL, "two locations have id 2");
	raw = good();
	message(&raw, 5, N(1, 1), END);
	refuses(&raw, PN_EINVAL, "two functions have id 1");
	raw = good();
	message(&raw, 3, N(1, 1), END);
	refuses(&raw, PN_EINVAL, "two mappings have id 1");
	raw = good();
	message(&raw, 3, N(2, 1), END);
	refuses(&raw, PN_EINVAL, "a mapping without id");
	raw = good();
	message(&raw, 4, N(3, 1), END);
	refuses(&raw, PN_EINVAL, "a location without id");
	raw = good();
	message(&raw, 5, N(2, 1), END);
	refuses(&raw, PN_EINVAL, "a function without id");
	raw = good();
	bytes(&raw, 4, "\x08\x03\x22\x02\x08\x09", 6);
	refuses(&raw, PN_EINVAL, "location 3 has a line of function 9");
	raw = good();
	bytes(&raw, 4, "\x08\x03\x22\x02\x10\x09", 6);
	refuses(&raw, PN_EINVAL, "location 3 has a line of function 0");
}

static void refuses_bad_strings(void **state)
{
	struct pn_buf raw = good();

	(void)state;
	message(&raw, 5, N(1, 3), N(2, 9), END);
	refuses(&raw, PN_EINVAL,
		"function 2 has string 9, the string table has 9");
	raw = good();
	num(&raw, 14, UINT64_MAX);
	refuses(&raw, PN_EINVAL, "has string -1");
	add_types(&raw);
	refuses(&raw, PN_EINVAL, "no string table");
	strings(&raw, "samples", NULL);
	refuses(&raw, PN_EINVAL, "byte 0: the string table begins with");
}

static void refuses_bad_bytes_and_says_where(void **state)
{
	static const char long_varint[] = "\x48\xff\xff\xff\xff\xff\xff\xff"
					  "\xff\xff\xff\x01";
	struct pn_buf raw = good();

	(void)state;
	num(&raw, 9, 1);
	num(&raw, 9, 2);
	refuses(&raw, PN_EINVAL, "concatenated profiles detected");
	pn_buf_add(&raw, long_varint, sizeof(long_varint) - 1);
	refuses(&raw, PN_EINVAL, "byte 1: expected a number of at most 10");
	pn_buf_add(&raw, "\x0b\x0c", 2);
	refuses(&raw, PN_EINVAL, "byte 0: field 1 has wire type 3");
	pn_buf_add(&raw, "\x02\x00", 2);
	refuses(&raw, PN_EINVAL, "byte 0: no protobuf field");
	pn_buf_add(&raw, "\x08\x01", 2);
	refuses(&raw, PN_EINVAL,
		"byte 0: profile.sample_type has wire type 0, expected 2");
	bytes(&raw, 9, "ab", 2);
	refuses(&raw, PN_EINVAL,
		"byte 0: profile.time_nanos has wire type 2, expected 0");
	bytes(&raw, 5, "\x0a\x00", 2);
	refuses(&raw, PN_EINVAL,
		"byte 2: function.id has wire type 2, expected 0");
	bytes(&raw, 2, "\x1d\x00\x00\x00\x00", 5);
	refuses(&raw, PN_EINVAL,
		"byte 2: sample.label has wire type 5, expected 2");
	pn_buf_add(&raw,
		   "\x32\x05"
		   "ab",
		   4);
	refuses(&raw, PN_EINVAL,
		"byte 0: field 6 needs 5 bytes, the input has 2 left");
	bytes(&raw, 2, "\x0a\x05\x01", 3);
	refuses(&raw, PN_EINVAL,
		"byte 2: field 1 needs 5 bytes, its message has 1 left");
}

static void refuses_what_is_too_large(void **state)
{
	struct pn_buf raw = {0}, sample = {0};
	size_t i;

	(void)state;
	for (i = 0; i <= PN_MAX_VALUE_TYPES; i++)
		message(&raw, 1, N(1, 1), END);
	refuses(&raw, PN_ELIMIT, "more than 64 value types");
	for (i = 0; i <= PN_MAX_VALUE_TYPES; i++)
		num(&sample, 2, 1);
	bytes(&raw, 2, sample.data, sample.len);
	refuses(&raw, PN_ELIMIT, "a sample has more than 64 values");
	pn_buf_clear(&sample);
	for (i = 0; i <= PN_MAX_VALUE_TYPES; i++)
		pn_buf_add_byte(&sample, 1);
	pn_buf_add_varint(&raw, 2 << 3 | 2);
	pn_buf_add_varint(&raw, sample.len + 2);
	bytes(&raw, 2, sample.data, sample.len);
	refuses(&raw, PN_ELIMIT, "a sample has more than 64 values");
	pn_buf_clear(&sample);
	for (i = 0; i <= PN_MAX_LABELS; i++)
		message(&sample, 3, N(1, 1), N(3, i + 1), END);
	bytes(&raw, 2, sample.data, sample.len);
	refuses(&raw, PN_ELIMIT, "a sample has more than 1024 labels");
	pn_buf_clear(&sample);
	for (i = 0; i <= PN_MAX_STACK_DEPTH; i++)
		pn_buf_add_byte(&sample, 1);
	pn_buf_add_varint(&raw, 2 << 3 | 2);
	pn_buf_add_varint(&raw, sample.len + 4);
	bytes(&raw, 1, sample.data, sample.len);
	refuses(&raw, PN_ELIMIT, "a sample has more than 1048576 frames");
	pn_buf_release(&sample);
}

/* Every cut is refused, but for those between the last fields, which leave a
 * smaller profile: here all that follows the string table. */
static void refuses_a_profile_cut_at_any_byte(void **state)
{
	struct pn_buf raw = good();
	size_t whole = raw.len, n;
	struct pn_profile p;
	struct pn_error err;
	int code;

	(void)state;
	num(&raw, 9, 1700000000);
	for (n = 0; n <= raw.len; n++) {
		struct pn_buf cut = {raw.data, n, n};

		code = read_bytes(&p, &cut, &err);
		assert_int_equal(!code, n == whole || n == raw.len);
		pn_profile_release(&p);
	}
	pn_buf_release(&raw);
}

/* Any byte changed to any of a few values: refused or read, never worse. */
static void survives_any_changed_byte(void **state)
{
	static const unsigned char changes[] = {0, 1, 0x7f, 0x80, 0xff};
	struct pn_buf raw = good();
	struct pn_profile p;
	struct pn_error err;
	size_t at, i;
	int code;

	(void)state;
	for (at = 0; at < raw.len; at++)
		for (i = 0; i < sizeof(changes); i++) {
			unsigned char was = raw.data[at];

			raw.data[at] = changes[i];
			code = read_bytes(&p, &raw, &err);
			assert_int_equal(!code ? 0 : err.code, code);
			pn_profile_release(&p);
			raw.data[at] = was;
		}
	pn_buf_release(&raw);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_check_valid_refuses),
		cmocka_unit_test(refuses_bad_strings),
		cmocka_unit_test(refuses_bad_bytes_and_says_where),
		cmocka_unit_test(refuses_what_is_too_large),
		cmocka_unit_test(refuses_a_profile_cut_at_any_byte),
		cmocka_unit_test(survives_any_changed_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
