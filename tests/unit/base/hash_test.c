/* Checksums: the examples of FIPS 180-4 and the check value of CRC-32. */
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void check_sha256(const char *text, const char *want)
{
	unsigned char hash[32];
	char hex[65];
	size_t i;

	pn_hash_sha256(hash, text, strlen(text));
	for (i = 0; i < 32; i++)
		snprintf(hex + 2 * i, 3, "%02x", hash[i]);
	assert_string_equal(hex, want);
}

/* NIST, Secure Hash Standard, example computations for SHA-256. */
static void sha256_gives_the_values_of_the_standard(void **state)
{
	(void)state;
	check_sha256("abc", "ba7816bf8f01cfea414140de5dae2223"
			    "b00361a396177a9cb410ff61f20015ad");
	check_sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		     "248d6a61d20638b8e5c026930c3e6039"
		     "a33ce45964ff2167f6ecedd419db06c1");
}

/* The catalogue of parametrised CRC algorithms: CRC-32/ISO-HDLC. */
static void crc32_gives_its_check_value_in_pieces_too(void **state)
{
	(void)state;
	assert_int_equal(pn_hash_crc32(0, "123456789", 9), 0xcbf43926);
	assert_int_equal(pn_hash_crc32(pn_hash_crc32(0, "1234", 4), "56789", 5),
			 0xcbf43926);
	assert_int_equal(pn_hash_crc32(0, "", 0), 0);
}

static void random_bits_do_not_repeat(void **state)
{
	uint64_t seen[64];
	size_t i, j;

	(void)state;
	for (i = 0; i < 64; i++) {
		seen[i] = pn_hash_random();
		for (j = 0; j < i; j++)
			assert_true(seen[i] != seen[j]);
	}
}

static void a_block_of_random_numbers_holds_none_twice(void **state)
{
	uint64_t block[PN_HASH_RANDOMS];
	size_t i, j;

	(void)state;
	pn_hash_randoms(block);
	for (i = 0; i < PN_HASH_RANDOMS; i++)
		for (j = 0; j < i; j++)
			assert_true(block[i] != block[j]);
}

static void two_runs_hash_as_one(void **state)
{
	unsigned char whole[32], parts[32];

	(void)state;
	pn_hash_sha256(whole, "abcdef", 6);
	pn_hash_sha256_both(parts, "abc", 3, "def", 3);
	assert_memory_equal(parts, whole, 32);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sha256_gives_the_values_of_the_standard),
		cmocka_unit_test(crc32_gives_its_check_value_in_pieces_too),
		cmocka_unit_test(random_bits_do_not_repeat),
		cmocka_unit_test(a_block_of_random_numbers_holds_none_twice),
		cmocka_unit_test(two_runs_hash_as_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
