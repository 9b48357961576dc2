/* Bodies that are looked at: each chain is decoded from its key downwards. */
#include "storage/verify/bodies.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "storage/record.h"

#include <stdlib.h>
#include <string.h>

void pn_seen_bodies_release(struct pn_seen_bodies *bodies)
{
	pn_strtab_release(&bodies->ids);
	pn_arena_release(&bodies->texts);
	free(bodies->items);
	memset(bodies, 0, sizeof(*bodies));
}

static void set_why(struct pn_seen_bodies *bodies, uint32_t body,
		    const char *text)
{
	bodies->items[body].why =
		pn_arena_copy(&bodies->texts, text, strlen(text));
}

static int read_bytes(struct pn_buf *out, struct pn_seen_bodies *bodies,
		      uint32_t body, struct pn_error *why)
{
	struct pn_oid id;

	memcpy(id.bytes, pn_strtab_text(&bodies->ids, body), PN_OID_BYTES);
	return pn_repo_read_blob(out, bodies->repo, &id, PN_BODY_MAX_BYTES,
				 why);
}

static void look_at(struct pn_seen_bodies *bodies, uint32_t body)
{
	struct pn_seen_body *b = &bodies->items[body];
	struct pn_buf bytes = {0};
	struct pn_error why = {0};
	struct pn_oid real;

	b->here = !read_bytes(&bytes, bodies, body, &why);
	if (b->here) {
		b->size = bytes.len;
		pn_hash_git_object(&real, "blob", bytes.data, bytes.len);
		b->named =
			!memcmp(real.bytes, pn_strtab_text(&bodies->ids, body),
				PN_OID_BYTES);
		if (!b->named)
			pn_error_set(&why, PN_EINVAL,
				     "its bytes do not have its name");
		else
			b->has_info = !pn_body_info(&b->info, bytes.data,
						    bytes.len, &why);
	}
	if (!b->has_info)
		set_why(bodies, body, why.message);
	pn_buf_release(&bytes);
}

uint32_t pn_seen_body(struct pn_seen_bodies *bodies, const struct pn_oid *id)
{
	size_t had = bodies->ids.count, cap = bodies->cap;
	uint32_t body = pn_strtab_add(&bodies->ids, id->bytes, PN_OID_BYTES);

	if (bodies->ids.count == had)
		return body;
	bodies->items = pn_grow(bodies->items, &bodies->cap, bodies->ids.count,
				sizeof(*bodies->items));
	memset(bodies->items + cap, 0,
	       (bodies->cap - cap) * sizeof(*bodies->items));
	look_at(bodies, body);
	return body;
}

/* Deltas as lists at their bases; a body's own number is never 0. */
static void link_deltas(struct pn_seen_bodies *bodies)
{
	uint32_t i, base;

	for (i = 1; i < bodies->ids.count; i++) {
		struct pn_seen_body *b = &bodies->items[i], *on;

		if (!b->has_info || !b->info.is_delta ||
		    !pn_strtab_find(&base, &bodies->ids, b->info.base.bytes,
				    PN_OID_BYTES))
			continue;
		on = &bodies->items[base];
		if (!on->has_info || on->info.depth + 1 != b->info.depth)
			continue;
		b->sibling = on->child;
		on->child = i;
	}
}

/* One profile of an order has one body: it has one name, and is kept once. */
static int check_coding(const struct pn_body_state *state,
			const struct pn_buf *bytes, struct pn_error *why)
{
	if (pn_body_is_canonical(state, bytes->data, bytes->len))
		return 0;
	return pn_error_set(why, PN_EINVAL,
			    "it can be read, but written again it has other "
			    "bytes");
}

static int decode(struct pn_body_state **out, struct pn_seen_bodies *bodies,
		  uint32_t body, const struct pn_body_state *base,
		  struct pn_error *why)
{
	struct pn_buf bytes = {0};
	struct pn_profile profile;
	int code = read_bytes(&bytes, bodies, body, why);

	if (!code)
		code = pn_body_decode(out, bytes.data, bytes.len, base, why);
	if (!code && bodies->items[body].wanted)
		code = check_coding(*out, &bytes, why);
	pn_buf_release(&bytes);
	if (code || !bodies->items[body].wanted)
		return code;
	pn_profile_init(&profile);
	code = pn_body_profile(&profile, *out, why);
	pn_profile_release(&profile);
	return code;
}

/* One body and what builds on it: as deep as chains are. `failed` is why the
 * base could not be decoded, or NULL. */
static void decode_tree(struct pn_seen_bodies *bodies, uint32_t body,
			const struct pn_body_state *base, const char *failed)
{
	struct pn_body_state *state = NULL;
	struct pn_error why = {0};
	uint32_t child;

	if (failed)
		bodies->items[body].why = failed;
	else if (decode(&state, bodies, body, base, &why))
		set_why(bodies, body, why.message);
	/* what only its own profile cannot bear does not stop the others */
	if (!state)
		failed = bodies->items[body].why;
	for (child = bodies->items[body].child; child;
	     child = bodies->items[child].sibling)
		decode_tree(bodies, child, state, failed);
	pn_body_state_free(state);
}

void pn_seen_bodies_decode(struct pn_seen_bodies *bodies)
{
	uint32_t i;

	link_deltas(bodies);
	for (i = 1; i < bodies->ids.count; i++)
		if (bodies->items[i].has_info &&
		    !bodies->items[i].info.is_delta)
			decode_tree(bodies, i, NULL, NULL);
}
