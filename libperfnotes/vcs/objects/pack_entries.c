/* Deflating the objects of a pack, in threads. */
#include "vcs/objects/pack_entries.h"

#include "base/ahead.h"
#include "base/alloc.h"
#include "base/deflate.h"
#include "base/hash.h"
#include "vcs/objects/pack_delta.h"

#include <stdlib.h>

/* git takes what is in a pack as it is into all later ones, whichever is the
 * level: what is written for a few objects is what clones get. Of many objects
 * most of the time would be deflating. */
#define FEW_LEVEL PN_DEFLATE_USUAL
#define MANY_LEVEL PN_DEFLATE_FAST
/* Trees of one or two entries, which are ids mostly: they get 3 % shorter, and
 * a batch of notes has one for each of them. */
#define STORED_MAX 140
/* Notes of a batch are lines that are much alike: what is left of them are ids
 * mostly, which no deflating makes shorter by much. */
#define DELTA_TARGET_MAX 4096
/* Bytes of objects that a thread takes at a time, and chunks in work or
 * waiting. */
#define CHUNK_BYTES (1u << 18)
#define WINDOW 16
/* A thread costs some 50 us, which is what so many small objects take. */
#define THREADED_MIN 64

struct pn_pack_entries {
	const struct pn_object *objects;
	struct pn_pack_entry *entries;
	int level;
	size_t *starts; /* first object of each chunk, and the end */
	size_t chunk_count;
	struct pn_buf chunks[WINDOW];
	struct pn_deflater *deflaters[PN_AHEAD_THREADS_MAX];
	struct pn_ahead *ahead;
};

/* What a thread writes, and the note that the next one may be told by. */
struct chunk {
	struct pn_buf *out;
	struct pn_deflater *deflater;
	struct pn_buf delta;
	const struct pn_object *base;
	size_t base_at;
};

/* Type and size: four bits, then seven a byte. */
static void add_head(struct pn_buf *out, unsigned int type, size_t size)
{
	unsigned int byte = type << 4 | (size & 15);

	for (size >>= 4; size; size >>= 7) {
		pn_buf_add_byte(out, (unsigned char)(byte | 0x80));
		byte = size & 0x7f;
	}
	pn_buf_add_byte(out, (unsigned char)byte);
}

static void add_whole(struct chunk *chunk, const struct pn_object *object)
{
	struct pn_buf *out = chunk->out;

	add_head(out, object->type,
		 object->raw_len ? object->raw_len : object->len);
	if (object->raw_len)
		pn_buf_add(out, object->bytes, object->len);
	else if (object->type == PN_OBJECT_TREE && object->len <= STORED_MAX)
		pn_deflate_stored(out, object->bytes, object->len);
	else
		pn_deflater_run(out, chunk->deflater, NULL, 0, object->bytes,
				object->len);
}

/* A base is whole itself: no chain grows. What is too different is the base of
 * those behind it. */
static void add_entry(struct chunk *chunk, const struct pn_object *object)
{
	size_t start = chunk->out->len;
	bool may_differ = object->type == PN_OBJECT_BLOB && !object->raw_len &&
			  object->len <= DELTA_TARGET_MAX;

	pn_buf_clear(&chunk->delta);
	if (may_differ && chunk->base &&
	    pn_pack_delta(&chunk->delta, chunk->base, object,
			  object->len / 2)) {
		add_head(chunk->out, PN_PACK_OFS_DELTA, chunk->delta.len);
		pn_pack_delta_distance(chunk->out, start - chunk->base_at);
		pn_deflate_stored(chunk->out, chunk->delta.data,
				  chunk->delta.len);
		return;
	}
	add_whole(chunk, object);
	if (may_differ) {
		chunk->base = object;
		chunk->base_at = start;
	}
}

static void fill(void *data, size_t number, size_t worker)
{
	struct pn_pack_entries *all = data;
	struct pn_deflater **deflater = &all->deflaters[worker];
	struct chunk chunk = {.out = &all->chunks[number % WINDOW]};
	size_t i, start;

	if (!*deflater)
		*deflater = pn_deflater_new(all->level);
	chunk.deflater = *deflater;
	pn_buf_clear(chunk.out);
	for (i = all->starts[number]; i < all->starts[number + 1]; i++) {
		start = chunk.out->len;
		add_entry(&chunk, &all->objects[i]);
		all->entries[i].len = chunk.out->len - start;
		all->entries[i].crc = pn_hash_crc32(0, chunk.out->data + start,
						    all->entries[i].len);
	}
	pn_buf_release(&chunk.delta);
}

static void cut(struct pn_pack_entries *all, size_t count)
{
	size_t i, bytes = CHUNK_BYTES, cap = 0;

	for (i = 0; i <= count; i++) {
		if (bytes >= CHUNK_BYTES || i == count) {
			all->starts =
				pn_grow(all->starts, &cap, all->chunk_count + 1,
					sizeof(*all->starts));
			all->starts[all->chunk_count++] = i;
			bytes = 0;
		}
		if (i < count)
			bytes += all->objects[i].len + 1;
	}
	all->chunk_count--; /* the last one is the end */
}

struct pn_pack_entries *pn_pack_entries_new(const struct pn_object *objects,
					    size_t count)
{
	struct pn_pack_entries *all = pn_calloc(1, sizeof(*all));
	struct pn_ahead_work work = {.run = fill, .data = all};

	all->objects = objects;
	all->entries = pn_calloc(count, sizeof(*all->entries));
	cut(all, count);
	work.count = all->chunk_count;
	work.window = WINDOW;
	work.threads = count < THREADED_MIN ? 0 : PN_AHEAD_THREADS_MAX;
	all->level = count < THREADED_MIN ? FEW_LEVEL : MANY_LEVEL;
	all->ahead = pn_ahead_new(&work);
	return all;
}

const struct pn_buf *pn_pack_entries_next(size_t *from, size_t *to,
					  const struct pn_pack_entry **entries,
					  struct pn_pack_entries *all)
{
	size_t chunk;

	if (!pn_ahead_next(&chunk, all->ahead))
		return NULL;
	*from = all->starts[chunk];
	*to = all->starts[chunk + 1];
	*entries = all->entries;
	return &all->chunks[chunk % WINDOW];
}

void pn_pack_entries_free(struct pn_pack_entries *all)
{
	size_t i;

	if (!all)
		return;
	pn_ahead_free(all->ahead);
	for (i = 0; i < WINDOW; i++)
		pn_buf_release(&all->chunks[i]);
	for (i = 0; i < PN_AHEAD_THREADS_MAX; i++)
		pn_deflater_free(all->deflaters[i]);
	free(all->starts);
	free(all->entries);
	free(all);
}
