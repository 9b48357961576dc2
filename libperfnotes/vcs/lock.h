/* The writers' lock: flock(2) on <common dir>/perf/lock, freed by the kernel
 * when the holder dies. Waits. */
#ifndef PN_VCS_LOCK_H
#define PN_VCS_LOCK_H

#include "base/error.h"
#include "vcs/repo.h"

struct pn_lock {
	int fd; /* -1: not held */
};

int pn_lock_acquire(struct pn_lock *out, struct pn_repo *repo,
		    struct pn_error *err);
void pn_lock_release(struct pn_lock *lock);

#endif
