/* The cache of a repository: its file, and what this process adds. */
#include "vcs/cache/cache.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/large.h"
#include "base/slots.h"
#include "base/trace2.h"
#include "vcs/cache/folder.h"
#include "vcs/cache/table.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a process that was killed left half written goes after an hour. */
#define LEFT_S 3600
/* A large file is not written again for a few values: that would take longer
 * than to read them once more. */
#define SMALL (4u << 20)
#define FEW 64
#define MARKS_MAX 64		   /* judgements, of which one is asked for */
#define ROOM (PN_CACHE_MAX - 4096) /* for rows and values */
/* Who adds so much adds megabytes. */
#define MANY ((size_t)1 << 20)

struct pn_cache {
	struct pn_repo *repo;
	char *path;
	void *mapped; /* NULL: none */
	size_t mapped_len;
	struct pn_cache_table table; /* of the file */
	bool *used;		     /* its rows that were asked for */
	struct pn_buf values;	     /* new ones, as they will be in the file */
	struct pn_cache_item *items; /* new ones */
	size_t count, cap, bytes;    /* of what was used, too */
	size_t fresh;		     /* bytes of new ones alone */
	struct pn_slots slots;
};

struct pn_cache *pn_cache_open(struct pn_repo *repo, const char *name)
{
	struct pn_cache *cache = pn_calloc(1, sizeof(*cache));

	cache->repo = repo;
	cache->path = pn_cache_path(repo, name);
	cache->mapped =
		pn_cache_map(&cache->mapped_len, cache->path, PN_CACHE_MAX);
	if (cache->mapped)
		pn_cache_table_open(&cache->table, cache->mapped,
				    cache->mapped_len);
	cache->used = pn_calloc(cache->table.count + 1, sizeof(*cache->used));
	return cache;
}

bool pn_cache_is_empty(const struct pn_cache *cache)
{
	return !cache->table.count;
}

static uint32_t hash_of(struct pn_cache *cache, const struct pn_cache_key *key)
{
	return pn_slots_hash_bytes(&cache->slots, key, sizeof(*key));
}

static struct pn_cache_item *find_new(struct pn_cache *cache,
				      const struct pn_cache_key *key)
{
	uint32_t hash, row;
	size_t at;

	if (!cache->count)
		return NULL;
	hash = hash_of(cache, key);
	for (at = pn_slots_first(&cache->slots, hash);
	     pn_slots_row(&row, &cache->slots, &at, hash);)
		if (!pn_cache_key_cmp(&cache->items[row].key, key))
			return &cache->items[row];
	return NULL;
}

static void use(struct pn_cache *cache, size_t row, size_t len)
{
	if (!cache->used[row])
		cache->bytes += pn_cache_item_size(len);
	cache->used[row] = true;
}

const void *pn_cache_find(size_t *len, struct pn_cache *cache,
			  enum pn_cache_kind kind, const struct pn_oid *oid)
{
	const struct pn_cache_key key = {*oid, kind};
	const struct pn_cache_item *item = find_new(cache, &key);
	struct pn_cache_item had;
	size_t row;

	if (!item && pn_cache_table_find(&row, &cache->table, &key) &&
	    pn_cache_table_value(&had, &cache->table, row)) {
		use(cache, row, had.len);
		item = &had;
	}
	*len = item ? item->len : 0;
	return item ? item->value : NULL;
}

/* Room for all that a file may hold: what nobody writes to takes no memory. */
static bool has_room(struct pn_buf *values)
{
	if (values->data)
		return true;
	values->data = malloc(PN_CACHE_MAX);
	values->cap = values->data ? PN_CACHE_MAX : 0;
	values->len = PN_CACHE_HEAD;
	return values->data != NULL;
}

static void *place_value(struct pn_buf *values, size_t len)
{
	unsigned char *at = values->data + values->len;
	size_t padded = pn_cache_padded(len);

	memset(at + padded - 8, 0, 8);
	if (values->len < MANY && values->len + padded >= MANY)
		pn_large_rest(at, values->cap - values->len);
	values->len += padded;
	return at;
}

