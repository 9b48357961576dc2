/* Which commits a branch has. Asks git, whose commit-graph makes it cheap. */
#ifndef PN_WALK_REACH_H
#define PN_WALK_REACH_H

#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* Whether `commit` is `tip` or an ancestor of it; false when it is not there
 * (any more). */
int pn_reach_from(bool *out, struct pn_repo *repo, const struct pn_oid *tip,
		  const struct pn_oid *commit, struct pn_error *err);

/* The same, without a child for each of many. What cannot be told, as where a
 * shallow clone ends, may be. */
bool pn_reach_may_be_from(struct pn_repo *repo, const struct pn_oid *tip,
			  const struct pn_oid *commit);

/* Whether what git said of a failure, also behind words of ours, is that an
 * object is not there. */
bool pn_reach_lacks(const char *said);

/* Whether a commit and all that it leads to are here; what a remote promises
 * may be absent. */
int pn_reach_whole(bool *out, struct pn_repo *repo, const struct pn_oid *commit,
		   struct pn_error *err);

/* Whether the history of a commit ends where a shallow clone does, but for what
 * another one (zero: none) leads to. */
int pn_reach_is_cut(bool *out, struct pn_repo *repo, const struct pn_oid *tip,
		    const struct pn_oid *without, struct pn_error *err);

/* Whether some branch has it. */
int pn_reach_branch(bool *out, struct pn_repo *repo,
		    const struct pn_oid *commit, struct pn_error *err);

/* The newest commit that both have, by git merge-base: 1 with *out, 0 when
 * there is none, negative on error. */
int pn_reach_common(struct pn_oid *out, struct pn_repo *repo,
		    const struct pn_oid *a, const struct pn_oid *b,
		    struct pn_error *err);

/* The nearest tag along first parents, and how many commits the commit is in
 * front of it there; *tag is NULL where there is none, else the caller's to
 * free. */
int pn_reach_tag(char **tag, size_t *distance, struct pn_repo *repo,
		 const struct pn_oid *commit, struct pn_error *err);

/* How many commits of first parents lead to `to` and are not of `from`. */
int pn_reach_count(size_t *out, struct pn_repo *repo, const struct pn_oid *from,
		   const struct pn_oid *to, struct pn_error *err);

#endif
