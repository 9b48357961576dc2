/* Which of the queued commits are measured, and why the others are not. */
#ifndef PN_JOBS_PICKS_H
#define PN_JOBS_PICKS_H

#include "base/error.h"
#include "base/oid.h"
#include "jobs/queue.h"
#include "vcs/repo.h"

#include <stddef.h>

struct pn_pick {
	struct pn_oid commit;
	const char *worktree; /* of the queue's memory */
	int64_t time_ns;      /* when it was queued */
	const char *why;      /* it is left out; NULL: it is measured */
};

struct pn_picks {
	struct pn_pick *items;
	size_t count;
};

/*
 * Of each branch the newest commit that it still has; of a detached HEAD the
 * newest one that HEAD, or a branch, still has, unless it is behind another
 * pick. Newest first. Commits that a newer one of the same branch replaces
 * are not mentioned.
 */
int pn_picks_make(struct pn_picks *out, struct pn_repo *repo,
		  const struct pn_queue *queue, struct pn_error *err);
void pn_picks_release(struct pn_picks *picks);

#endif
