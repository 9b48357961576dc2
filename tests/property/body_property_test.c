/* Whatever profiles a history has, its bodies give them back. */
#include "body/body.h"
#include "random_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CHAIN 40
#define SEEDS 60

/* A stand-in for git's blob id: any that is the body's own does. */
static struct pn_oid oid_of(size_t number)
{
	struct pn_oid oid;

	memset(&oid, 0x5a, sizeof(oid));
	memcpy(oid.bytes, &number, sizeof(number));
	return oid;
}

static size_t number_of(const struct pn_oid *oid)
{
	size_t number;

	memcpy(&number, oid->bytes, sizeof(number));
	return number;
}

static void assert_gives_back(const struct pn_body_state *state,
			      const struct pn_profile *profile)
{
	struct pn_profile back;
	struct pn_error err = {0};
	char why[256] = "";

	pn_profile_init(&back);
	if (pn_body_profile(&back, state, &err))
		fail_msg("%s", err.message);
	if (!pn_profile_equal(profile, &back, why, sizeof(why)))
		fail_msg("%s", why);
	pn_profile_release(&back);
}

static struct pn_body_state *decode(const struct pn_buf *bytes,
				    const struct pn_body_state *base)
{
	struct pn_body_state *state = NULL;
	struct pn_error err = {0};

	if (pn_body_decode(&state, bytes->data, bytes->len, base, &err))
		fail_msg("%s", err.message);
	assert_true(pn_body_is_canonical(state, bytes->data, bytes->len));
	return state;
}

/* From the key on, as a reader without anything at hand does. */
static void assert_reads_alone(const struct pn_buf *bodies, size_t number,
			       const struct pn_profile *profile)
{
	size_t chain[PN_BODY_CHAIN_MAX + 1], n = 0;
	struct pn_body_state *state = NULL, *next;
	struct pn_body_info info;

	for (;;) {
		assert_in_range(n, 0, PN_BODY_CHAIN_MAX);
		chain[n++] = number;
		assert_int_equal(pn_body_info(&info, bodies[number].data,
					      bodies[number].len, NULL),
				 0);
		if (!info.is_delta)
			break;
		number = number_of(&info.base);
	}
	while (n) {
		next = decode(&bodies[chain[--n]], state);
		pn_body_state_free(state);
		state = next;
	}
	assert_gives_back(state, profile);
	pn_body_state_free(state);
}

static void check_history(uint64_t seed, size_t samples)
{
	struct dice dice = {seed};
	struct pn_buf bodies[CHAIN] = {{0}};
	struct pn_body_state *state = NULL, *next, *again;
	struct pn_error err = {0};
	struct pn_profile profile;
	struct pn_oid oid;
	size_t i, deltas = 0;
	struct pn_body_info info;

	random_profile(&profile, &dice, samples);
	for (i = 0; i < CHAIN; i++) {
		if (i)
			random_change(&profile, &dice);
		assert_int_equal(pn_profile_check(&profile, &err), 0);
		oid = oid_of(i ? i - 1 : 0);
		if (pn_body_encode(&bodies[i], &next, &profile, state, &oid,
				   &err))
			fail_msg("seed %zu: %s", (size_t)seed, err.message);
		assert_gives_back(next, &profile);
		again = decode(&bodies[i], state);
		assert_gives_back(again, &profile);
		pn_body_state_free(again);
		assert_reads_alone(bodies, i, &profile);
		assert_int_equal(pn_body_info(&info, bodies[i].data,
					      bodies[i].len, NULL),
				 0);
		deltas += info.is_delta;
		pn_body_state_free(state);
		state = next;
	}
	if (samples >= 200)
		assert_true(deltas > CHAIN / 4);
	pn_body_state_free(state);
	for (i = 0; i < CHAIN; i++)
		pn_buf_release(&bodies[i]);
	pn_profile_release(&profile);
}

/* The same bytes, whichever way a key is written; many stacks that are
 * beginnings of others among them. */
