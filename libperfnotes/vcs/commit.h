/* Inside of vcs/ only: what the bytes of a commit object say. */
#ifndef PN_VCS_COMMIT_H
#define PN_VCS_COMMIT_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>

#define PN_COMMIT_MAX (64u << 20) /* bytes of a commit object */

/* pn_repo_commit_facts; unless `subject` is NULL, *has says whether the
 * message begins with it. */
int pn_commit_facts(struct pn_commit_facts *out, bool *has, const char *subject,
		    struct pn_repo *repo, const struct pn_oid *commit,
		    struct pn_error *err);
/* Whether the message of the commit object at `at` begins with a text. */
bool pn_commit_has_subject(const char *subject, const char *at,
			   const char *end);

#endif
