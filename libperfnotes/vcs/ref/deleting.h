/* Inside of vcs/ only: git while it takes refs out. */
#ifndef PN_REF_DELETING_H
#define PN_REF_DELETING_H

#include "vcs/repo.h"

/*
 * git locks packed-refs for it, and is stopped by that lock from then on where
 * it was killed meanwhile. So the file <common dir>/perf/refs, locked by
 * flock(2), says before that one of ours is at it: whoever finds that of a dead
 * one removes a lock that is no older, nor more than 10 minutes younger, and
 * stays what it is for 5 s, in which nobody writes packed refs. Any other is
 * left alone. Best effort: what cannot be written is not said.
 */
struct pn_refs_deleting {
	int fd; /* -1: another one says it, or nobody */
};

void pn_refs_deleting_begin(struct pn_refs_deleting *out, struct pn_repo *repo);
void pn_refs_deleting_end(struct pn_refs_deleting *deleting);

#endif
