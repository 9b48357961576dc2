/* Refs of ours below one place. */
#ifndef PN_REF_LIST_H
#define PN_REF_LIST_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stddef.h>

/* Append the full names of the refs that begin with `prefix`, which ends in a
 * slash, each with a NUL, in order; the first `max` of them. PN_EIO where one
 * of less than `max` may be missing because of a read that failed. */
int pn_refs_list(struct pn_buf *out, struct pn_repo *repo, const char *prefix,
		 size_t max, struct pn_error *err);

/* Append those of them, in the same way, whose commit `tip` is or has behind
 * it.
 */
int pn_refs_merged(struct pn_buf *out, struct pn_repo *repo, const char *prefix,
		   const struct pn_oid *tip, struct pn_error *err);

/* Take refs out, all or none, whatever they are; names as above. */
int pn_refs_delete(struct pn_repo *repo, const struct pn_buf *names,
		   struct pn_error *err);

/*
 * Remove what git processes that were killed left of refs below `place`, which
 * has no slash at its end: each "<ref>.lock" that is the same file for 2 s;
 * with a hook `reference-transaction`, which git runs while it has them, until
 * it is a minute old. As long as a git of ours is at work that wait goes on, up
 * to a minute, and then they stay, as where there is no time for it. Only for
 * refs of ours that can be had again: what a process that was stopped for so
 * long does with its own then is to fail; and the lock of packed-refs, as
 * child_lock.h says. Waits where there is one. PN_ESTOPPED.
 */
int pn_refs_clear_dead(struct pn_repo *repo, const char *place,
		       struct pn_error *err);

#endif
