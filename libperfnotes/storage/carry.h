/* Entries that follow a commit when it is rewritten. */
#ifndef PN_STORAGE_CARRY_H
#define PN_STORAGE_CARRY_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stddef.h>

struct pn_rewrite {
	struct pn_oid old, now;
};

/*
 * Where the new commit has the tree of the old one, what was measured of that
 * is true of this: each live entry of `old` is copied, with from=<its id>.
 * What `now` has already, or had and was removed from it, is not copied again.
 * In order, so that of a -> b and b -> c both copies come about. A commit
 * that is not there (any more) is passed over. One commit of the notes ref,
 * none when *copied is 0.
 */
int pn_store_carry(size_t *copied, struct pn_repo *repo,
		   const struct pn_rewrite *list, size_t count,
		   struct pn_error *err);

#endif
