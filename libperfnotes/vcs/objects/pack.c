/*
 * Many objects as one pack and its index, gitformat-pack(5), version 2 of
 * both. Deltas are git's, made when packs are joined or packed again. Writing
 * the index beside the pack saves the second inflate and hash of
 * git_odb_write_pack.
 */
#include "vcs/objects/pack.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "vcs/git.h"
#include "vcs/objects/pack_entries.h"
#include "vcs/objects/pack_join.h"
#include "vcs/objects/stored.h"
#include "vcs/shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FLUSH_BYTES (1u << 20)
#define SHA_BYTES 20
#define OFFSET_LARGE 0x80000000u /* from here an offset has 64 bits */
#define GC_STALE_S (12 * 3600)	 /* git, builtin/gc.c */

/* A file that ends in the SHA-1 of its own bytes. */
struct sink {
	int fd;
	char *tmp;
	struct pn_buf buf;
	struct pn_hash_sha1 *hash;
	uint64_t written;
};

static int sink_open(struct sink *out, const char *dir, const char *name,
		     struct pn_error *err)
{
	struct pn_buf prefix = {0};
	int code;

	pn_buf_printf(&prefix, "%s/%s", dir, name);
	code = pn_file_temporary(&out->fd, &out->tmp, pn_buf_text(&prefix),
				 err);
	pn_buf_release(&prefix);
	if (!code)
		out->hash = pn_hash_sha1_new();
	return code;
}

static int sink_flush(struct sink *sink, struct pn_error *err)
{
	if (pn_file_write_all(sink->fd, sink->buf.data, sink->buf.len))
		return pn_error_system(err, "cannot write '%s'", sink->tmp);
	if (sink->hash)
		pn_hash_sha1_add(sink->hash, sink->buf.data, sink->buf.len);
	sink->written += sink->buf.len;
	pn_buf_clear(&sink->buf);
	return 0;
}

/* The checksum, and everything on its way to the disk. */
static int sink_end(unsigned char sum[SHA_BYTES], struct sink *sink,
		    struct pn_error *err)
{
	int code = sink_flush(sink, err);

	if (code)
		return code;
	pn_hash_sha1_end(sum, sink->hash);
	sink->hash = NULL;
	pn_buf_add(&sink->buf, sum, SHA_BYTES);
	code = sink_flush(sink, err);
	if (!code)
		pn_file_write_start(sink->fd);
	return code;
}

static void sink_release(struct sink *sink)
{
	if (sink->fd >= 0)
		close(sink->fd);
	if (sink->tmp)
		unlink(sink->tmp);
	free(sink->tmp);
	pn_buf_release(&sink->buf);
	pn_hash_sha1_end(NULL, sink->hash);
}

static void add_be32(struct pn_buf *out, uint32_t value)
{
	const unsigned char bytes[] = {
		(unsigned char)(value >> 24), (unsigned char)(value >> 16),
		(unsigned char)(value >> 8), (unsigned char)value};

	pn_buf_add(out, bytes, sizeof(bytes));
}

static int write_objects(struct pn_pack_index_entry *indexed, struct sink *pack,
			 const struct pn_object *objects, size_t count,
			 struct pn_error *err)
{
	struct pn_pack_entries *all = pn_pack_entries_new(objects, count);
	const struct pn_pack_entry *entries;
	const struct pn_buf *bytes;
	size_t from, to, i;
	uint64_t offset;
	int code = 0;

	while (!code &&
	       (bytes = pn_pack_entries_next(&from, &to, &entries, all))) {
		offset = pack->written + pack->buf.len;
		for (i = from; i < to; i++) {
			indexed[i].id = &objects[i].id;
			indexed[i].offset = offset;
			indexed[i].crc = entries[i].crc;
			offset += entries[i].len;
		}
		pn_buf_add(&pack->buf, bytes->data, bytes->len);
		if (pack->buf.len > FLUSH_BYTES)
			code = sink_flush(pack, err);
	}
	pn_pack_entries_free(all);
	return code;
}

