/*
 * The writers' lock: flock(2) on <common dir>/perf/lock, freed by the kernel
 * when the holder dies. Waits, as long as struct pn_patience says: the holder
 * may be one that somebody has stopped.
 *
 * A holder that dies while it moves a ref leaves "<ref>.lock" behind, which
 * would stop every later writer. So it says first what it is about to do, in
 * the locked file itself; the next holder finds that and removes the lock
 * file if it is the dead one's: it holds the id that was announced, or nothing
 * yet. Lock files of others are never touched.
 */
#ifndef PN_VCS_LOCK_H
#define PN_VCS_LOCK_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* How long this program waits for locks of a repository. */
struct pn_patience {
	FILE *words; /* told once when it takes long; NULL: nothing is said */
	const volatile sig_atomic_t *stop; /* raised: the wait ends; or NULL */
	double most; /* seconds; 0: as perf.lockTimeout has it */
};

#define PN_LOCK_SECONDS 600 /* if perf.lockTimeout is not set */

/* Copied; without it nothing is said and nothing but time ends a wait. */
void pn_lock_set_patience(struct pn_repo *repo,
			  const struct pn_patience *patience);

struct pn_lock {
	int fd; /* -1: not held */
	struct pn_repo *repo;
};

/* PN_ETIMEOUT: another process did not give it back in time; PN_ESTOPPED: the
 * wait was ended. */
int pn_lock_acquire(struct pn_lock *out, struct pn_repo *repo,
		    struct pn_error *err);
void pn_lock_release(struct pn_lock *lock);

/* Wait for the file <common dir>/perf/<name>, which is for work that has to
 * be alone but is none on the ref. Closing *fd gives it back. */
int pn_lock_named(int *fd, struct pn_repo *repo, const char *name,
		  struct pn_error *err);
/* The same without waiting: 1 when it is ours, 0 when another has it. */
int pn_lock_try(int *fd, struct pn_repo *repo, const char *name,
		struct pn_error *err);

/*
 * Inside of vcs/ only: one wait for a file that another process holds, of
 * whatever kind. Between two attempts pn_lock_wait_on says once, when it takes
 * long, what is waited for and for how long at most, and ends the wait with
 * PN_ESTOPPED when the patience of the repository does.
 */
struct pn_lock_wait {
	int64_t begin_ns;
	sig_atomic_t before; /* what stop was when the wait began */
	bool said;
};

struct pn_lock_wait pn_lock_wait_begin(const struct pn_repo *repo);
int pn_lock_wait_on(struct pn_lock_wait *wait, const struct pn_repo *repo,
		    const char *path, double seconds, struct pn_error *err);
/* How long a wait may last by the patience of the repository, in seconds. */
int pn_lock_limit(double *seconds, struct pn_repo *repo, struct pn_error *err);

/* Inside of vcs/ only: announce that `ref` is about to become `to`; and that
 * the move has ended, well or not. Without the lock, which only tests do,
 * nothing is announced. */
void pn_lock_announce(struct pn_repo *repo, const char *ref,
		      const struct pn_oid *to);
void pn_lock_announce_end(struct pn_repo *repo);
/* The same where a git that was to move it has died: its lock file, which is
 * known by what was announced, is removed. Waits 2 s for one that is empty. */
void pn_lock_announce_died(struct pn_repo *repo);

#endif
