/* Inside of vcs/ only: git while it takes refs out. */
#ifndef PN_REF_DELETING_H
#define PN_REF_DELETING_H

#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <time.h>

/*
 * git locks packed-refs for it, and is stopped by that lock from then on where
 * it was killed meanwhile. So the file <common dir>/perf/refs, locked by
 * flock(2), says before that one of ours is at it: git inherits it, so that
 * nobody gets the lock while either is alive. Whoever finds what a dead one
 * said waits for a lock that is no older, nor more than 10 minutes younger, and
 * removes it, with what git had written so far, when it is there for 15 s,
 * longer than a git needs it, and has stayed what it is for 5 s; with a hook
 * `reference-transaction`, which git runs with the lock held, for a minute. Any
 * other is left alone: it may be that of a git that the user started. So is
 * each where the patience of the repository does not last so long. Best effort:
 * what cannot be written is not said.
 */
struct pn_refs_deleting {
	int fd;	     /* -1: another one says it, or nobody */
	bool stands; /* what a dead one said, for who comes later */
};

/* PN_ESTOPPED while it waited. */
int pn_refs_deleting_begin(struct pn_refs_deleting *out, struct pn_repo *repo,
			   struct pn_error *err);
/* `status` is git's, as of pn_process_wait. */
void pn_refs_deleting_end(struct pn_refs_deleting *deleting, int status);

/* The same of one that is known to be dead and was about to change refs at that
 * time. PN_ESTOPPED. */
int pn_refs_clear_packed(struct pn_repo *repo, const struct timespec *said,
			 struct pn_error *err);

#endif
