/* Small packs of ours in a new one, gitformat-pack(5). */
#include "vcs/objects/pack_join.h"

#include "base/alloc.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/hash.h"
#include "vcs/objects/oidmap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUM_BYTES 20
#define INDEX_HEAD (8 + 256 * 4)
#define INDEX_ENTRY (PN_OID_BYTES + 4 + 4) /* id, CRC, offset */
#define INDEX_MAX (64u << 20)
#define BLOCK_BYTES 4096 /* which a smaller pack takes on the disk, too */

struct candidate {
	char *base;
	uint64_t size;
};

struct candidates {
	struct candidate *items;
	size_t count, cap;
};

static void consider(struct candidates *all, const char *dir, const char *name)
{
	size_t len = strlen(name) - strlen(".idx");
	struct pn_buf path = {0};
	struct stat st;
	char *base;

	pn_buf_printf(&path, "%s/%.*s", dir, (int)len, name);
	base = pn_strdup(pn_buf_text(&path));
	pn_buf_add_text(&path, ".pack");
	if (stat(pn_buf_text(&path), &st) || st.st_size < PN_PACK_HEAD ||
	    (uint64_t)st.st_size > PN_PACK_JOIN_BYTES) {
		free(base);
	} else {
		all->items = pn_grow(all->items, &all->cap, all->count + 1,
				     sizeof(*all->items));
		all->items[all->count].base = base;
		all->items[all->count++].size = (uint64_t)st.st_size;
	}
	pn_buf_release(&path);
}

/* A .keep comes before its pack and never comes back. */
static bool is_candidate(const struct pn_pack_names *names, const char *name)
{
	return pn_file_ends_with(name, ".idx") &&
	       !pn_pack_names_have(names, name, ".keep");
}

static void list(struct candidates *out, const struct pn_pack_names *names,
		 const char *dir)
{
	struct pn_buf midx = {0};
	size_t i, count = 0;

	for (i = 0; i < names->count; i++)
		count += is_candidate(names, names->items[i]);
	pn_buf_printf(&midx, "%s/multi-pack-index", dir);
	if (count >= PN_PACK_JOIN_MIN && access(pn_buf_text(&midx), F_OK))
		for (i = 0; i < names->count; i++)
			if (is_candidate(names, names->items[i]))
				consider(out, dir, names->items[i]);
	pn_buf_release(&midx);
}

static int by_size(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return x->size < y->size ? -1 : x->size > y->size;
}

static bool has_sum(const struct pn_buf *bytes)
{
	struct pn_hash_sha1 *hash = pn_hash_sha1_new();
	unsigned char sum[SUM_BYTES];
	size_t len = bytes->len - SUM_BYTES;

	pn_hash_sha1_add(hash, bytes->data, len);
	pn_hash_sha1_end(sum, hash);
	return !memcmp(sum, bytes->data + len, SUM_BYTES);
}

uint32_t pn_pack_part_offset(const struct pn_pack_part *part, size_t i)
{
	return pn_bytes_big_four(part->index.data + INDEX_HEAD +
				 part->count * (PN_OID_BYTES + 4) + 4 * i);
}

/* Both are whole and belong together; the index has short offsets only, as
 * packs of this size have. */
static bool is_sound(struct pn_pack_part *part)
{
	const struct pn_buf *pack = &part->pack, *index = &part->index;
	size_t i;

	if (pack->len < PN_PACK_HEAD + SUM_BYTES ||
	    index->len < INDEX_HEAD + 2 * SUM_BYTES ||
	    memcmp(pack->data, "PACK\0\0\0\2", 8) ||
	    memcmp(index->data, "\377tOc\0\0\0\2", 8))
		return false;
	part->count = pn_bytes_big_four(pack->data + 8);
	if (!part->count ||
	    pn_bytes_big_four(index->data + INDEX_HEAD - 4) != part->count ||
	    index->len !=
		    INDEX_HEAD + part->count * INDEX_ENTRY + 2 * SUM_BYTES ||
	    memcmp(index->data + index->len - 2 * SUM_BYTES,
		   pack->data + pack->len - SUM_BYTES, SUM_BYTES) ||
	    !has_sum(pack) || !has_sum(index))
		return false;
	for (i = 0; i < part->count; i++) {
		uint32_t offset = pn_pack_part_offset(part, i);

		if (offset < PN_PACK_HEAD || offset >= pack->len - SUM_BYTES)
			return false;
	}
	return true;
}

