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

void pn_ids_init(struct pn_ids *ids)
{
	memset(ids, 0, sizeof(*ids));
	ids->counted = true;
}

void pn_ids_release(struct pn_ids *ids)
{
	free(ids->defined);
	free(ids->large);
	pn_slots_release(&ids->large_slots);
	free(ids->direct);
	pn_slots_release(&ids->slots);
	memset(ids, 0, sizeof(*ids));
}

uint32_t pn_ids_name(struct pn_ids *ids, uint64_t id)
{
	uint32_t row, hash;
	size_t at;

	if (id < PN_IDS_SMALL)
		return (uint32_t)id;
	hash = pn_slots_hash(&ids->large_slots, &id, 1);
	at = pn_slots_first(&ids->large_slots, hash);
	while (pn_slots_row(&row, &ids->large_slots, &at, hash))
		if (ids->large[row] == id)
			return (uint32_t)PN_IDS_SMALL + row;
	if (ids->large_count >= PN_IDS_SMALL - 1)
		pn_alloc_failed(SIZE_MAX);
	row = (uint32_t)ids->large_count;
	ids->large = pn_grow(ids->large, &ids->large_cap, ids->large_count + 1,
			     sizeof(*ids->large));
	ids->large[ids->large_count++] = id;
	pn_slots_add(&ids->large_slots, hash, row);
	return (uint32_t)PN_IDS_SMALL + row;
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

/* The index of a name and its hash, NONE where it is not. */
static uint32_t find(uint32_t *hash, struct pn_ids *ids, uint32_t name)
{
	const uint64_t word = name;
	uint32_t row;
	size_t at;

	*hash = pn_slots_hash(&ids->slots, &word, 1);
	at = pn_slots_first(&ids->slots, *hash);
	while (pn_slots_row(&row, &ids->slots, &at, *hash))
		if (ids->defined[row] == name)
			return row;
	return NONE;
}

static int finish_hash(struct pn_ids *ids, const char *what,
		       struct pn_error *err)
{
	uint32_t hash;
	size_t i;

	for (i = 0; i < ids->count; i++) {
		if (find(&hash, ids, ids->defined[i]) != NONE)
			return twice(ids, what, ids->defined[i], err);
		pn_slots_add(&ids->slots, hash, (uint32_t)i);
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

uint32_t pn_ids_index(struct pn_ids *ids, uint32_t name)
{
	uint32_t hash;

	if (ids->counted)
		return name && name <= ids->count ? name - 1 : NONE;
	if (ids->direct)
		return name < ids->direct_count ? ids->direct[name] - 1 : NONE;
	return find(&hash, ids, name);
}
