/*
 * Inside of vcs/ only: objects that a repository certainly does not have. Most
 * of what is written is new, and to say so of one object libgit2 looks for its
 * file and words two errors; the packs' indexes and its file say it, too.
 */
#ifndef PN_OBJECTS_ABSENT_H
#define PN_OBJECTS_ABSENT_H

#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* What others wrote since the packs were listed may be said to be absent. With
 * alternates nothing is certain. */
bool pn_absent_is(struct pn_repo *repo, const struct pn_oid *id);

#endif
