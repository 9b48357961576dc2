/*
 * Inside of vcs/ only: short objects of packs that others are told by, or may
 * be: git makes chains of up to 50 deltas of the notes of a history, and each
 * note of a chain is inflated once however many are read.
 */
#ifndef PN_OBJECTS_PACKED_BASES_H
#define PN_OBJECTS_PACKED_BASES_H

#include "base/buf.h"
#include "vcs/objects/packed_entry.h"

#include <stddef.h>

#define PN_PACKED_BASE_MAX 16384 /* bytes of one that is kept */
/* Of all: more would be fetched from memory, not from the processor's cache,
 * and what a chain begins with lies near to what ends it. */
#define PN_PACKED_BASES_BYTES ((size_t)1 << 20)

struct pn_packed_base;

/* A zeroed struct is empty. */
struct pn_packed_bases {
	struct pn_packed_base *slots;
	unsigned char *room;
	size_t bytes; /* in it */
};

void pn_packed_bases_release(struct pn_packed_bases *bases);
/* What was kept of an entry, if it has that type, until the next call of keep;
 * NULL: nothing. It may have been found in another map of the pack. */
const struct pn_buf *pn_packed_bases_find(const struct pn_packed_bases *bases,
					  const struct pn_packed_entry *entry,
					  unsigned int type);
/* Keeps a copy. All that was kept may have to go. */
void pn_packed_bases_keep(struct pn_packed_bases *bases,
			  const struct pn_packed_entry *entry,
			  unsigned int type, const struct pn_buf *bytes);

#endif
