/*
 * What a worker found slower, kept until a hook says it to whoever commits
 * next: lines of <common dir>/perf/slower, for users who set perf.hookNote.
 * Nobody waits for it, and nothing fails by it.
 */
#ifndef PN_HOOKS_SLOWER_H
#define PN_HOOKS_SLOWER_H

#include "base/buf.h"
#include "base/oid.h"
#include "vcs/repo.h"

#define PN_SLOWER_MAX 16384 /* bytes of the file */
#define PN_SLOWER_ROWS 3    /* of a commit: the worst */

/* Judge a commit that was measured just now and keep what got worse, where the
 * configuration asks for that. `out` has the same lines. */
void pn_slower_note(struct pn_buf *out, struct pn_repo *repo,
		    const struct pn_oid *commit);
/* The lines that nobody was told yet, escaped for a terminal; from now on they
 * are told. */
void pn_slower_take(struct pn_buf *out, const char *common_dir);

#endif