static int write_parts(struct pn_pack_index_entry *indexed, struct sink *pack,
		       const struct pn_pack_join *join, struct pn_error *err)
{
	size_t i;
	int code = 0;

	for (i = 0; !code && i < join->part_count; i++) {
		pn_pack_join_add(&pack->buf, indexed, &join->parts[i],
				 pack->written + pack->buf.len);
		indexed += join->parts[i].count;
		if (pack->buf.len > FLUSH_BYTES)
			code = sink_flush(pack, err);
	}
	return code;
}

static int by_id(const void *a, const void *b)
{
	const struct pn_pack_index_entry *x = a, *y = b;

	return pn_oid_cmp(x->id, y->id);
}

static void add_offsets(struct pn_buf *out,
			const struct pn_pack_index_entry *indexed, size_t count)
{
	uint32_t large = 0;
	size_t i;

	for (i = 0; i < count; i++)
		add_be32(out, indexed[i].offset < OFFSET_LARGE
				      ? (uint32_t)indexed[i].offset
				      : OFFSET_LARGE | large++);
	for (i = 0; large && i < count; i++)
		if (indexed[i].offset >= OFFSET_LARGE) {
			add_be32(out, (uint32_t)(indexed[i].offset >> 32));
			add_be32(out, (uint32_t)indexed[i].offset);
		}
}

static void fill_index(struct pn_buf *out,
		       const struct pn_pack_index_entry *indexed, size_t count,
		       const unsigned char sum[SHA_BYTES])
{
	unsigned int byte;
	size_t i = 0;

	pn_buf_add(out, "\377tOc", 4);
	add_be32(out, 2);
	for (byte = 0; byte < 256; byte++) {
		while (i < count && indexed[i].id->bytes[0] <= byte)
			i++;
		add_be32(out, (uint32_t)i);
	}
	for (i = 0; i < count; i++)
		pn_buf_add(out, indexed[i].id->bytes, PN_OID_BYTES);
	for (i = 0; i < count; i++)
		add_be32(out, indexed[i].crc);
	add_offsets(out, indexed, count);
	pn_buf_add(out, sum, SHA_BYTES);
}

static int sink_rename(struct sink *sink, const char *base, const char *end,
		       int shared, struct pn_error *err)
{
	struct pn_buf path = {0};
	int code = pn_shared_apply(sink->tmp, shared, err);

	pn_buf_printf(&path, "%s%s", base, end);
	if (!code && rename(sink->tmp, pn_buf_text(&path)))
		code = pn_file_fail(err, "create", pn_buf_text(&path));
	pn_buf_release(&path);
	if (code)
		return code;
	free(sink->tmp);
	sink->tmp = NULL;
	return 0;
}

static int sink_wait(struct sink *sink, struct pn_error *err)
{
	return pn_file_write_out(sink->fd)
		       ? pn_error_system(err, "cannot write '%s'", sink->tmp)
		       : 0;
}

/* The names that both have now. */
static int sync_names(const struct sink *index, const char *dir,
		      struct pn_error *err)
{
	if (!pn_file_is_journalled(index->fd))
		return pn_file_sync_names(dir, err);
	return pn_file_sync(index->fd)
		       ? pn_error_system(err, "cannot sync '%s'", dir)
		       : 0;
}

/* Whether a sync of the refs' files holds for this one. */
static bool is_with_refs(struct pn_repo *repo, int fd)
{
	struct pn_buf path = {0};
	struct stat mine, refs;
	bool is;

	pn_buf_printf(&path, "%s/refs/notes", repo->common_dir);
	is = pn_file_is_journalled(fd) && !fstat(fd, &mine) &&
	     !stat(pn_buf_text(&path), &refs) && mine.st_dev == refs.st_dev;
	pn_buf_release(&path);
	return is;
}

/*
 * The mark, digits of the checksum, and a random number: a pack of the same
 * objects has another name, also when it is written at the same moment. A join
 * or a repack that has listed the one removes it by its name, late.
 */
static char *base_name(const char *dir, const unsigned char sum[SHA_BYTES])
{
	struct pn_buf base = {0};
	char hex[PN_OID_HEX + 1];
	struct pn_oid name;

	memcpy(name.bytes, sum, SHA_BYTES);
	pn_oid_hex(hex, &name);
	pn_buf_printf(&base, "%s/%s%.16s%016" PRIx64, dir, PN_PACK_MARK, hex,
		      pn_hash_random());
	return pn_buf_detach(&base);
}