void *pn_cache_place(struct pn_cache *cache, enum pn_cache_kind kind,
		     const struct pn_oid *oid, size_t len)
{
	const struct pn_cache_key key = {*oid, kind};
	struct pn_cache_item *item = find_new(cache, &key);
	size_t size = pn_cache_item_size(len);
	void *place;

	if (!len || len > PN_CACHE_VALUE_MAX || cache->bytes > ROOM ||
	    size > ROOM - cache->bytes || !has_room(&cache->values))
		return NULL;
	place = place_value(&cache->values, len);
	cache->bytes += size;
	cache->fresh += size;
	if (!item) {
		cache->items = pn_grow(cache->items, &cache->cap,
				       cache->count + 1, sizeof(*cache->items));
		item = &cache->items[cache->count];
		pn_slots_add(&cache->slots, hash_of(cache, &key),
			     (uint32_t)cache->count++);
	}
	*item = (struct pn_cache_item){key, place, (uint32_t)len};
	return place;
}

void pn_cache_put(struct pn_cache *cache, enum pn_cache_kind kind,
		  const struct pn_oid *oid, const void *value, size_t len)
{
	void *place = pn_cache_place(cache, kind, oid, len);

	if (place)
		memcpy(place, value, len);
}

static int by_key(const void *a, const void *b)
{
	const struct pn_cache_item *x = a, *y = b;

	return pn_cache_key_cmp(&x->key, &y->key);
}

/* A judgement is of one state of the notes, and old soon. */
static bool has_many_marks(const struct pn_cache_table *table)
{
	size_t i, n = 0;

	for (i = 0; i < table->count; i++)
		n += table->rows[i].key.kind == PN_CACHE_MARKS;
	return n >= MARKS_MAX;
}

/* What is new, what was used, and of the rest as much as there is room for. New
 * values take the place of old ones. In a damaged file values may overlap, and
 * keys be there twice or out of order. */
static struct pn_cache_item *unite(size_t *count, struct pn_cache *cache)
{
	const struct pn_cache_table *old = &cache->table;
	struct pn_cache_item *all = pn_realloc_array(
		NULL, old->count + cache->count + 1, sizeof(*all));
	size_t room[2] = {cache->bytes < ROOM ? ROOM - cache->bytes : 0,
			  ROOM - cache->fresh};
	size_t i, k = 0, n = 0, size;
	bool forget = has_many_marks(old);

	qsort(cache->items, cache->count, sizeof(*cache->items), by_key);
	for (i = 0; i < old->count; i++) {
		struct pn_cache_item item;
		int order = 1;

		if (!pn_cache_table_value(&item, old, i))
			continue;
		while (k < cache->count &&
		       (order = by_key(&cache->items[k], &item)) < 0)
			all[n++] = cache->items[k++];
		size = pn_cache_item_size(item.len);
		if (forget && item.key.kind == PN_CACHE_MARKS &&
		    !cache->used[i])
			size = SIZE_MAX;
		if ((k < cache->count && !order) ||
		    size > room[cache->used[i]] ||
		    (n && by_key(&all[n - 1], &item) >= 0))
			continue;
		room[cache->used[i]] -= size;
		all[n++] = item;
	}
	while (k < cache->count)
		all[n++] = cache->items[k++];
	*count = n;
	return all;
}

static bool is_left(int folder, const char *name)
{
	struct stat st;

	return strstr(name, ".tmp-") &&
	       !fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) &&
	       st.st_mtime < pn_time_now_ns() / 1000000000 - LEFT_S;
}

static void sweep(const struct pn_repo *repo)
{
	char *path = pn_cache_path(repo, "");
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_left(dirfd(dir), entry->d_name))
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	free(path);
}

static void write_file(struct pn_cache *cache)
{
	struct pn_trace2_region region =
		pn_trace2_enter(PN_TRACE2_HERE, "cache", "write");
	struct pn_cache_item *all;
	struct stat st;
	size_t count;
	int there;

	if (pn_cache_make_folder(cache->repo)) {
		sweep(cache->repo);
		there = pn_file_look(&st, cache->path, NULL);
		all = unite(&count, cache);
		pn_cache_table_write(&cache->values, all, count);
		/* what is no file of ours stays */
		if ((!there || (there > 0 && S_ISREG(st.st_mode))) &&
		    !pn_file_write(cache->path, cache->values.data,
				   cache->values.len, false, NULL) &&
		    !there)
			pn_repo_share(cache->repo, cache->path);
		free(all);
	}
	pn_trace2_leave(PN_TRACE2_HERE, &region);
}

void pn_cache_close(struct pn_cache *cache)
{
	if (!cache)
		return;
	if (cache->count &&
	    (cache->mapped_len < SMALL || cache->fresh > cache->bytes / FEW))
		write_file(cache);
	if (cache->mapped)
		munmap(cache->mapped, cache->mapped_len);
	pn_buf_release(&cache->values);
	pn_slots_release(&cache->slots);
	free(cache->items);
	free(cache->path);
	free(cache->used);
	free(cache);
}
