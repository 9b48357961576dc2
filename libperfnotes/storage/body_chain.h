/* What lines say that bodies build on, before any of them is here. */
#ifndef PN_STORAGE_BODY_CHAIN_H
#define PN_STORAGE_BODY_CHAIN_H

#include "base/buf.h"
#include "base/oid.h"
#include "model/entry.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

/* False: the body of this line builds on none. */
bool pn_body_chain_base(struct pn_oid *base, const struct pn_entry *entry);

/*
 * Append the ids (20 bytes) of the chains below these bodies to `out`, some of
 * them twice, by a walk over the notes, the first 50,000 at most, with 40 bytes
 * of memory for each line that names a base. They are what to ask for, not what
 * to believe: what a body builds on it says itself, and a line may say
 * anything. Of notes that cannot be read it is nothing.
 */
void pn_body_chain_told(struct pn_buf *out, struct pn_repo *repo,
			const struct pn_oid *bodies, size_t count);

#endif