bool pn_pack_part_read(struct pn_pack_part *part, const char *base,
		       uint64_t limit)
{
	struct pn_buf path = {0};
	bool good;

	pn_buf_printf(&path, "%s.pack", base);
	good = !pn_file_read(&part->pack, pn_buf_text(&path), limit, NULL);
	pn_buf_clear(&path);
	pn_buf_printf(&path, "%s.idx", base);
	good = good &&
	       !pn_file_read(&part->index, pn_buf_text(&path), INDEX_MAX, NULL);
	pn_buf_release(&path);
	return good && is_sound(part);
}

const struct pn_oid *pn_pack_part_id(const struct pn_pack_part *part, size_t i)
{
	return (const struct pn_oid *)(part->index.data + INDEX_HEAD) + i;
}

void pn_pack_part_release(struct pn_pack_part *part)
{
	free(part->base);
	pn_buf_release(&part->pack);
	pn_buf_release(&part->index);
}

/* A pack has each object once. */
static void take(struct pn_pack_join *join, struct pn_oidmap *known,
		 const char *base)
{
	struct pn_pack_part part = {0};
	size_t i, twice = 0;

	if (!pn_pack_part_read(&part, base, PN_PACK_JOIN_BYTES)) {
		pn_pack_part_release(&part);
		return;
	}
	for (i = 0; i < part.count; i++)
		twice += pn_oidmap_find(known, pn_pack_part_id(&part, i)) !=
			 PN_OIDMAP_NONE;
	if (twice && twice < part.count) {
		pn_pack_part_release(&part);
		return;
	}
	if (twice)
		part.count = 0;
	for (i = 0; i < part.count; i++)
		pn_oidmap_add(known, pn_pack_part_id(&part, i));
	part.base = pn_strdup(base);
	join->parts = pn_grow(join->parts, &join->part_cap,
			      join->part_count + 1, sizeof(*join->parts));
	join->parts[join->part_count++] = part;
	join->count += part.count;
}

void pn_pack_join_read(struct pn_pack_join *out,
		       const struct pn_pack_names *names, const char *dir,
		       const struct pn_object *objects, size_t count)
{
	struct candidates all = {0};
	struct pn_oidmap known = {0};
	uint64_t bytes = PN_PACK_HEAD;
	size_t i;

	list(&all, names, dir);
	if (all.count)
		qsort(all.items, all.count, sizeof(*all.items), by_size);
	for (i = 0; i < count && all.count >= PN_PACK_JOIN_MIN; i++) {
		pn_oidmap_add(&known, &objects[i].id);
		bytes += objects[i].len;
	}
	for (i = 0; i < all.count; i++) {
		if (all.count >= PN_PACK_JOIN_MIN &&
		    (all.items[i].size < 2 * bytes ||
		     all.items[i].size <= BLOCK_BYTES)) {
			take(out, &known, all.items[i].base);
			bytes += all.items[i].size;
		}
		free(all.items[i].base);
	}
	if (out->part_count < PN_PACK_JOIN_PARTS &&
	    all.count < PN_PACK_JOIN_MANY)
		pn_pack_join_release(out);
	free(all.items);
	pn_oidmap_release(&known);
}

void pn_pack_join_add(struct pn_buf *out, struct pn_pack_index_entry *indexed,
		      const struct pn_pack_part *part, uint64_t offset)
{
	const unsigned char *crcs;
	size_t i;

	if (!part->count)
		return;
	crcs = part->index.data + INDEX_HEAD + part->count * PN_OID_BYTES;
	pn_buf_add(out, part->pack.data + PN_PACK_HEAD,
		   part->pack.len - PN_PACK_HEAD - SUM_BYTES);
	for (i = 0; i < part->count; i++) {
		indexed[i].id = pn_pack_part_id(part, i);
		indexed[i].offset =
			offset - PN_PACK_HEAD + pn_pack_part_offset(part, i);
		indexed[i].crc = pn_bytes_big_four(crcs + 4 * i);
	}
}

void pn_pack_join_release(struct pn_pack_join *join)
{
	size_t i;

	for (i = 0; i < join->part_count; i++)
		pn_pack_part_release(&join->parts[i]);
	free(join->parts);
	memset(join, 0, sizeof(*join));
}
