/* Inside of vcs/ only: what a git of ours locks while it is at work. */
#ifndef PN_VCS_CHILD_LOCK_H
#define PN_VCS_CHILD_LOCK_H

#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <time.h>

enum pn_child_locked {
	PN_CHILD_REFS,	/* packed-refs, while git takes refs out */
	PN_CHILD_CONFIG /* the configuration, while git changes it */
};

/* Run with locks of refs held, and for as long at most while git is at work. */
#define PN_CHILD_HOOK "reference-transaction"
#define PN_CHILD_HOOKED_S 60

/*
 * git is stopped by that lock from then on where it was killed meanwhile. So
 * the file <common dir>/perf/refs (or config), locked by flock(2), says before
 * that one of ours is at it: git inherits it, so that nobody gets the lock
 * while either is alive. Whoever finds what a dead one said waits for a lock
 * that is no older, nor more than 10 minutes younger, and removes it, with what
 * git had written so far (or that alone: git tells its users to remove the
 * lock), when it has stayed what it is for 5 s and is of an age at which no git
 * holds it any more: 15 s, or a minute with a hook `reference-transaction`,
 * which git runs with the lock held; 5 s of the configuration's. Any other is
 * left alone: it may be that of a git that the
 * user started. So is each where the patience of the repository does not last
 * so long. Best effort: what cannot be written is not said.
 */
struct pn_child_lock {
	struct pn_repo *repo;
	enum pn_child_locked what;
	int fd;	     /* -1: another one says it, or nobody */
	bool stands; /* what a dead one said, for who comes later */
};

/* PN_ESTOPPED while it waited. */
int pn_child_lock_begin(struct pn_child_lock *out, struct pn_repo *repo,
			enum pn_child_locked what, struct pn_error *err);
/* `status` is git's, as of pn_process_wait. */
void pn_child_lock_end(struct pn_child_lock *lock, int status);

/* Whether a git of ours is that is alive. */
bool pn_child_lock_is_held(struct pn_repo *repo, enum pn_child_locked what);

/* The same of packed-refs and one that is known to be dead and was about to
 * change refs at that time. PN_ESTOPPED. */
int pn_child_lock_clear_refs(struct pn_repo *repo, const struct timespec *said,
			     struct pn_error *err);

#endif
