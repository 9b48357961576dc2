/* Packs, read: gitformat-pack(5). */
#include "vcs/objects/packed.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/deflate.h"
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/objects/pack.h"
#include "vcs/objects/pack_delta.h"
#include "vcs/objects/packed_bases.h"
#include "vcs/objects/stored.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEAD 12 /* "PACK", version, count */
#define INDEX_END ".idx"
/* A byte of RFC 1951 tells at most so many. */
#define DEFLATED_MAX 1032
/* git makes chains of 50. */
#define CHAIN_MAX 64
/* A body that takes so many leaves as much of its pack in memory. */
#define APART_MIN ((size_t)1 << 20)

/* One object of a pack, or a delta: what tells its bytes, and what it may
 * reach to. */
struct entry {
	const unsigned char *pack; /* from its beginning */
	const char *base;	   /* of the pack's path */
	uint64_t offset;
	const unsigned char *at, *end;
	unsigned int type;
	size_t size; /* inflated */
};

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

static void close_all(struct pn_packed *packed)
{
	size_t i;

	for (i = 0; i < packed->count; i++) {
		struct pn_packed_file *file = &packed->files[i];

		pn_pack_index_close(&file->index);
		if (file->bytes)
			munmap((void *)file->bytes, file->size);
		free(file->base);
	}
	free(packed->files);
	free_reader(packed->spare); /* it knows bases by where they were */
	packed->files = NULL;
	packed->spare = NULL;
	packed->count = packed->last = 0;
	packed->listed = false;
}

void pn_packed_release(struct pn_packed *packed)
{
	close_all(packed);
	pthread_mutex_destroy(&packed->lock);
}

void pn_packed_refresh(struct pn_packed *packed)
{
	pthread_mutex_lock(&packed->lock);
	close_all(packed);
	pthread_mutex_unlock(&packed->lock);
}

/* One that is not there has nothing in it. */
static bool can_be_listed(const char *path)
{
	DIR *dir = opendir(path);

	if (!dir)
		return errno == ENOENT;
	closedir(dir);
	return true;
}

static bool borrows(const struct pn_repo *repo)
{
	struct pn_buf path = {0};
	bool none;

	pn_buf_printf(&path, "%s/objects/info/alternates", repo->common_dir);
	none = !getenv("GIT_OBJECT_DIRECTORY") &&
	       !getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES") &&
	       access(pn_buf_text(&path), F_OK) && errno == ENOENT;
	pn_buf_release(&path);
	return !none;
}

static void list(struct pn_packed *packed, const struct pn_repo *repo)
{
	struct pn_pack_names names = {0};
	struct pn_buf dir = {0}, base = {0};
	size_t i;

	pn_buf_printf(&dir, "%s/objects/pack", repo->common_dir);
	packed->is_all = can_be_listed(pn_buf_text(&dir)) && !borrows(repo);
	pn_pack_names_read(&names, pn_buf_text(&dir), "");
	packed->files = pn_calloc(names.count, sizeof(*packed->files));
	for (i = 0; i < names.count; i++) {
		const char *name = names.items[i];

		if (!pn_file_ends_with(name, INDEX_END))
			continue;
		pn_buf_printf(&base, "%s/%.*s", pn_buf_text(&dir),
			      (int)(strlen(name) - strlen(INDEX_END)), name);
		packed->files[packed->count++].base = pn_buf_detach(&base);
	}
	pn_pack_names_release(&names);
	pn_buf_release(&dir);
	packed->listed = true;
}

/* Both files, which belong together. */
static void open_file(struct pn_packed_file *file)
{
	static const unsigned char head[] = {'P', 'A', 'C', 'K', 0, 0, 0, 2};
	struct pn_buf path = {0};

	file->opened = true;
	pn_buf_printf(&path, "%s.pack", file->base);
	file->bytes = pn_pack_map(&file->size, pn_buf_text(&path),
				  HEAD + PN_OID_BYTES);
	pn_buf_clear(&path);
	pn_buf_printf(&path, "%s" INDEX_END, file->base);
	if (file->bytes && !memcmp(file->bytes, head, sizeof(head)) &&
	    pn_pack_index_open(&file->index, pn_buf_text(&path)) &&
	    memcmp(pn_pack_index_sum(&file->index),
		   file->bytes + file->size - PN_OID_BYTES, PN_OID_BYTES) != 0)
		pn_pack_index_close(&file->index);
	pn_buf_release(&path);
}

