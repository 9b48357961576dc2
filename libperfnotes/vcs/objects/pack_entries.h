/*
 * Inside of vcs/ only: objects as the entries of a pack, gitformat-pack(5),
 * deflated by as many threads as there are processors. Short blobs, which are
 * notes, become deltas of one before them where these are much shorter. The
 * bytes and their order do not depend on the threads.
 */
#ifndef PN_OBJECTS_PACK_ENTRIES_H
#define PN_OBJECTS_PACK_ENTRIES_H

#include "base/buf.h"
#include "vcs/objects/objects.h"

#include <stddef.h>
#include <stdint.h>

/* What the pack's index says of an entry. */
struct pn_pack_entry {
	size_t len; /* of the entry in the pack */
	uint32_t crc;
};

struct pn_pack_entries;

/* Borrows the objects until free. Threads start at once. */
struct pn_pack_entries *pn_pack_entries_new(const struct pn_object *objects,
					    size_t count);

/*
 * The next objects [*from, *to), one behind the other, in order; NULL at the
 * end. entries[i] is of object i. Both live until the next call. At most some
 * 10 MB wait, more where single objects are larger.
 */
const struct pn_buf *pn_pack_entries_next(size_t *from, size_t *to,
					  const struct pn_pack_entry **entries,
					  struct pn_pack_entries *all);
void pn_pack_entries_free(struct pn_pack_entries *all);

#endif
