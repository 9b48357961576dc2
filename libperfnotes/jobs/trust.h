/*
 * Commands of a tracked file run only after a person has seen them: the hash
 * of a job file's path and bytes is pinned in <common dir>/perf/trust, which
 * is never fetched, pushed or checked out. Nothing else makes a file trusted;
 * whoever gives a path on the command line trusts it by that.
 */
#ifndef PN_JOBS_TRUST_H
#define PN_JOBS_TRUST_H

#include "base/buf.h"
#include "base/error.h"
#include "jobs/matrix/matrix.h"
#include "vcs/repo.h"

#include <stdbool.h>

enum pn_trust_state {
	PN_TRUST_NONE,	  /* never trusted here */
	PN_TRUST_CHANGED, /* it was, with other bytes */
	PN_TRUST_PINNED
};

/* `path` is absolute. */
int pn_trust_look(enum pn_trust_state *out, struct pn_repo *repo,
		  const char *path, const struct pn_buf *bytes,
		  struct pn_error *err);
/* PN_EREFUSED, which says what to do, unless the bytes are pinned. */
int pn_trust_check(struct pn_repo *repo, const char *path,
		   const struct pn_buf *bytes, struct pn_error *err);

/* The job file of this checkout as a person is to see it; zeroed before,
 * released in any case. */
struct pn_trust_shown {
	struct pn_buf path, bytes;
	struct pn_buf commands; /* lines, escaped for a terminal */
	struct pn_buf doubts; /* what may not be as it is meant, a line each */
};

/* Read once: what is shown is what is pinned. PN_EREFUSED: a bare repository
 * has none. */
int pn_trust_show(struct pn_trust_shown *out, struct pn_repo *repo,
		  struct pn_error *err);
void pn_trust_shown_release(struct pn_trust_shown *shown);
/* Pin these bytes in the place of any others of this path. */
int pn_trust_pin(struct pn_repo *repo, const struct pn_trust_shown *shown,
		 struct pn_error *err);
/* Forget the job file of this checkout, whose path is appended; *had: whether
 * it was there. */
int pn_trust_revoke(struct pn_buf *path, bool *had, struct pn_repo *repo,
		    struct pn_error *err);

/*
 * A job file read, parsed and, with `must_trust`, found to be trusted: the one
 * at the top of the working tree, or `named`, a path that a person gave on the
 * command line and vouches for. PN_EREFUSED in a bare repository.
 */
int pn_trust_load(struct pn_matrix *out, struct pn_repo *repo,
		  const char *named, bool must_trust, struct pn_error *err);

#endif
