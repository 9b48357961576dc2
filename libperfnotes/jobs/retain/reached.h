/* Which commits with records the repository, and its remote, still have. */
#ifndef PN_RETAIN_REACHED_H
#define PN_RETAIN_REACHED_H

#include "base/buf.h"
#include "jobs/retain/policy.h"
#include "vcs/repo.h"

/*
 * Fill in reached, in_past, rewritten, absent, tagged and time_s. `commits` is
 * sorted by id; `trees` has the tree that each was measured at. Rewritten is
 * one that nothing leads to, where something leads to a commit of its tree, or
 * to one that was written by its author at the same time and changes the same;
 * of a merge or an empty commit the time will do. `tips` are ids (20 bytes) of
 * a remote, from which is looked, too; `tags` of its tags.
 */
int pn_retain_reach(struct pn_retain_commit *commits, size_t count,
		    const struct pn_oid *trees, struct pn_repo *repo,
		    const struct pn_buf *tips, const struct pn_buf *tags,
		    struct pn_error *err);

/* Append the ids of the branches and tags of the remote that profiles are
 * shared with, to `tags` those of its tags alone; nothing where there is none.
 * PN_EREFUSED: some are not here, so that nobody can tell here what vanished.
 */
int pn_retain_remote_tips(struct pn_buf *tips, struct pn_buf *tags,
			  struct pn_repo *repo, struct pn_error *err);

#endif
