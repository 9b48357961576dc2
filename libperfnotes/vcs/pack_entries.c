/* Deflating the objects of a pack: the only threads of the library. */
#include "vcs/pack_entries.h"

#include "base/alloc.h"
#include "base/deflate.h"
#include "base/hash.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#define LEVEL 1
/* Bytes of objects that a thread takes at a time, and chunks in work or
 * waiting. */
#define CHUNK_BYTES (1u << 18)
#define WINDOW 16
#define THREADS_MAX 8
/* A thread costs some 50 us, which is what so many small objects take. */
#define THREADED_MIN 64

struct chunk {
	size_t from, to;
	struct pn_buf bytes;
	bool full;
};

struct pn_pack_entries {
	const struct pn_object *objects;
	size_t count;
	struct pn_pack_entry *entries;
	struct chunk chunks[WINDOW]; /* chunk k at k % WINDOW */
	pthread_mutex_t lock;	     /* of all that follows */
	pthread_cond_t changed;
	size_t next;	      /* first object that nobody has taken */
	size_t taken, handed; /* chunks, so far; handed: and done with */
	bool out;	      /* the caller has chunk `handed` */
	bool stop;
	pthread_t threads[THREADS_MAX];
	size_t thread_count;
	struct pn_deflater *deflater; /* of the caller, when it works itself */
};

/* Type and size: four bits, then seven a byte. */
static void add_head(struct pn_buf *out, const struct pn_object *object)
{
	uint64_t size = object->len;
	unsigned int byte = (unsigned int)object->type << 4 | (size & 15);

	for (size >>= 4; size; size >>= 7) {
		pn_buf_add_byte(out, (unsigned char)(byte | 0x80));
		byte = size & 0x7f;
	}
	pn_buf_add_byte(out, (unsigned char)byte);
}

static void fill(struct pn_pack_entries *all, struct chunk *chunk,
		 struct pn_deflater *deflater)
{
	size_t i, start;

	pn_buf_clear(&chunk->bytes);
	for (i = chunk->from; i < chunk->to; i++) {
		start = chunk->bytes.len;
		add_head(&chunk->bytes, &all->objects[i]);
		pn_deflater_run(&chunk->bytes, deflater, NULL, 0,
				all->objects[i].bytes, all->objects[i].len);
		all->entries[i].len = chunk->bytes.len - start;
		all->entries[i].crc = pn_hash_crc32(
			0, chunk->bytes.data + start, all->entries[i].len);
	}
}

/* With the lock held. */
static struct chunk *take(struct pn_pack_entries *all)
{
	struct chunk *chunk = &all->chunks[all->taken++ % WINDOW];
	size_t bytes = 0;

	chunk->from = all->next;
	while (all->next < all->count && bytes < CHUNK_BYTES)
		bytes += all->objects[all->next++].len + 1;
	chunk->to = all->next;
	chunk->full = false;
	return chunk;
}

static void *work(void *data)
{
	struct pn_deflater *deflater = pn_deflater_new(LEVEL);
	struct pn_pack_entries *all = data;
	struct chunk *chunk;

	pthread_mutex_lock(&all->lock);
	for (;;) {
		while (!all->stop && all->next < all->count &&
		       all->taken == all->handed + WINDOW)
			pthread_cond_wait(&all->changed, &all->lock);
		if (all->stop || all->next == all->count)
			break;
		chunk = take(all);
		pthread_mutex_unlock(&all->lock);
		fill(all, chunk, deflater);
		pthread_mutex_lock(&all->lock);
		chunk->full = true;
		pthread_cond_broadcast(&all->changed);
	}
	pthread_mutex_unlock(&all->lock);
	pn_deflater_free(deflater);
	return NULL;
}

/* Fewer than wanted, or none, is no failure: the caller can do it alone. */
static void start_threads(struct pn_pack_entries *all)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t want = processors > THREADS_MAX ? THREADS_MAX
		      : processors > 1	       ? (size_t)processors
					       : 0;

	if (all->count < THREADED_MIN)
		want = 0;
	while (all->thread_count < want &&
	       !pthread_create(&all->threads[all->thread_count], NULL, work,
			       all))
		all->thread_count++;
}

struct pn_pack_entries *pn_pack_entries_new(const struct pn_object *objects,
					    size_t count)
{
	struct pn_pack_entries *all = pn_calloc(1, sizeof(*all));

	all->objects = objects;
	all->count = count;
	all->entries = pn_calloc(count, sizeof(*all->entries));
	pthread_mutex_init(&all->lock, NULL);
	pthread_cond_init(&all->changed, NULL);
	start_threads(all);
	if (!all->thread_count)
		all->deflater = pn_deflater_new(LEVEL);
	return all;
}

const struct pn_buf *pn_pack_entries_next(size_t *from, size_t *to,
					  const struct pn_pack_entry **entries,
					  struct pn_pack_entries *all)
{
	struct chunk *chunk;

	pthread_mutex_lock(&all->lock);
	/* What was handed out the last time is free only now. */
	if (all->out) {
		all->chunks[all->handed++ % WINDOW].full = false;
		all->out = false;
		pthread_cond_broadcast(&all->changed);
	}
	chunk = &all->chunks[all->handed % WINDOW];
	if (!all->thread_count && all->next < all->count) {
		fill(all, take(all), all->deflater);
		chunk->full = true;
	}
	while (!chunk->full &&
	       (all->next < all->count || all->handed < all->taken))
		pthread_cond_wait(&all->changed, &all->lock);
	all->out = chunk->full;
	pthread_mutex_unlock(&all->lock);
	if (!all->out)
		return NULL;
	*from = chunk->from;
	*to = chunk->to;
	*entries = all->entries;
	return &chunk->bytes;
}

void pn_pack_entries_free(struct pn_pack_entries *all)
{
	size_t i;

	if (!all)
		return;
	pthread_mutex_lock(&all->lock);
	all->stop = true;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
	for (i = 0; i < all->thread_count; i++)
		pthread_join(all->threads[i], NULL);
	pthread_mutex_destroy(&all->lock);
	pthread_cond_destroy(&all->changed);
	for (i = 0; i < WINDOW; i++)
		pn_buf_release(&all->chunks[i].bytes);
	pn_deflater_free(all->deflater);
	free(all->entries);
	free(all);
}