struct pn_pack_nameless {
	struct sink pack, index;
	char *dir, *base;
	int shared;
	bool sync;
};

static void nameless_free(struct pn_pack_nameless *files)
{
	if (!files)
		return;
	sink_release(&files->pack);
	sink_release(&files->index);
	free(files->dir);
	free(files->base);
	free(files);
}

/* The index comes last: with it the pack is seen. */
static int name_all(struct pn_pack *out, struct pn_pack_nameless *files,
		    struct pn_error *err)
{
	struct pn_buf path = {0};
	int code = pn_pack_keep(&out->keep, &out->keep_fd, files->base,
				files->dir, files->shared, err);

	if (!code)
		code = sink_rename(&files->pack, files->base, ".pack",
				   files->shared, err);
	if (code)
		return code;
	pn_buf_printf(&path, "%s.pack", files->base);
	code = sink_rename(&files->index, files->base, ".idx", files->shared,
			   err);
	if (code) {
		unlink(pn_buf_text(&path));
		pn_buf_release(&path);
		return code;
	}
	out->path = pn_buf_detach(&path);
	return 0;
}

static int write_both(struct sink *pack, struct sink *index,
		      unsigned char sum[SHA_BYTES],
		      const struct pn_object *objects, size_t count,
		      const struct pn_pack_join *join, struct pn_error *err)
{
	struct pn_pack_index_entry *indexed =
		pn_calloc(count + join->count, sizeof(*indexed));
	unsigned char own_sum[SHA_BYTES];
	int code;

	pn_buf_add(&pack->buf, "PACK", 4);
	add_be32(&pack->buf, 2);
	add_be32(&pack->buf, (uint32_t)(count + join->count));
	code = write_objects(indexed, pack, objects, count, err);
	if (!code)
		code = write_parts(indexed + count, pack, join, err);
	if (!code)
		code = sink_end(sum, pack, err);
	if (!code) {
		count += join->count;
		qsort(indexed, count, sizeof(*indexed), by_id);
		fill_index(&index->buf, indexed, count, sum);
		code = sink_end(own_sum, index, err);
	}
	free(indexed);
	return code;
}

/* The folder of packs. git makes it with the repository and leaves it there;
 * where it is not, it has a name to be synced, too. */
static int pack_folder(char **out, struct pn_repo *repo, int shared,
		       struct pn_error *err)
{
	struct pn_buf dir = {0};
	int code = 0;

	pn_buf_printf(&dir, "%s/objects/pack", repo->common_dir);
	if (access(pn_buf_text(&dir), F_OK)) {
		code = pn_file_make_dirs(pn_buf_text(&dir), err);
		if (!code)
			code = pn_shared_apply(pn_buf_text(&dir), shared, err);
		if (!code && pn_file_sync_folder_of(pn_buf_text(&dir)))
			code = pn_error_system(err, "cannot sync '%s/objects'",
					       repo->common_dir);
	}
	*out = pn_buf_detach(&dir);
	return code;
}

/* What dead writers left, and the small packs to be taken in. */
static void look_around(struct pn_pack_join *out, const struct pn_repo *repo,
			const char *dir, const struct pn_object *objects,
			size_t count)
{
	struct pn_pack_names names = {0};

	pn_pack_names_read(&names, dir, PN_PACK_MARK);
	pn_pack_sweep(&names, dir);
	pn_pack_join_sweep(repo);
	pn_pack_join_read(out, &names, dir, objects, count);
	pn_pack_join_deltas(out, repo);
	pn_pack_names_release(&names);
}

static void note_parts(struct pn_pack *out, const struct pn_pack_join *join)
{
	size_t i;

	for (i = 0; i < join->part_count; i++)
		if (join->parts[i].base)
			pn_buf_add(&out->joined, join->parts[i].base,
				   strlen(join->parts[i].base) + 1);
}

