/* Inside of vcs/ only: who writes a commit. */
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

#endif
