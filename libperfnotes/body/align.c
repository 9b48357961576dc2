/* Alignment of two tables by hash chains over what is not yet recognised. */
#include "body/align.h"

#include "base/slots.h"
#include "model/profile.h"

#include <string.h>

/* A chain that is longer was made to be: rows behind are taken as new. */
#define CHAIN_MAX 64

#define BY_ALL 0u

struct table {
	const struct pn_body_runs *old;
	uint32_t *heads, *nexts; /* rows of `old`, PN_NONE ends */
	uint64_t *hashes;
	uint8_t *taken; /* rows of `old` */
	size_t mask;
	uint64_t key;
};

static size_t run_len(const struct pn_body_runs *runs, size_t i)
{
	return runs->starts[i + 1] - runs->starts[i];
}

/* How many leading words of a row count. */
static size_t key_len(size_t len, unsigned int way)
{
	if (way == PN_BODY_ALIGN_BUT_LAST)
		return len ? len - 1 : 0;
	if (way == PN_BODY_ALIGN_BUT_TWO)
		return len > 1 ? len - 2 : 0;
	if (way == PN_BODY_ALIGN_FIRST)
		return len ? 1 : 0;
	return len;
}

static uint64_t hash_of(const struct table *t, const struct pn_body_runs *runs,
			size_t i, unsigned int way)
{
	size_t len = run_len(runs, i);

	return pn_slots_mix(t->key ^ len, runs->words + runs->starts[i],
			    key_len(len, way));
}

static int is_equal(const struct pn_body_runs *a, size_t i,
		    const struct pn_body_runs *b, size_t j, unsigned int way)
{
	size_t len = run_len(a, i);

	return len == run_len(b, j) &&
	       (!len ||
		!memcmp(a->words + a->starts[i], b->words + b->starts[j],
			key_len(len, way) * sizeof(*a->words)));
}

/* From the last to the first, so that chains are in order. */
static void fill(struct table *t, unsigned int way)
{
	size_t i;

	memset(t->heads, 0xff, (t->mask + 1) * sizeof(*t->heads));
	for (i = t->old->count; i-- > 0;) {
		size_t at;

		if (t->taken[i])
			continue;
		t->hashes[i] = hash_of(t, t->old, i, way);
		at = t->hashes[i] & t->mask;
		t->nexts[i] = t->heads[at];
		t->heads[at] = (uint32_t)i;
	}
}

/* Takes the first row that is equal out of its chain. */
static uint32_t take(struct table *t, const struct pn_body_runs *now, size_t i,
		     unsigned int way)
{
	uint64_t hash = hash_of(t, now, i, way);
	uint32_t *link = &t->heads[hash & t->mask];
	unsigned int steps = 0;

	for (; *link != PN_NONE && steps < CHAIN_MAX; steps++) {
		uint32_t row = *link;

		if (t->hashes[row] == hash &&
		    is_equal(t->old, row, now, i, way)) {
			*link = t->nexts[row];
			t->taken[row] = 1;
			return row;
		}
		link = &t->nexts[row];
	}
	return PN_NONE;
}

/* Returns how many rows are still without a slot. */
static size_t pass(uint32_t *slots, struct table *t,
		   const struct pn_body_runs *now, unsigned int way)
{
	size_t i, left = 0;

	fill(t, way);
	for (i = 0; i < now->count; i++) {
		if (slots[i] == PN_NONE)
			slots[i] = take(t, now, i, way);
		left += slots[i] == PN_NONE;
	}
	return left;
}

/*
 * A row alone between two recognised ones that had one row between them: it
 * was renamed. Both neighbours are asked for, because rare functions that
 * come and go must not take each other's place.
 */
static void pass_between(uint32_t *slots, struct table *t,
			 const struct pn_body_runs *now)
{
	size_t i;

	for (i = 0; i < now->count; i++) {
		uint32_t row;

		if (slots[i] != PN_NONE)
			continue;
		if (i && slots[i - 1] == PN_NONE)
			continue;
		row = i ? slots[i - 1] + 1 : 0;
		if (row >= t->old->count || t->taken[row] ||
		    run_len(t->old, row) != run_len(now, i))
			continue;
		if (i + 1 < now->count ? slots[i + 1] != row + 1
				       : row + 1 != t->old->count)
			continue;
		t->taken[row] = 1;
		slots[i] = row;
	}
}

static void number_rest(uint32_t *slots, size_t count, size_t next)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (slots[i] == PN_NONE)
			slots[i] = (uint32_t)next++;
}

void pn_body_align(uint32_t *slots, const struct pn_body_runs *old,
		   const struct pn_body_runs *now, unsigned int ways,
		   uint64_t key, struct pn_arena *arena)
{
	struct table t = {old, NULL, NULL, NULL, NULL, 15, key};
	size_t left;

	memset(slots, 0xff, now->count * sizeof(*slots));
	if (!old->count || !now->count) {
		number_rest(slots, now->count, old->count);
		return;
	}
	while (t.mask < old->count)
		t.mask = t.mask * 2 + 1;
	t.heads = pn_arena_array(arena, t.mask + 1, sizeof(*t.heads));
	t.nexts = pn_arena_array(arena, old->count, sizeof(*t.nexts));
	t.hashes = pn_arena_array(arena, old->count, sizeof(*t.hashes));
	t.taken = pn_arena_array(arena, old->count, 1);
	memset(t.taken, 0, old->count);
	left = pass(slots, &t, now, BY_ALL);
	if (left && ways & PN_BODY_ALIGN_BUT_LAST)
		left = pass(slots, &t, now, PN_BODY_ALIGN_BUT_LAST);
	if (left && ways & PN_BODY_ALIGN_BUT_TWO)
		left = pass(slots, &t, now, PN_BODY_ALIGN_BUT_TWO);
	if (left && ways & PN_BODY_ALIGN_FIRST)
		left = pass(slots, &t, now, PN_BODY_ALIGN_FIRST);
	if (left && ways & PN_BODY_ALIGN_BETWEEN)
		pass_between(slots, &t, now);
	number_rest(slots, now->count, old->count);
}
