/*
 * JFR: pools of constants, and how things of a type are taken from bytes. Of
 * each constant is kept where it is; it is looked at when an event names it.
 */
#include "base/alloc.h"
#include "codec/jfr/jfr.h"

#include <inttypes.h>
#include <string.h>

static void skip_thing(struct pn_jfr_bytes *b, const struct pn_jfr_chunk *chunk,
		       const struct pn_jfr_type *type);

static void skip_value(struct pn_jfr_bytes *b, const struct pn_jfr_chunk *chunk,
		       const struct pn_jfr_field *f)
{
	const struct pn_jfr_type *type = &chunk->types[f->type];
	struct pn_jfr_bytes body;

	if (f->pooled) {
		pn_jfr_number(b);
		return;
	}
	switch ((enum pn_jfr_kind)type->kind) {
	case PN_JFR_KIND_NUMBER:
		pn_jfr_number(b);
		break;
	case PN_JFR_KIND_BYTE:
		pn_jfr_byte(b);
		break;
	case PN_JFR_KIND_4:
		pn_jfr_skip(b, 4);
		break;
	case PN_JFR_KIND_8:
		pn_jfr_skip(b, 8);
		break;
	case PN_JFR_KIND_TEXT:
		pn_jfr_text(&body, b);
		break;
	case PN_JFR_KIND_CLASS:
		skip_thing(b, chunk, type);
		break;
	}
}

static void skip_field(struct pn_jfr_bytes *b, const struct pn_jfr_chunk *chunk,
		       const struct pn_jfr_field *f)
{
	size_t n = 1;

	if (f->array)
		n = pn_jfr_count(b);
	if (!f->pooled && chunk->types[f->type].leafless)
		return;
	while (n-- && !b->bad)
		skip_value(b, chunk, f);
}

static void skip_thing(struct pn_jfr_bytes *b, const struct pn_jfr_chunk *chunk,
		       const struct pn_jfr_type *type)
{
	size_t i;

	if (type->kind == PN_JFR_KIND_TEXT) {
		struct pn_jfr_bytes body;

		pn_jfr_text(&body, b);
	}
	for (i = 0; i < type->count && !b->bad; i++)
		skip_field(b, chunk, &chunk->fields[type->first + i]);
}

void pn_jfr_take(struct pn_jfr_values *out, struct pn_jfr_bytes *b,
		 const struct pn_jfr_chunk *chunk,
		 const struct pn_jfr_type *type)
{
	size_t i;

	out->has = out->nanoseconds = 0;
	for (i = 0; i < type->count && !b->bad; i++) {
		const struct pn_jfr_field *f = &chunk->fields[type->first + i];
		uint64_t value = (uint64_t)(b->at - chunk->bytes);

		if (!f->array && (f->pooled || chunk->types[f->type].kind ==
						       PN_JFR_KIND_NUMBER))
			value = pn_jfr_number(b);
		else
			skip_field(b, chunk, f);
		if (f->member == PN_JFR_MEMBERS)
			continue;
		out->of[f->member] = value;
		out->has |= 1u << f->member;
		if (f->nanoseconds)
			out->nanoseconds |= 1u << f->member;
	}
	if (b->bad)
		out->has = 0;
	for (i = 0; i < PN_JFR_MEMBERS; i++)
		if (!(out->has & 1u << i))
			out->of[i] = 0;
}

struct pn_jfr_constant *
pn_jfr_constant(struct pn_jfr *d, enum pn_jfr_pool_kind kind, uint64_t key)
{
	struct pn_jfr_pool *pool = &d->chunk.pools[kind];
	uint32_t hash = pn_slots_hash(&pool->slots, &key, 1), row;
	size_t at;

	for (at = pn_slots_first(&pool->slots, hash);
	     pn_slots_row(&row, &pool->slots, &at, hash);)
		if (pool->items[row].key == key)
			return &pool->items[row];
	return NULL;
}

void pn_jfr_constant_values(struct pn_jfr_values *out, struct pn_jfr *d,
			    enum pn_jfr_pool_kind kind, uint64_t key)
{
	const struct pn_jfr_constant *c = pn_jfr_constant(d, kind, key);
	struct pn_jfr_bytes b;

	memset(out, 0, sizeof(*out));
	if (!c)
		return;
	b = (struct pn_jfr_bytes){d->chunk.bytes + c->offset,
				  d->chunk.bytes + d->chunk.size, false};
	pn_jfr_take(out, &b, &d->chunk,
		    &d->chunk.types[d->chunk.pools[kind].type]);
}

static void note(struct pn_jfr *d, enum pn_jfr_pool_kind kind, uint64_t key,
		 size_t offset)
{
	struct pn_jfr_pool *pool = &d->chunk.pools[kind];
	struct pn_jfr_constant *c;

	if (pn_jfr_constant(d, kind, key))
		return; /* each checkpoint says it anew */
	pool->items = pn_grow(pool->items, &pool->cap, pool->count + 1,
			      sizeof(*pool->items));
	c = &pool->items[pool->count];
	c->key = key;
	c->offset = (uint32_t)offset;
	c->made = 0;
	pn_slots_add(&pool->slots, pn_slots_hash(&pool->slots, &key, 1),
		     (uint32_t)pool->count++);
}

static int take_pool(struct pn_jfr *d, struct pn_jfr_bytes *b,
		     struct pn_error *err)
{
	struct pn_jfr_chunk *c = &d->chunk;
	uint64_t id = pn_jfr_number(b), key;
	size_t n = pn_jfr_count(b), at;
	uint32_t type = pn_jfr_type(c, id);

	if (type == PN_NONE && !b->bad)
		return pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64
				    ": constants of type %" PRIu64
				    ", which the metadata does not have",
				    c->offset + (size_t)(b->at - c->bytes), id);
	while (n-- && !b->bad) {
		key = pn_jfr_number(b);
		at = (size_t)(b->at - c->bytes);
		skip_thing(b, c, &c->types[type]);
		if (c->types[type].pool && !b->bad)
			note(d,
			     (enum pn_jfr_pool_kind)(c->types[type].pool - 1),
			     key, at);
	}
	return 0;
}

int pn_jfr_read_checkpoint(struct pn_jfr *d, struct pn_jfr_bytes bytes,
			   struct pn_error *err)
{
	uint64_t at = d->chunk.offset + (size_t)(bytes.at - d->chunk.bytes);
	size_t i, n;
	int code = 0;

	for (i = 0; i < 3; i++) /* when, how long, where the next one is */
		pn_jfr_number(&bytes);
	pn_jfr_byte(&bytes);
	n = pn_jfr_count(&bytes);
	while (!code && n-- && !bytes.bad)
		code = take_pool(d, &bytes, err);
	if (!code && bytes.bad)
		code = pn_error_set(err, PN_EINVAL,
				    "byte %" PRIu64 ": constants that go "
				    "beyond the end of their event",
				    at);
	return code;
}
