/*
 * A bisection that was begun: what was asked for and what it has cost. What was
 * measured is in the notes. The file <common dir>/perf/bisect is there from
 * the begin of one to its end, whole at any moment.
 */
#ifndef PN_BISECT_SESSION_H
#define PN_BISECT_SESSION_H

#include "base/error.h"
#include "base/hash.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stdint.h>

#define PN_BISECT_SESSION_MAX 65536 /* bytes of the file */

struct pn_bisect_session {
	struct pn_oid good, bad;
	char *job;    /* id of one job of the matrix */
	char *metric; /* "": the default one */
	char *config; /* job file that was named, "": the project's own */
	/* SHA-256 of the bytes of `config`, which is absolute then; else "" */
	char hash[PN_HASH_SHA256_HEX + 1];
	uint64_t most; /* runs that may be made; 0: as many as it takes */
	uint64_t made, builds;
	int64_t spent_ns;
};

/* One process at a time has it, until it closes *fd or dies. PN_EREFUSED: it is
 * another one's. */
int pn_bisect_session_lock(int *fd, struct pn_repo *repo, struct pn_error *err);
/* 1 with *out, 0 when none was begun. PN_EINVAL: the file is damaged. */
int pn_bisect_session_read(struct pn_bisect_session *out, struct pn_repo *repo,
			   struct pn_error *err);
int pn_bisect_session_write(const struct pn_bisect_session *session,
			    struct pn_repo *repo, struct pn_error *err);
/* It has ended, or is given up; *had (may be NULL): there was one. */
int pn_bisect_session_remove(bool *had, struct pn_repo *repo,
			     struct pn_error *err);
/* Whether both look for the same. */
bool pn_bisect_session_same(const struct pn_bisect_session *a,
			    const struct pn_bisect_session *b);
void pn_bisect_session_release(struct pn_bisect_session *session);

#endif
