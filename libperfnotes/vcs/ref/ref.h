/* Inside of vcs/ only: moving a ref from what it was. */
#ifndef PN_REF_REF_H
#define PN_REF_REF_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Move `ref` from `old` (zero: it does not exist) to `to`, with a reflog entry
 * by `ident` whose text is the first line of `message`. Waits for a lock file
 * of another writer: up to core.filesRefLockTimeout, 10 s when that is not
 * set, less what was waited before; *waited_us, 0 at first, grows by the time.
 *
 * PN_ECONFLICT: it is not at `old`. PN_ELOCKED. PN_ENOTFOUND: the object `to`
 * is absent. PN_EIO, also where it has moved and cannot be synced.
 */
int pn_ref_move(int64_t *waited_us, struct pn_repo *repo, const char *ref,
		const struct pn_oid *old, const struct pn_oid *to,
		const char *ident, const char *message, struct pn_error *err);

/* Wait for the lock file to go, out of the same time, so that who writes
 * objects first does it for something. PN_ELOCKED. */
int pn_ref_wait(int64_t *waited_us, struct pn_repo *repo, const char *ref,
		struct pn_error *err);

/* Whether it is elsewhere already; false where it cannot be read. Held is
 * nothing: while its lock file is, a `git notes add` that has read the notes
 * waits, and then takes out what was written meanwhile. */
bool pn_ref_has_left(struct pn_repo *repo, const char *ref,
		     const struct pn_oid *old);

/*
 * The steady state of pn_ref_move, for a ref below refs/notes/ that is a plain
 * file of its own and has the reflog that it should have, by git's own rules
 * (gitrepository-layout(5), git-config(1) core.logAllRefUpdates and
 * core.sharedRepository). Two waits for the disk instead of libgit2's four:
 * the reflog is left to the kernel.
 *
 * One of libgit2's codes: 0, GIT_EMODIFIED, GIT_ELOCKED, GIT_EUSER with `err`
 * filled, or GIT_PASSTHROUGH with nothing changed where libgit2 has to do it,
 * or to say what is wrong.
 */
int pn_ref_move_file(struct pn_repo *repo, const char *ref,
		     const struct pn_oid *old, const struct pn_oid *to,
		     const char *ident, const char *subject,
		     struct pn_error *err);

/* A ref that others have written for us, and the folders that they may have
 * made for it, reach the disk. */
int pn_ref_sync(struct pn_repo *repo, const char *ref, struct pn_error *err);

/* Whether the text of a ref's file is one: "ref: <name>" or an object's id. */
bool pn_ref_is_text(const char *text);

/* Why libgit2 could not read a ref just now. PN_EINVAL: it is damaged; of one
 * that a power cut has emptied with the commands that mend it. PN_EIO: its file
 * is well, or cannot be looked at. */
int pn_ref_unreadable(struct pn_repo *repo, const char *ref,
		      struct pn_error *err);

#endif
