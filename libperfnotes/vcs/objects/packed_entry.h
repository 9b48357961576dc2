/* Inside of vcs/objects/ only: where an object begins in a pack. */
#ifndef PN_OBJECTS_PACKED_ENTRY_H
#define PN_OBJECTS_PACKED_ENTRY_H

#include "base/buf.h"
#include "vcs/objects/packed.h"

#define PN_PACK_HEAD 12 /* "PACK", version, count */

struct pn_inflate_whole;

/* One object of a pack, or a delta: what tells its bytes, and what it may
 * reach to. */
struct pn_packed_entry {
	const unsigned char *pack; /* from its beginning */
	const char *base;	   /* of the pack's path */
	uint64_t offset;
	const unsigned char *at, *end;
	unsigned int type;
	size_t size;		       /* inflated */
	const struct pn_buf *inflated; /* NULL: not yet */
};

/* False: no pack has it, or that cannot be told. */
bool pn_packed_find(struct pn_packed_entry *out, struct pn_repo *repo,
		    const struct pn_oid *oid);
/* The same, for a thread that has these to itself: no lock is taken, and they
 * were asked of this repository only. */
bool pn_packed_find_in(struct pn_packed_entry *out, struct pn_packed_files *all,
		       const struct pn_repo *repo, const struct pn_oid *oid);
/* entry->pack and entry->end say which pack it is of. */
bool pn_packed_entry_open(struct pn_packed_entry *entry, uint64_t offset);
/* How far before a delta its base begins; entry->at goes on to its bytes. */
bool pn_packed_entry_distance(uint64_t *out, struct pn_packed_entry *entry);
/* Append the object, or delta, in one piece and with a NUL behind it. */
bool pn_packed_entry_inflate(struct pn_buf *out,
			     const struct pn_packed_entry *entry,
			     uint64_t limit, struct pn_inflate_whole *whole);
/* All files; nobody reads, and the lock is held where somebody could. */
void pn_packed_close(struct pn_packed_files *all);

#endif
