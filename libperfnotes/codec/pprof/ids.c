/* Ids of a pprof table. */
#include "codec/pprof/ids.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
/* A table by name may have this many times as many places as definitions. */
#define DIRECT_RATIO 8
#define DIRECT_MIN 4096

void pn_ids_init(struct pn_ids *ids, uint64_t seed)
{
	memset(ids, 0, sizeof(*ids));
	ids->seed = seed | 1;
	ids->counted = true;
}

void pn_ids_release(struct pn_ids *ids)
{
	free(ids->defined);
	free(ids->large);
	free(ids->large_slots);
	free(ids->direct);
	free(ids->slots);
	memset(ids, 0, sizeof(*ids));
}

/* The seed is random, so that no file can be made to collide. */
static size_t hash(const struct pn_ids *ids, uint64_t value)
{
	value = (value ^ ids->seed) * UINT64_C(0x9e3779b97f4a7c15);
	value = (value ^ value >> 32) * ids->seed;
	return (size_t)(value ^ value >> 29);
}

static size_t large_slot(const struct pn_ids *ids, uint64_t id)
{
	size_t mask = ids->large_slot_count - 1, at = hash(ids, id) & mask;

	while (ids->large_slots[at] &&
	       ids->large[ids->large_slots[at] - 1] != id)
		at = (at + 1) & mask;
	return at;
}

static void grow_large(struct pn_ids *ids)
{
	size_t i;

	if (ids->large_count * 2 < ids->large_slot_count)
		return;
	free(ids->large_slots);
	ids->large_slot_count =
		ids->large_slot_count ? ids->large_slot_count * 2 : 64;
	ids->large_slots =
		pn_calloc(ids->large_slot_count, sizeof(*ids->large_slots));
	for (i = 0; i < ids->large_count; i++)
		ids->large_slots[large_slot(ids, ids->large[i])] =
			(uint32_t)i + 1;
}

uint32_t pn_ids_name(struct pn_ids *ids, uint64_t id)
{
	size_t at;

	if (id < PN_IDS_SMALL)
		return (uint32_t)id;
	grow_large(ids);
	at = large_slot(ids, id);
	if (!ids->large_slots[at]) {
		if (ids->large_count >= PN_IDS_SMALL - 1)
			pn_alloc_failed(SIZE_MAX);
		ids->large = pn_grow(ids->large, &ids->large_cap,
				     ids->large_count + 1, sizeof(*ids->large));
		ids->large[ids->large_count++] = id;
		ids->large_slots[at] = (uint32_t)ids->large_count;
	}
	return (uint32_t)PN_IDS_SMALL + ids->large_slots[at] - 1;
}

uint64_t pn_ids_id(const struct pn_ids *ids, uint32_t name)
{
	return name < PN_IDS_SMALL ? name : ids->large[name - PN_IDS_SMALL];
}

void pn_ids_define(struct pn_ids *ids, uint64_t id)
{
	ids->defined = pn_grow(ids->defined, &ids->cap, ids->count + 1,
			       sizeof(*ids->defined));
	ids->defined[ids->count++] = pn_ids_name(ids, id);
	if (id != ids->count)
		ids->counted = false;
}

static int twice(const struct pn_ids *ids, const char *what, uint32_t name,
		 struct pn_error *err)
{
	return pn_error_set(err, PN_EINVAL, "two %ss have id %" PRIu64, what,
			    pn_ids_id(ids, name));
}

static size_t slot(const struct pn_ids *ids, uint32_t name)
{
	size_t mask = ids->slot_count - 1, at = hash(ids, name) & mask;

	while (ids->slots[at] && ids->defined[ids->slots[at] - 1] != name)
		at = (at + 1) & mask;
	return at;
}

static int finish_hash(struct pn_ids *ids, const char *what,
		       struct pn_error *err)
{
	size_t i, at;

	ids->slot_count = 64;
	while (ids->slot_count < ids->count * 2)
		ids->slot_count *= 2;
	ids->slots = pn_calloc(ids->slot_count, sizeof(*ids->slots));
	for (i = 0; i < ids->count; i++) {
		at = slot(ids, ids->defined[i]);
		if (ids->slots[at])
			return twice(ids, what, ids->defined[i], err);
		ids->slots[at] = (uint32_t)i + 1;
	}
	return 0;
}

int pn_ids_finish(struct pn_ids *ids, const char *what, struct pn_error *err)
{
	uint32_t largest = 0;
	size_t i;

	if (ids->counted)
		return 0;
	for (i = 0; i < ids->count; i++)
		if (ids->defined[i] > largest)
			largest = ids->defined[i];
	if (largest / DIRECT_RATIO > ids->count && largest > DIRECT_MIN)
		return finish_hash(ids, what, err);
	ids->direct_count = (size_t)largest + 1;
	ids->direct = pn_calloc(ids->direct_count, sizeof(*ids->direct));
	for (i = 0; i < ids->count; i++) {
		uint32_t name = ids->defined[i];

		if (ids->direct[name])
			return twice(ids, what, name, err);
		ids->direct[name] = (uint32_t)i + 1;
	}
	return 0;
}

uint32_t pn_ids_index(const struct pn_ids *ids, uint32_t name)
{
	if (ids->counted)
		return name && name <= ids->count ? name - 1 : NONE;
	if (ids->direct)
		return name < ids->direct_count ? ids->direct[name] - 1 : NONE;
	return ids->slots[slot(ids, name)] - 1;
}
