/* Which records go: what is stored, what the repository still has, and what
 * policies keep, put together. */
#ifndef PN_RETAIN_PLAN_H
#define PN_RETAIN_PLAN_H

#include "jobs/retain/policy.h"
#include "storage/retain/prune.h"
#include "vcs/notes/notes.h"

#define PN_RETAIN_DAYS_MAX 36500 /* a hundred years, in ns far from 2^63 */

struct pn_retain_request {
	struct pn_retain_policy policy;
	/* Records of vanished commits that are younger stay: somebody may still
	 * push the commit. */
	int64_t expire_days;
	bool offline; /* without a look at the remote's branches and tags */
};

/* Zeroed before, released in any case. */
struct pn_retain_plan {
	struct pn_retain_commit *commits; /* that have records, by id */
	size_t count, cap;
	struct pn_prune_item *items; /* for pn_store_prune */
	size_t item_count, item_cap;
	size_t vanished, left_out; /* commits of which all records go */
	size_t rewritten; /* that vanished, and stay for their trees' sake */
	size_t unsure;	  /* that vanished, and stay as they are not here */
};

/* Reads all notes, the names of all commits, and where a policy is set the
 * change points of HEAD's past. PN_EREFUSED: a clone that cannot tell. */
int pn_retain_plan(struct pn_retain_plan *out, struct pn_repo *repo,
		   struct pn_notes *notes,
		   const struct pn_retain_request *request,
		   struct pn_error *err);
void pn_retain_plan_release(struct pn_retain_plan *plan);

#endif
