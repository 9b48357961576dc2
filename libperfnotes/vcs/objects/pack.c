/*
 * Many objects as one pack and its index, gitformat-pack(5), version 2 of
 * both. No deltas: git makes them when it packs again. Writing the index
 * beside the pack saves the second inflate and hash of git_odb_write_pack.
 */
#include "base/alloc.h"
#include "base/file.h"
#include "base/hash.h"
#include "vcs/git.h"
#include "vcs/objects/objects.h"
#include "vcs/objects/pack_entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FLUSH_BYTES (1u << 20)
#define SHA_BYTES 20
#define OFFSET_LARGE 0x80000000u /* from here an offset has 64 bits */

/* Where an object lies, for the index. */
struct place {
	const struct pn_oid *id;
	uint64_t offset;
	uint32_t crc;
};

/* A file that ends in the SHA-1 of its own bytes. */
struct sink {
	int fd;
	char *tmp;
	struct pn_buf buf;
	struct pn_hash_sha1 *hash;
	uint64_t written;
};

static int sink_open(struct sink *out, struct pn_repo *repo, const char *name,
		     struct pn_error *err)
{
	struct pn_buf prefix = {0};
	int code;

	pn_buf_printf(&prefix, "%s/objects/pack/%s", repo->common_dir, name);
	code = pn_git_temporary(&out->fd, &out->tmp, pn_buf_text(&prefix), err);
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

/* The checksum, and everything on the disk. */
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
	if (!code && fsync(sink->fd))
		code = pn_error_system(err, "cannot write '%s'", sink->tmp);
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

static int write_objects(struct place *places, struct sink *pack,
			 const struct pn_object *objects, size_t count,
			 struct pn_error *err)
{
	struct pn_pack_entries *all = pn_pack_entries_new(objects, count);
	const struct pn_pack_entry *entries;
	const struct pn_buf *bytes;
	size_t from, to, i;
	uint64_t offset;
	int code = 0;

	pn_buf_add(&pack->buf, "PACK", 4);
	add_be32(&pack->buf, 2);
	add_be32(&pack->buf, (uint32_t)count);
	while (!code &&
	       (bytes = pn_pack_entries_next(&from, &to, &entries, all))) {
		offset = pack->written + pack->buf.len;
		for (i = from; i < to; i++) {
			places[i].id = &objects[i].id;
			places[i].offset = offset;
			places[i].crc = entries[i].crc;
			offset += entries[i].len;
		}
		pn_buf_add(&pack->buf, bytes->data, bytes->len);
		if (pack->buf.len > FLUSH_BYTES)
			code = sink_flush(pack, err);
	}
	pn_pack_entries_free(all);
	return code;
}

static int by_id(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	return pn_oid_cmp(x->id, y->id);
}

static void add_offsets(struct pn_buf *out, const struct place *places,
			size_t count)
{
	uint32_t large = 0;
	size_t i;

	for (i = 0; i < count; i++)
		add_be32(out, places[i].offset < OFFSET_LARGE
				      ? (uint32_t)places[i].offset
				      : OFFSET_LARGE | large++);
	for (i = 0; large && i < count; i++)
		if (places[i].offset >= OFFSET_LARGE) {
			add_be32(out, (uint32_t)(places[i].offset >> 32));
			add_be32(out, (uint32_t)places[i].offset);
		}
}

static void fill_index(struct pn_buf *out, const struct place *places,
		       size_t count, const unsigned char sum[SHA_BYTES])
{
	unsigned int byte;
	size_t i = 0;

	pn_buf_add(out, "\377tOc", 4);
	add_be32(out, 2);
	for (byte = 0; byte < 256; byte++) {
		while (i < count && places[i].id->bytes[0] <= byte)
			i++;
		add_be32(out, (uint32_t)i);
	}
	for (i = 0; i < count; i++)
		pn_buf_add(out, places[i].id->bytes, PN_OID_BYTES);
	for (i = 0; i < count; i++)
		add_be32(out, places[i].crc);
	add_offsets(out, places, count);
	pn_buf_add(out, sum, SHA_BYTES);
}

static int sink_rename(struct sink *sink, const char *path, int shared,
		       struct pn_error *err)
{
	int code = pn_git_share(sink->tmp, shared, err);

	if (code)
		return code;
	if (rename(sink->tmp, path))
		return pn_git_system(err, "create", path);
	free(sink->tmp);
	sink->tmp = NULL;
	return 0;
}

/* The index comes last: with it the pack is seen. A pack's name is its
 * checksum, as git names it. */
static int name_both(char **out, struct sink *pack, struct sink *index,
		     struct pn_repo *repo, const unsigned char sum[SHA_BYTES],
		     int shared, struct pn_error *err)
{
	struct pn_buf dir = {0}, path = {0}, pack_path = {0};
	char hex[PN_OID_HEX + 1];
	struct pn_oid name;
	int code;

	memcpy(name.bytes, sum, SHA_BYTES);
	pn_oid_hex(hex, &name);
	pn_buf_printf(&dir, "%s/objects/pack", repo->common_dir);
	pn_buf_printf(&path, "%s/pack-%s.idx", pn_buf_text(&dir), hex);
	pn_buf_printf(&pack_path, "%s/pack-%s.pack", pn_buf_text(&dir), hex);
	code = sink_rename(pack, pn_buf_text(&pack_path), shared, err);
	if (!code) {
		code = sink_rename(index, pn_buf_text(&path), shared, err);
		if (code)
			unlink(pn_buf_text(&pack_path));
	}
	if (!code)
		code = pn_git_sync_dir(pn_buf_text(&dir), err);
	if (!code)
		*out = pn_buf_detach(&pack_path);
	pn_buf_release(&dir);
	pn_buf_release(&path);
	pn_buf_release(&pack_path);
	return code;
}

int pn_pack_write(char **path, struct pn_repo *repo,
		  const struct pn_object *objects, size_t count,
		  struct pn_error *err)
{
	struct place *places = pn_calloc(count, sizeof(*places));
	struct sink pack = {.fd = -1}, index = {.fd = -1};
	unsigned char sum[SHA_BYTES], own_sum[SHA_BYTES];
	int shared = 0, code;

	code = pn_git_shared(&shared, repo, err);
	if (!code)
		code = sink_open(&pack, repo, "tmp_pack_", err);
	if (!code)
		code = sink_open(&index, repo, "tmp_idx_", err);
	if (!code)
		code = write_objects(places, &pack, objects, count, err);
	if (!code)
		code = sink_end(sum, &pack, err);
	if (!code) {
		qsort(places, count, sizeof(*places), by_id);
		fill_index(&index.buf, places, count, sum);
		code = sink_end(own_sum, &index, err);
	}
	if (!code)
		code = name_both(path, &pack, &index, repo, sum, shared, err);
	if (!code)
		git_odb_refresh(repo->odb);
	sink_release(&pack);
	sink_release(&index);
	free(places);
	return code;
}
