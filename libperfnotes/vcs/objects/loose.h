/* Inside of vcs/ only: objects that are a file each. */
#ifndef PN_OBJECTS_LOOSE_H
#define PN_OBJECTS_LOOSE_H

#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stdint.h>

struct pn_stored;

/* Which second bytes the ids of the files in one of objects/00 to ff have, a
 * bit each. */
struct pn_loose_folder {
	bool asked, listed; /* listed when it is asked for again */
	unsigned char seconds[32];
};

/*
 * Whether there may be a file of an object. Most objects are in packs, and to
 * look for the file of each takes a fifth of the time of a log. What others
 * write after the look libgit2 reads.
 */
bool pn_loose_may_be(struct pn_repo *repo, const struct pn_oid *oid);

/* Whether there is one, or that cannot be told. */
bool pn_loose_has(struct pn_repo *repo, const struct pn_oid *oid);

/*
 * pn_stored_read from a loose file, which costs half of what libgit2 takes:
 * that opens and inflates each file twice. 1: read. 0: there is no such file.
 * PN_EINVAL: there is one, and it is not such an object.
 */
int pn_loose_read(struct pn_stored *out, struct pn_repo *repo,
		  const struct pn_oid *oid, const char *type, uint64_t limit);

#endif
