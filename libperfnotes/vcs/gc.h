/* git-gc(1) beside a writer. */
#ifndef PN_VCS_GC_H
#define PN_VCS_GC_H

#include "vcs/repo.h"

/*
 * Wait until a `git gc` has ended that takes young objects, too: one with
 * --prune=<date>, or of a repository with gc.pruneExpire. It looks at the refs
 * once, and deletes what these did not reach long after, so that objects whose
 * ref moved in between may be there now and gone later. One that begins after
 * the ref moved does no harm, and by default only objects of two weeks go:
 * nobody waits for such. Gives up after two minutes.
 */
void pn_gc_wait(struct pn_repo *repo);

#endif
