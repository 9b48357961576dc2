/*
 * Inside of vcs/ only: small packs of ours whose entries go on in a new one,
 * byte for byte. A delta names its base by the distance before it or by its
 * id, so that what lies behind the head of a pack can stand anywhere.
 */
#ifndef PN_OBJECTS_PACK_JOIN_H
#define PN_OBJECTS_PACK_JOIN_H

#include "base/buf.h"
#include "vcs/objects/pack.h"

#include <stddef.h>
#include <stdint.h>

#define PN_PACK_HEAD 12 /* "PACK", version, count */
/* So many packs of ours are left alone; git-gc(1) --auto begins at 50. */
#define PN_PACK_JOIN_MIN 8
/* Fewer are not worth a run of git, unless there are many in all. */
#define PN_PACK_JOIN_PARTS 4
#define PN_PACK_JOIN_MANY 24
#define PN_PACK_JOIN_BYTES (8u << 20) /* larger ones are left alone */

/* Where an object lies, for an index. */
struct pn_pack_index_entry {
	const struct pn_oid *id;
	uint64_t offset;
	uint32_t crc;
};

/* One pack that is taken in. */
struct pn_pack_part {
	char *base; /* path without ".pack" and ".idx"; NULL: a new one */
	struct pn_buf pack, index;
	size_t count; /* 0: all it has is in the new one already */
};

struct pn_pack_join {
	struct pn_pack_part *parts;
	size_t part_count, part_cap;
	size_t count; /* objects of all parts */
};

/* False: it is damaged, has more than `limit` bytes, or is not there. */
bool pn_pack_part_read(struct pn_pack_part *part, const char *base,
		       uint64_t limit);
const struct pn_oid *pn_pack_part_id(const struct pn_pack_part *part, size_t i);
/* Where it begins in the pack. */
uint32_t pn_pack_part_offset(const struct pn_pack_part *part, size_t i);
void pn_pack_part_release(struct pn_pack_part *part);

/*
 * Choose and read: the smallest ones, as long as each is smaller than twice
 * what is before it or than a block, so that a byte is copied some ten times in
 * the life of a repository. None where there are few, or a multi-pack-index
 * names them. Passed over: those with a .keep, that are damaged, or that have
 * some objects of the new pack (with all of them they go). Never fails.
 */
void pn_pack_join_read(struct pn_pack_join *out,
		       const struct pn_pack_names *names, const char *dir,
		       const struct pn_object *objects, size_t count);
/* Have git tell their objects by each other (pack_deltas.c). Where it cannot,
 * the parts stay what they are. */
void pn_pack_join_deltas(struct pn_pack_join *join, const struct pn_repo *repo);
/* Remove what such a writer left that was killed. */
void pn_pack_join_sweep(const struct pn_repo *repo);
/* Append the entries of a part that begins at `offset` of the new pack, and
 * write what the index says of them. */
void pn_pack_join_add(struct pn_buf *out, struct pn_pack_index_entry *indexed,
		      const struct pn_pack_part *part, uint64_t offset);
void pn_pack_join_release(struct pn_pack_join *join);

#endif