static int write_nameless(struct pn_pack_nameless *files,
			  const struct pn_object *objects, size_t count,
			  const struct pn_pack_join *join, struct pn_error *err)
{
	unsigned char sum[SHA_BYTES];
	int code = sink_open(&files->pack, files->dir, "tmp_pack_", err);

	if (!code)
		code = sink_open(&files->index, files->dir, "tmp_idx_", err);
	if (!code)
		code = write_both(&files->pack, &files->index, sum, objects,
				  count, join, err);
	if (!code)
		code = sink_wait(&files->pack, err);
	if (!code)
		code = sink_wait(&files->index, err);
	if (!code)
		files->base = base_name(files->dir, sum);
	return code;
}

int pn_pack_prepare(struct pn_pack *out, struct pn_repo *repo,
		    const struct pn_object *objects, size_t count, bool sync,
		    bool join, struct pn_error *err)
{
	struct pn_pack_nameless *files = pn_calloc(1, sizeof(*files));
	struct pn_pack_join parts = {0};
	int code;

	files->pack.fd = files->index.fd = -1;
	code = pn_shared_mode(&files->shared, repo, err);
	if (!code)
		code = pack_folder(&files->dir, repo, files->shared, err);
	if (!code && join)
		look_around(&parts, repo, files->dir, objects, count);
	if (!code)
		code = write_nameless(files, objects, count, &parts, err);
	if (!code) {
		note_parts(out, &parts);
		files->sync = sync || !is_with_refs(repo, files->index.fd);
		out->nameless = files;
	} else {
		nameless_free(files);
	}
	pn_pack_join_release(&parts);
	return code;
}

int pn_pack_name(struct pn_pack *pack, struct pn_error *err)
{
	struct pn_pack_nameless *files = pack->nameless;
	int code = name_all(pack, files, err);

	if (!code && files->sync)
		code = sync_names(&files->index, files->dir, err);
	nameless_free(files);
	pack->nameless = NULL;
	return code;
}

int pn_pack_write(struct pn_pack *out, struct pn_repo *repo,
		  const struct pn_object *objects, size_t count, bool sync,
		  bool join, struct pn_error *err)
{
	int code = pn_pack_prepare(out, repo, objects, count, sync, join, err);

	if (!code)
		code = pn_pack_name(out, err);
	if (!code)
		pn_stored_refresh(repo);
	return code;
}

static void remove_joined(const char *base)
{
	/* without its index nobody looks for it; .rev is git's own */
	static const char *const ends[] = {".idx", ".rev", ".pack"};
	struct pn_buf path = {0};
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s%s", base, ends[i]);
		unlink(pn_buf_text(&path));
	}
	pn_buf_release(&path);
}

/* A gc that reads packs fails when one of them goes; what it leaves of its pid
 * when it is killed counts for 12 hours, as it does for git. */
static bool is_gc_under_way(const char *base)
{
	struct pn_buf path = {0};
	struct stat st;
	bool found;

	pn_buf_printf(&path, "%.*s../../gc.pid",
		      (int)(pn_file_basename(base) - base), base);
	found = !stat(pn_buf_text(&path), &st) &&
		st.st_mtime + GC_STALE_S > time(NULL);
	pn_buf_release(&path);
	return found;
}

void pn_pack_published(struct pn_pack *pack)
{
	const char *base = pn_buf_text(&pack->joined);
	const char *end = base + pack->joined.len;

	/* the next writer takes them out when this one does not */
	if (pack->joined.len && is_gc_under_way(base))
		end = base;
	for (; base < end; base += strlen(base) + 1)
		remove_joined(base);
	pn_buf_clear(&pack->joined);
}

void pn_pack_release(struct pn_pack *pack)
{
	nameless_free(pack->nameless);
	if (pack->keep) {
		unlink(pack->keep);
		close(pack->keep_fd);
	}
	free(pack->keep);
	free(pack->path);
	pn_buf_release(&pack->joined);
	memset(pack, 0, sizeof(*pack));
}

void pn_pack_discard(struct pn_pack *pack)
{
	char *base = pack->path
			     ? pn_strndup(pack->path,
					  strlen(pack->path) - strlen(".pack"))
			     : NULL;

	if (base)
		remove_joined(base);
	free(base);
	pn_pack_release(pack);
}