/* Type and size: four bits, then seven a byte. */
static bool take_head(struct entry *entry)
{
	unsigned int shift = 4, byte = *entry->at++;
	uint64_t size = byte & 15;

	entry->type = byte >> 4 & 7;
	while (byte & 0x80) {
		if (entry->at == entry->end || shift > 56)
			return false;
		byte = *entry->at++;
		size |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	}
	entry->size = (size_t)size;
	return size / DEFLATED_MAX <= (uint64_t)(entry->end - entry->at);
}

/* entry->pack and entry->end say which pack it is of. */
static bool open_entry(struct entry *entry, uint64_t offset)
{
	if (offset < HEAD || offset >= (uint64_t)(entry->end - entry->pack))
		return false;
	entry->offset = offset;
	entry->at = entry->pack + offset;
	return take_head(entry);
}

/* 1: it is in this one, at *row. 0: it is not. -1: that cannot be told. */
static int look_into(uint32_t *row, struct pn_packed_file *file,
		     const struct pn_oid *oid)
{
	if (!file->opened)
		open_file(file);
	return file->index.bytes ? pn_pack_index_find(row, &file->index, oid)
				 : -1;
}

/* 1: *file has it, at *row. 0: none has. -1: one cannot be read, and
 * no other has. Two sides of a diff are read by a thread each. */
static int look(struct pn_packed_file **file, uint32_t *row,
		struct pn_packed *packed, const struct pn_oid *oid)
{
	int found = packed->is_all ? 0 : -1, in;
	size_t i, at;

	/* the one that had the object before is the first */
	for (i = 0; i < packed->count; i++) {
		at = i ? i - (i <= packed->last) : packed->last;
		in = look_into(row, &packed->files[at], oid);
		if (in > 0) {
			packed->last = at;
			*file = &packed->files[at];
			return 1;
		}
		if (in < 0)
			found = -1;
	}
	return found;
}

int pn_packed_has(struct pn_repo *repo, const struct pn_oid *oid)
{
	struct pn_packed *packed = &repo->packed;
	struct pn_packed_file *file;
	uint32_t row;
	int found;

	if (!repo->common_dir)
		return -1;
	pthread_mutex_lock(&packed->lock);
	if (!packed->listed)
		list(packed, repo);
	found = look(&file, &row, packed, oid);
	pthread_mutex_unlock(&packed->lock);
	return found;
}

