/* Packs, read: gitformat-pack(5). */
#include "vcs/objects/packed.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/deflate.h"
#include "vcs/git.h"
#include "vcs/objects/pack.h"
#include "vcs/objects/pack_delta.h"
#include "vcs/objects/packed_ahead.h"
#include "vcs/objects/packed_bases.h"
#include "vcs/objects/packed_entry.h"
#include "vcs/objects/stored.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* git makes chains of 50. */
#define CHAIN_MAX 64
/* A body that takes so many leaves as much of its pack in memory. */
#define APART_MIN ((size_t)1 << 20)

/* What a thread inflates with. */
struct pn_packed_reader {
	struct pn_inflate_whole *whole;
	struct pn_packed_bases bases;
	struct pn_buf delta;
};

static struct pn_packed_reader *new_reader(void)
{
	struct pn_packed_reader *reader = pn_calloc(1, sizeof(*reader));

	reader->whole = pn_inflate_whole_new();
	return reader;
}

static void free_reader(struct pn_packed_reader *reader)
{
	if (!reader)
		return;
	pn_packed_bases_release(&reader->bases);
	pn_buf_release(&reader->delta);
	pn_inflate_whole_free(reader->whole);
	free(reader);
}

void pn_packed_init(struct pn_packed *packed)
{
	memset(packed, 0, sizeof(*packed));
	pthread_mutex_init(&packed->lock, NULL);
}

void pn_packed_refresh(struct pn_packed *packed)
{
	/* its thread reads the files */
	pn_packed_ahead_free(packed->ahead);
	packed->ahead = NULL;
	pthread_mutex_lock(&packed->lock);
	free_reader(packed->spare); /* it knows bases by where they were */
	packed->spare = NULL;
	pn_packed_close(&packed->all);
	pthread_mutex_unlock(&packed->lock);
}

void pn_packed_release(struct pn_packed *packed)
{
	pn_packed_refresh(packed);
	pthread_mutex_destroy(&packed->lock);
}

static struct pn_packed_reader *borrow(struct pn_packed *packed)
{
	struct pn_packed_reader *reader;

	pthread_mutex_lock(&packed->lock);
	reader = packed->spare;
	packed->spare = NULL;
	pthread_mutex_unlock(&packed->lock);
	return reader ? reader : new_reader();
}

static void give_back(struct pn_packed *packed, struct pn_packed_reader *reader)
{
	pthread_mutex_lock(&packed->lock);
	if (!packed->spare) {
		packed->spare = reader;
		reader = NULL;
	}
	pthread_mutex_unlock(&packed->lock);
	free_reader(reader);
}

/*
 * chain[0] is a delta; behind it comes what it builds on, and so forth, up to
 * what is whole or, not in the chain, what is kept (*from). Of long objects a
 * chain is libgit2's, which keeps what it meets on the way.
 */
static bool follow(struct pn_packed_entry *chain, size_t *count,
		   const struct pn_buf **from, git_object_t type,
		   const struct pn_packed_reader *reader)
{
	struct pn_packed_entry *next = chain;
	uint64_t distance;
	size_t n = 1;

	for (*from = NULL; !*from && next->type == PN_PACK_OFS_DELTA; n++) {
		if (n == CHAIN_MAX ||
		    !pn_packed_entry_distance(&distance, next))
			return false;
		next[1] = *next;
		if (!pn_packed_entry_open(&next[1], next->offset - distance))
			return false;
		next++;
		*from = pn_packed_bases_find(&reader->bases, next,
					     (unsigned int)type);
	}
	*count = *from ? n - 1 : n;
	return *from || (next->type == (unsigned int)type &&
			 (n == 2 || next->size <= PN_PACKED_BASE_MAX));
}

static void keep(struct pn_packed_reader *reader,
		 const struct pn_packed_entry *entry, git_object_t type,
		 const struct pn_buf *bytes)
{
	pn_packed_bases_keep(&reader->bases, entry, (unsigned int)type, bytes);
}

static bool read_delta(struct pn_buf *out, const struct pn_packed_entry *entry,
		       git_object_t type, uint64_t limit,
		       struct pn_packed_reader *reader)
{
	struct pn_buf held = {0}, next;
	struct pn_packed_entry chain[CHAIN_MAX];
	const struct pn_buf *from;
	bool good;
	size_t n;

