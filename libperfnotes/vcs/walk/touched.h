/* Which files the commits of a line touched. Asks git. */
#ifndef PN_WALK_TOUCHED_H
#define PN_WALK_TOUCHED_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

/*
 * Append for each commit behind `from` up to `to`, along first parents, the
 * newest first: a byte 1 and its id, then a line for each file in which it
 * differs from its first parent, as git prints paths; lines end with LF, some
 * are empty. PN_ELIMIT beyond 64 MB.
 */
int pn_touched_read(struct pn_buf *out, struct pn_repo *repo,
		    const struct pn_oid *from, const struct pn_oid *to,
		    struct pn_error *err);

/* The best common ancestor of two commits; zero where there is none. */
int pn_touched_base(struct pn_oid *out, struct pn_repo *repo,
		    const struct pn_oid *a, const struct pn_oid *b,
		    struct pn_error *err);

#endif
