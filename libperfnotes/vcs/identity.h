/* Who writes a commit, or something else that says it. */
#ifndef PN_VCS_IDENTITY_H
#define PN_VCS_IDENTITY_H

#include "base/buf.h"
#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>

/*
 * "Name <mail> seconds zone" of the author or committer, as git would put it
 * into a commit; "git-perf <git-perf@localhost>" where git would refuse, so
 * that a CI job without an identity can add profiles.
 */
int pn_identity(struct pn_buf *out, struct pn_repo *repo, bool committer,
		struct pn_error *err);

/* "Name <mail>" of the committer. */
int pn_who(struct pn_buf *out, struct pn_repo *repo, struct pn_error *err);

#endif