	chain[0] = *entry;
	good = follow(chain, &n, &from, type, reader);
	if (good && !from)
		good = pn_packed_entry_inflate(&held, &chain[--n], limit,
					       reader->whole);
	if (!from)
		from = &held;
	while (good && n--) {
		memset(&next, 0, sizeof(next));
		pn_buf_clear(&reader->delta);
		good = pn_packed_entry_inflate(&reader->delta, &chain[n], limit,
					       reader->whole) &&
		       pn_pack_delta_apply(&next, from, &reader->delta, limit);
		/* what it built on may go from now on */
		if (from == &held)
			keep(reader, &chain[n + 1], type, &held);
		pn_buf_release(&held);
		held = next;
		from = &held;
	}
	if (!good) {
		pn_buf_release(&held);
		return false;
	}
	keep(reader, entry, type, &held);
	*out = held;
	return true;
}

/* Through a map of its own, that goes with what was read through it. */
static bool inflate_apart(struct pn_buf *out,
			  const struct pn_packed_entry *entry, uint64_t limit,
			  struct pn_inflate_whole *whole)
{
	size_t size, len = (size_t)(entry->end - entry->pack) + PN_OID_BYTES;
	struct pn_packed_entry apart = *entry;
	struct pn_buf path = {0};
	const unsigned char *pack;
	bool good;

	pn_buf_printf(&path, "%s.pack", entry->base);
	pack = pn_pack_map(&size, pn_buf_text(&path), len);
	pn_buf_release(&path);
	if (!pack)
		return false;
	apart.at = pack + (entry->at - entry->pack);
	apart.end = pack + (entry->end - entry->pack);
	/* git may have put another one of that name there */
	good = size == len && !memcmp(apart.end, entry->end, PN_OID_BYTES) &&
	       pn_packed_entry_inflate(out, &apart, limit, whole);
	munmap((void *)pack, size);
	return good;
}

static bool read_entry(struct pn_buf *out, struct pn_packed_entry *entry,
		       git_object_t type, uint64_t limit,
		       struct pn_packed_reader *reader)
{
	if (entry->type == (unsigned int)type)
		return (entry->size < APART_MIN ? pn_packed_entry_inflate
						: inflate_apart)(
			out, entry, limit, reader->whole);
	return entry->type == PN_PACK_OFS_DELTA &&
	       read_delta(out, entry, type, limit, reader);
}

/* Nothing is left in `out` when it cannot. */
static bool read_bytes(struct pn_buf *out, struct pn_repo *repo,
		       struct pn_packed_entry *entry, git_object_t type,
		       uint64_t limit)
{
	struct pn_packed_reader *reader = borrow(&repo->packed);
	bool good = read_entry(out, entry, type, limit, reader);

	give_back(&repo->packed, reader);
	if (!good)
		pn_buf_release(out);
	return good;
}

static bool find(struct pn_packed_entry *out, struct pn_repo *repo,
		 const struct pn_oid *oid)
{
	return pn_packed_ahead_find(out, repo->packed.ahead, oid) ||
	       pn_packed_find(out, repo, oid);
}

bool pn_packed_read(struct pn_stored *out, struct pn_repo *repo,
		    const struct pn_oid *oid, git_object_t type, uint64_t limit)
{
	struct pn_buf bytes = {0};
	struct pn_packed_entry entry;

	if (!repo->common_dir || !find(&entry, repo, oid) ||
	    !read_bytes(&bytes, repo, &entry, type, limit))
		return false;
	out->own = bytes;
	out->bytes = bytes.data;
	out->len = bytes.len;
	return true;
}

bool pn_packed_is(struct pn_repo *repo, const struct pn_oid *oid,
		  git_object_t type, uint64_t limit)
{
	struct pn_buf bytes = {0};
	struct pn_packed_entry entry;

	if (!repo->common_dir || !find(&entry, repo, oid))
		return false;
	if (entry.type != PN_PACK_OFS_DELTA)
		return entry.type == (unsigned int)type;
	if (!read_bytes(&bytes, repo, &entry, type, limit))
		return false;
	pn_buf_release(&bytes);
	return true;
}