static void keys_written_in_less_memory_are_the_same(void **unused)
{
	struct pn_buf plain = {0}, lean = {0};
	struct pn_error err = {0};
	struct pn_profile profile;
	uint64_t seed;

	(void)unused;
	for (seed = 1; seed <= 300; seed++) {
		struct dice dice = {seed};
		size_t changes = (size_t)seed % 4;

		random_profile(&profile, &dice, dice_below(&dice, 400));
		while (changes--)
			random_change(&profile, &dice);
		pn_buf_clear(&plain);
		pn_buf_clear(&lean);
		if (pn_body_encode(&plain, NULL, &profile, NULL, NULL, &err) ||
		    pn_body_encode_lean(&lean, &profile, NULL, NULL, &err))
			fail_msg("seed %zu: %s", (size_t)seed, err.message);
		assert_int_equal(lean.len, plain.len);
		assert_memory_equal(lean.data, plain.data, plain.len);
		pn_profile_release(&profile);
	}
	pn_buf_release(&plain);
	pn_buf_release(&lean);
}

/* A delta is the same, too, wherever it stands in the chain; where it is too
 * large nothing is written. */
static void check_lean_history(uint64_t seed, size_t samples, size_t *deltas)
{
	struct dice dice = {seed};
	struct pn_body_state *state = NULL, *small = NULL, *next, *read;
	struct pn_buf plain = {0}, lean = {0};
	struct pn_error err = {0};
	struct pn_profile profile;
	struct pn_body_info info;
	struct pn_oid oid;
	size_t i;

	random_profile(&profile, &dice, samples);
	for (i = 0; i < CHAIN; i++) {
		if (i)
			random_change(&profile, &dice);
		oid = oid_of(i ? i - 1 : 0);
		pn_buf_clear(&plain);
		pn_buf_clear(&lean);
		if (pn_body_encode(&plain, &next, &profile, state, &oid,
				   &err) ||
		    pn_body_encode_lean(&lean, &profile, small, &oid, &err) ||
		    pn_body_info(&info, plain.data, plain.len, &err))
			fail_msg("seed %zu: %s", (size_t)seed, err.message);
		if (info.is_delta || !i) {
			assert_int_equal(lean.len, plain.len);
			assert_memory_equal(lean.data, plain.data, plain.len);
		} else {
			assert_int_equal(lean.len, 0);
		}
		if (pn_body_decode_lean(&read, plain.data, plain.len, small,
					&err))
			fail_msg("seed %zu: %s", (size_t)seed, err.message);
		*deltas += info.is_delta;
		pn_body_state_free(state);
		pn_body_state_free(small);
		state = next;
		small = read;
	}
	pn_body_state_free(state);
	pn_body_state_free(small);
	pn_buf_release(&plain);
	pn_buf_release(&lean);
	pn_profile_release(&profile);
}

static void deltas_written_in_less_memory_are_the_same(void **unused)
{
	size_t deltas = 0;
	uint64_t seed;

	(void)unused;
	for (seed = 1; seed <= SEEDS; seed++)
		check_lean_history(seed, 1 + seed % 30, &deltas);
	for (seed = 1; seed <= SEEDS / 6; seed++)
		check_lean_history(seed << 20, 300, &deltas);
	assert_true(deltas > SEEDS);
}

static void histories_of_small_profiles_are_given_back(void **unused)
{
	uint64_t seed;

	(void)unused;
	for (seed = 1; seed <= SEEDS; seed++)
		check_history(seed, 1 + seed % 30);
}

static void histories_of_larger_profiles_are_given_back(void **unused)
{
	uint64_t seed;

	(void)unused;
	for (seed = 1; seed <= SEEDS / 6; seed++)
		check_history(seed << 20, 300);
}

/* Alone or with a base of another kind altogether. */
static void any_profile_may_be_the_base_of_any_other(void **unused)
{
	struct dice dice = {4711};
	struct pn_body_state *state = NULL, *next;
	struct pn_profile profile;
	struct pn_buf bytes = {0};
	struct pn_oid oid;
	size_t i;

	(void)unused;
	for (i = 0; i < 200; i++) {
		random_profile(&profile, &dice, 1 + i % 50);
		oid = oid_of(i);
		pn_buf_clear(&bytes);
		assert_int_equal(pn_body_encode(&bytes, NULL, &profile, state,
						&oid, NULL),
				 0);
		next = decode(&bytes, state);
		assert_gives_back(next, &profile);
		pn_body_state_free(state);
		pn_profile_release(&profile);
		state = next;
	}
	pn_body_state_free(state);
	pn_buf_release(&bytes);
}

