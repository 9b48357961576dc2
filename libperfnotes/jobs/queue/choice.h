/* Which of the queued commits are measured, and why the others are not. */
#ifndef PN_QUEUE_CHOICE_H
#define PN_QUEUE_CHOICE_H

#include "base/error.h"
#include "base/oid.h"
#include "jobs/queue/queue.h"
#include "vcs/repo.h"

#include <stddef.h>

struct pn_queue_choice {
	struct pn_oid commit;
	const char *worktree; /* of the queue's memory */
	int64_t time_ns;      /* when it was queued */
	const char *why;      /* it is left out; NULL: it is measured */
};

struct pn_queue_choices {
	struct pn_queue_choice *items;
	size_t count;
};

/*
 * Of each branch the newest commit that it still has; of a detached HEAD the
 * newest one that HEAD, or a branch, still has, unless it is behind another
 * choice. Newest first. Commits that a newer one of the same branch replaces
 * are not mentioned.
 */
int pn_queue_choices_make(struct pn_queue_choices *out, struct pn_repo *repo,
			  const struct pn_queue *queue, struct pn_error *err);
void pn_queue_choices_release(struct pn_queue_choices *choices);

#endif