static bool find(struct entry *out, struct pn_repo *repo,
		 const struct pn_oid *oid)
{
	struct pn_packed *packed = &repo->packed;
	struct pn_packed_file *file;
	bool found;
	uint32_t row;

	pthread_mutex_lock(&packed->lock);
	if (!packed->listed)
		list(packed, repo);
	found = look(&file, &row, packed, oid) > 0;
	if (found) {
		out->pack = file->bytes;
		out->base = file->base;
		out->end = file->bytes + file->size - PN_OID_BYTES;
		found = open_entry(out,
				   pn_pack_index_offset(&file->index, row));
	}
	pthread_mutex_unlock(&packed->lock);
	return found;
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

static bool inflate_entry(struct pn_buf *out, const struct entry *entry,
			  uint64_t limit, struct pn_packed_reader *reader)
{
	if (entry->size > limit)
		return false;
	pn_buf_reserve(out, entry->size);
	if (!pn_inflate_whole_run(out->data, entry->size, reader->whole,
				  entry->at, (size_t)(entry->end - entry->at)))
		return false;
	out->len = entry->size;
	out->data[out->len] = '\0';
	return true;
}

/* How far before a delta its base begins. */
static bool take_distance(uint64_t *out, struct entry *entry)
{
	unsigned int byte = 0x80;
	uint64_t distance = 0;

	while (byte & 0x80) {
		if (entry->at == entry->end || distance >> 56)
			return false;
		byte = *entry->at++;
		distance = (distance << 7) + (byte & 0x7f);
		if (byte & 0x80)
			distance++;
	}
	*out = distance;
	return distance < entry->offset;
}

/*
 * chain[0] is a delta; behind it comes what it builds on, and so forth, up to
 * what is whole or, not in the chain, what is kept (*from). Of long objects a
 * chain is libgit2's, which keeps what it meets on the way.
 */
static bool follow(struct entry *chain, size_t *count,
		   const struct pn_buf **from, git_object_t type,
		   const struct pn_packed_reader *reader)
{
	struct entry *next = chain;
	uint64_t distance;
	size_t n = 1;

	for (*from = NULL; !*from && next->type == PN_PACK_OFS_DELTA; n++) {
		if (n == CHAIN_MAX || !take_distance(&distance, next))
			return false;
		next[1] = *next;
		if (!open_entry(&next[1], next->offset - distance))
			return false;
		next++;
		*from = pn_packed_bases_find(&reader->bases,
					     next->pack + next->offset,
					     (unsigned int)type);
	}
	*count = *from ? n - 1 : n;
	return *from || (next->type == (unsigned int)type &&
			 (n == 2 || next->size <= PN_PACKED_BASE_MAX));
}

static void keep(struct pn_packed_reader *reader, const struct entry *entry,
		 git_object_t type, const struct pn_buf *bytes)
{
	pn_packed_bases_keep(&reader->bases, entry->pack + entry->offset,
			     (unsigned int)type, bytes);
}

static bool read_delta(struct pn_buf *out, const struct entry *entry,
		       git_object_t type, uint64_t limit,
		       struct pn_packed_reader *reader)
{
	struct pn_buf held = {0}, next;
	struct entry chain[CHAIN_MAX];
	const struct pn_buf *from;
	bool good;
	size_t n;

	chain[0] = *entry;
	good = follow(chain, &n, &from, type, reader);
	if (good && !from)
		good = inflate_entry(&held, &chain[--n], limit, reader);
	if (!from)
		from = &held;
	while (good && n--) {
		memset(&next, 0, sizeof(next));
		pn_buf_clear(&reader->delta);
		good = inflate_entry(&reader->delta, &chain[n], limit,
				     reader) &&
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
static bool inflate_apart(struct pn_buf *out, const struct entry *entry,
			  uint64_t limit, struct pn_packed_reader *reader)
{
	size_t size, len = (size_t)(entry->end - entry->pack) + PN_OID_BYTES;
	struct entry apart = *entry;
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
	       inflate_entry(out, &apart, limit, reader);
	munmap((void *)pack, size);
	return good;
}

static bool read_entry(struct pn_buf *out, struct entry *entry,
		       git_object_t type, uint64_t limit,
		       struct pn_packed_reader *reader)
{
	if (entry->type == (unsigned int)type)
		return (entry->size < APART_MIN
				? inflate_entry
				: inflate_apart)(out, entry, limit, reader);
	return entry->type == PN_PACK_OFS_DELTA &&
	       read_delta(out, entry, type, limit, reader);
}

/* Nothing is left in `out` when it cannot. */
static bool read_bytes(struct pn_buf *out, struct pn_repo *repo,
		       struct entry *entry, git_object_t type, uint64_t limit)
{
	struct pn_packed_reader *reader = borrow(&repo->packed);
	bool good = read_entry(out, entry, type, limit, reader);

	give_back(&repo->packed, reader);
	if (!good)
		pn_buf_release(out);
	return good;
}

bool pn_packed_read(struct pn_stored *out, struct pn_repo *repo,
		    const struct pn_oid *oid, git_object_t type, uint64_t limit)
{
	struct pn_buf bytes = {0};
	struct entry entry;

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
	struct entry entry;

	if (!repo->common_dir || !find(&entry, repo, oid))
		return false;
	if (entry.type != PN_PACK_OFS_DELTA)
		return entry.type == (unsigned int)type;
	if (!read_bytes(&bytes, repo, &entry, type, limit))
		return false;
	pn_buf_release(&bytes);
	return true;
}
