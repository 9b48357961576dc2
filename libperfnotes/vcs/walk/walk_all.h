/* All commits that a repository leads to: by refs, but for the notes' own, by
 * HEADs and by reflogs; or the past of HEAD alone. Asks git; replacements do
 * not count. */
#ifndef PN_WALK_WALK_ALL_H
#define PN_WALK_WALK_ALL_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdint.h>
#include <stdio.h>

struct pn_walked {
	struct pn_oid id, tree;
	int64_t time_s;	  /* committer's */
	int64_t author_s; /* author's: a rebase keeps it */
};

struct pn_walk_all;

enum pn_walk {
	PN_WALK_ALL,  /* all that is told above, and of `more` on */
	PN_WALK_PAST, /* the past of HEAD, which there is: by time, but children
		       * before their parents */
	PN_WALK_THESE /* `more` alone, and nothing behind them */
};

/* `more`: ids (20 bytes) of commits or tags, borrowed for the call. */
int pn_walk_all_open(struct pn_walk_all **out, struct pn_repo *repo,
		     enum pn_walk how, const struct pn_buf *more,
		     struct pn_error *err);
/* All that `ids` lead to, and none of `tips`; what is not here is passed over.
 */
int pn_walk_outside(struct pn_walk_all **out, struct pn_repo *repo,
		    const struct pn_buf *ids, const struct pn_buf *tips,
		    struct pn_error *err);
/* 1 with *out filled, 0 at the end, or a negative code. */
int pn_walk_all_next(struct pn_walked *out, struct pn_walk_all *walk,
		     struct pn_error *err);
void pn_walk_all_free(struct pn_walk_all *walk);

/* Write the ids (20 bytes) of a buffer, a line each behind `mark`, as git reads
 * them. */
void pn_walk_write_ids(FILE *to, const char *mark, const struct pn_buf *ids);

/* Append the ids of what tags name: commits, or tags that name another, which
 * PN_WALK_THESE follows. */
int pn_walk_tags(struct pn_buf *out, struct pn_repo *repo,
		 struct pn_error *err);

/* Append the ids of the refs that each linked worktree has of its own: of a
 * bisection, a rebase, or refs/worktree. --all knows none of another one. */
int pn_walk_worktrees(struct pn_buf *out, struct pn_repo *repo,
		      struct pn_error *err);

#endif
