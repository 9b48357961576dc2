/*
 * Canonical bodies: what decodes is a valid profile, and comes back from the
 * body that it is encoded to.
 *
 * First byte: 0 is followed by a key body; any other by the length of a key
 * body in two bytes, that body, and a delta on it. Checksums and sizes are
 * not compared, or nothing that is mutated would get behind them.
 */
#include "base/hash.h"
#include "body/body.h"
#include "body/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct pn_body_state *decode(const uint8_t *data, size_t size,
				    const struct pn_body_state *base)
{
	struct pn_body_state *state = NULL;
	struct pn_error err = {0};
	int code;

	/* as a whole, with its sum */
	if (!pn_body_decode(&state, data, size, base, &err)) {
		pn_body_state_free(state);
		state = NULL;
	}
	code = pn_body_decode_columns(&state, data, size, base, &err);
	if (code && (code != err.code || !*err.message))
		abort();
	if (!code && pn_body_measure(state, &err)) {
		pn_body_state_free(state);
		state = NULL;
	}
	return state;
}

/* `bytes` of the base give it a name as git would: none that an input holds. */
static void check_way_back(const struct pn_profile *p,
			   const struct pn_body_state *base,
			   const void *base_bytes, size_t base_len)
{
	struct pn_body_state *state = NULL;
	struct pn_error err = {0};
	struct pn_oid oid;
	struct pn_profile q = {0}, again = {0};
	struct pn_buf bytes = {0}, lean = {0};
	char why[256] = "";

	pn_hash_git_object(&oid, "blob", base_bytes, base_len);
	if (pn_body_encode(&bytes, NULL, p, base, &oid, &err) ||
	    pn_body_decode(&state, bytes.data, bytes.len, base, &err) ||
	    pn_body_profile(&q, state, &err) ||
	    pn_body_profile_again(&again, state, &err)) {
		fprintf(stderr, "%s\n", err.message);
		abort();
	}
	if (pn_body_encode_lean(&lean, p, NULL, NULL, &err)) {
		fprintf(stderr, "%s\n", err.message);
		abort();
	}
	/* in less memory, the same bytes */
	if (!base && (lean.len != bytes.len ||
		      memcmp(lean.data, bytes.data, lean.len) != 0))
		abort();
	/* no string is there twice in what was encoded, whatever the base has
	 */
	if (!pn_profile_equal(p, &q, why, sizeof(why)) ||
	    !pn_profile_equal(p, &again, why, sizeof(why)) ||
	    again.strings.count != q.strings.count) {
		fprintf(stderr, "%s\n", why);
		abort();
	}
	pn_body_state_free(state);
	pn_profile_release(&q);
	pn_profile_release(&again);
	pn_buf_release(&bytes);
	pn_buf_release(&lean);
}

static struct pn_body_state *decode_lean(const void *bytes, size_t len,
					 const struct pn_body_state *base)
{
	struct pn_body_state *state = NULL;
	struct pn_buf given = {0};

	pn_buf_add(&given, bytes, len);
	pn_body_decode_lean(&state, given.data, len, base, NULL);
	pn_buf_release(&given);
	return state;
}

/* On a base that is read in little room, whoever wrote it: what is written
 * gives back the profile. */
static void check_lean(const struct pn_profile *p,
		       const struct pn_body_state *base, const void *base_bytes,
		       size_t base_len)
{
	struct pn_body_state *small = decode_lean(base_bytes, base_len, NULL);
	struct pn_body_state *state = NULL;
	struct pn_profile q = {0};
	struct pn_buf bytes = {0};
	struct pn_oid oid;
	char why[256];

	if (!small)
		return;
	pn_hash_git_object(&oid, "blob", base_bytes, base_len);
	if (!pn_body_encode_lean(&bytes, p, small, &oid, NULL) && bytes.len &&
	    (pn_body_decode(&state, bytes.data, bytes.len, base, NULL) ||
	     pn_body_profile(&q, state, NULL) ||
	     !pn_profile_equal(p, &q, why, sizeof(why))))
		abort();
	pn_body_state_free(small);
	pn_body_state_free(state);
	pn_profile_release(&q);
	pn_buf_release(&bytes);
}

/* In little room a delta is read on what was read so, too: no more is asked of
 * it, as its sum is compared here. */
static void check_lean_delta(const uint8_t *key, size_t key_len,
			     const uint8_t *bytes, size_t len)
{
	struct pn_body_state *base = decode_lean(key, key_len, NULL);

	if (!base)
		return;
	pn_body_state_free(decode_lean(bytes, len, base));
	pn_body_state_free(base);
}

static void check(const struct pn_body_state *state, const void *bytes,
		  size_t len, const struct pn_body_state *base,
		  const void *base_bytes, size_t base_len)
{
	struct pn_profile p = {0};

	if (!state || pn_body_profile(&p, state, NULL))
		return;
	if (pn_profile_check(&p, NULL))
		abort();
	check_way_back(&p, base, base_bytes, base_len);
	check_way_back(&p, state, bytes, len);
	check_lean(&p, base ? base : state, base ? base_bytes : bytes,
		   base ? base_len : len);
	pn_profile_release(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pn_body_state *key, *delta;
	size_t head, len;

	if (size < 4)
		return 0;
	head = data[0] ? 3 : 1;
	len = data[0] ? (size_t)data[1] | (size_t)data[2] << 8 : size - head;
	data += head;
	size -= head;
	if (len > size)
		return 0;
	key = decode(data, len, NULL);
	check(key, data, len, NULL, data, 0);
	if (key && len < size) {
		delta = decode(data + len, size - len, key);
		check(delta, data + len, size - len, key, data, len);
		check_lean_delta(data, len, data + len, size - len);
		pn_body_state_free(delta);
	}
	pn_body_state_free(key);
	return 0;
}
