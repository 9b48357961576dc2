/*
 * Inside of vcs/ only: objects that a repository certainly does not have. Most
 * of what a batch writes is new, and to say so of one object libgit2 looks for
 * its file and words two errors; the packs' indexes and a list of each folder
 * of loose files say it of all.
 */
#ifndef PN_OBJECTS_ABSENT_H
#define PN_OBJECTS_ABSENT_H

#include "base/oid.h"
#include "vcs/objects/pack_index.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_absent {
	bool known; /* else nothing is certain */
	struct pn_pack_index *packs;
	size_t count, cap;
};

/* `asked`: of how many objects it will be asked; of few it is not worth a
 * look. Neither are alternates looked at: with them nothing is certain. */
void pn_absent_open(struct pn_absent *out, struct pn_repo *repo, size_t asked);
/* Takes a zeroed one. */
void pn_absent_release(struct pn_absent *absent);

/* What others write meanwhile may be said to be absent. */
bool pn_absent_is(const struct pn_absent *absent, struct pn_repo *repo,
		  const struct pn_oid *id);

#endif
