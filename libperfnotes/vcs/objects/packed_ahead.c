/* Objects of packs, inflated by a thread before they are asked for. */
#include "vcs/objects/packed_ahead.h"

#include "base/ahead.h"
#include "base/alloc.h"
#include "base/deflate.h"
#include "vcs/git.h"
#include "vcs/objects/oidmap.h"
#include "vcs/objects/pack_delta.h"

#include <stdlib.h>

struct item {
	struct pn_oid id;
	struct pn_packed_entry entry;
	bool found, good; /* in a pack; inflated */
	struct pn_buf bytes;
};

struct pn_packed_ahead {
	const struct pn_repo *repo;
	struct pn_packed_files all; /* the thread's */
	struct pn_helper *helper;   /* NULL: none can be had */
	struct pn_inflate_whole *whole;
	struct pn_oidmap numbers; /* of items */
	struct item items[PN_PACKED_AHEAD_MAX];
};

static void run(void *data, size_t task)
{
	struct pn_packed_ahead *ahead = data;
	struct item *item = &ahead->items[task];
	struct pn_packed_entry own;
	uint64_t distance;

	pn_buf_clear(&item->bytes);
	item->found = pn_packed_find_in(&item->entry, &ahead->all, ahead->repo,
					&item->id);
	own = item->entry;
	item->good =
		item->found &&
		(own.type != PN_PACK_OFS_DELTA ||
		 pn_packed_entry_distance(&distance, &own)) &&
		pn_packed_entry_inflate(&item->bytes, &own,
					PN_PACKED_AHEAD_BYTES, ahead->whole);
}

static struct pn_packed_ahead *new_ahead(const struct pn_repo *repo)
{
	struct pn_packed_ahead *ahead = pn_calloc(1, sizeof(*ahead));

	ahead->repo = repo;
	ahead->whole = pn_inflate_whole_new();
	ahead->helper = pn_helper_new(run, ahead, PN_PACKED_AHEAD_MAX);
	return ahead;
}

void pn_packed_expect(struct pn_repo *repo, const struct pn_oid *ids,
		      size_t count)
{
	struct pn_packed_ahead *ahead = repo->packed.ahead;
	struct pn_oidmap *numbers;
	size_t i;

	if (!ahead)
		ahead = repo->packed.ahead = new_ahead(repo);
	numbers = &ahead->numbers;
	pn_oidmap_release(numbers);
	if (!repo->common_dir || !ahead->helper ||
	    !pn_helper_withdraw(ahead->helper))
		return;
	for (i = 0; i < count && numbers->count < PN_PACKED_AHEAD_MAX; i++) {
		if (pn_oidmap_find(numbers, &ids[i]) != PN_OIDMAP_NONE)
			continue;
		ahead->items[numbers->count].id = ids[i];
		pn_oidmap_add(numbers, &ids[i]);
	}
	pn_helper_offer(ahead->helper, (uint32_t)numbers->count);
}

bool pn_packed_ahead_find(struct pn_packed_entry *out,
			  struct pn_packed_ahead *ahead,
			  const struct pn_oid *id)
{
	const struct item *item;
	uint32_t number;

	if (!ahead)
		return false;
	number = pn_oidmap_find(&ahead->numbers, id);
	if (number == PN_OIDMAP_NONE)
		return false;
	item = &ahead->items[number];
	if (!pn_helper_has_done(ahead->helper, number) || !item->found)
		return false;
	*out = item->entry;
	if (item->good)
		out->inflated = &item->bytes;
	return true;
}

void pn_packed_ahead_free(struct pn_packed_ahead *ahead)
{
	size_t i;

	if (!ahead)
		return;
	pn_helper_free(ahead->helper);
	pn_packed_close(&ahead->all);
	for (i = 0; i < PN_PACKED_AHEAD_MAX; i++)
		pn_buf_release(&ahead->items[i].bytes);
	pn_inflate_whole_free(ahead->whole);
	pn_oidmap_release(&ahead->numbers);
	free(ahead);
}