/* Functions that call nothing, each with so many values. */
static void fill_with_types(struct pn_profile *out, struct dice *dice,
			    size_t types)
{
	union pn_value values[PN_MAX_VALUE_TYPES];
	struct pn_location location = {.mapping = PN_NONE};
	struct pn_function function = {0};
	struct pn_line line = {0};
	uint32_t frame, stack;
	char text[24];
	size_t i, k;

	pn_profile_init(out);
	for (k = 0; k < types; k++) {
		snprintf(text, sizeof(text), "type%zu", k);
		pn_profile_add_type(out, text, "count");
	}
	for (i = 0; i < 300; i++) {
		snprintf(text, sizeof(text), "function %zu", i);
		function.name = pn_strtab_add_text(&out->strings, text);
		function.system_name = function.name;
		line.function = pn_profile_add_function(out, &function);
		frame = pn_profile_add_location(out, &location, &line, 1);
		stack = pn_profile_add_stack(out, &frame, 1);
		for (k = 0; k < types; k++)
			values[k].i = (int64_t)(i % 16 + dice_below(dice, 2));
		pn_profile_add_sample(out, stack, 0, values);
		if (i % 7 == 0)
			pn_profile_set_absent(out, i, types - 1);
	}
}

static void a_delta_may_have_more_and_fewer_types(void **unused)
{
	static const size_t types[] = {2, 1, 3, 3, 1, 2, PN_MAX_VALUE_TYPES, 1};
	const size_t count = sizeof(types) / sizeof(*types);
	struct pn_buf bodies[sizeof(types) / sizeof(*types)] = {{0}};
	struct pn_body_state *state = NULL, *next;
	struct dice dice = {31};
	struct pn_profile profile;
	struct pn_body_info info;
	struct pn_oid oid;
	size_t i, fewer = 0, more = 0;

	(void)unused;
	for (i = 0; i < count; i++) {
		fill_with_types(&profile, &dice, types[i]);
		oid = oid_of(i ? i - 1 : 0);
		assert_int_equal(pn_body_encode(&bodies[i], &next, &profile,
						state, &oid, NULL),
				 0);
		assert_int_equal(pn_body_info(&info, bodies[i].data,
					      bodies[i].len, NULL),
				 0);
		if (info.is_delta) {
			fewer += types[i] < types[number_of(&info.base)];
			more += types[i] > types[number_of(&info.base)];
		}
		assert_reads_alone(bodies, i, &profile);
		pn_profile_release(&profile);
		pn_body_state_free(state);
		state = next;
	}
	assert_true(fewer && more);
	pn_body_state_free(state);
	for (i = 0; i < count; i++)
		pn_buf_release(&bodies[i]);
}

/* No byte of a body can change unseen, and none makes decoding fail badly. */
static void a_changed_byte_is_seen(void **unused)
{
	struct dice dice = {99};
	struct pn_profile profile;
	struct pn_buf bytes = {0};
	struct pn_error err;
	size_t i;

	(void)unused;
	random_profile(&profile, &dice, 20);
	assert_int_equal(
		pn_body_encode(&bytes, NULL, &profile, NULL, NULL, NULL), 0);
	for (i = 0; i < bytes.len; i++) {
		struct pn_body_state *state = NULL;
		unsigned char was = bytes.data[i];

		bytes.data[i] ^= (unsigned char)(1u << dice_below(&dice, 8));
		/* a coding may have two ways to say the same */
		if (!pn_body_decode(&state, bytes.data, bytes.len, NULL, &err))
			assert_gives_back(state, &profile);
		pn_body_state_free(state);
		bytes.data[i] = was;
	}
	for (i = 0; i < bytes.len; i++)
		assert_int_not_equal(
			pn_body_decode(NULL, bytes.data, i, NULL, &err), 0);
	pn_buf_release(&bytes);
	pn_profile_release(&profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_written_in_less_memory_are_the_same),
		cmocka_unit_test(deltas_written_in_less_memory_are_the_same),
		cmocka_unit_test(histories_of_small_profiles_are_given_back),
		cmocka_unit_test(histories_of_larger_profiles_are_given_back),
		cmocka_unit_test(any_profile_may_be_the_base_of_any_other),
		cmocka_unit_test(a_delta_may_have_more_and_fewer_types),
		cmocka_unit_test(a_changed_byte_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
