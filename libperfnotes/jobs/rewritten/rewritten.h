/*
 * What commits that were not measured were rewritten from: by an amend, a
 * rebase, a squash, a cherry-pick. A commit that was measured stands for
 * another one that has no profiles where neither is in the other's past, and
 *
 *	their trees are equal: then what was measured is true of both; or
 *	their authors wrote them at the same time and they change the same: then
 *	what was measured stood upon something else.
 *
 * It stands for one commit at most, the oldest; and for an empty commit by the
 * tree only where the time is the same, too.
 */
#ifndef PN_REWRITTEN_REWRITTEN_H
#define PN_REWRITTEN_REWRITTEN_H

#include "analysis/history/log_series.h"
#include "base/oid.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"
#include "vcs/walk/history.h"

#include <stdbool.h>

/* Looked at, of the commits that a walk begins with. */
#define PN_REWRITTEN_COMMITS 1000

struct pn_rewritten;

/* Borrows both. Nothing is read before somebody asks. */
struct pn_rewritten *pn_rewritten_new(struct pn_repo *repo,
				      struct pn_notes *notes);
/* Takes NULL. */
void pn_rewritten_free(struct pn_rewritten *rewritten);

/*
 * The commit that stands for one that has no profiles; false where there is
 * none, or none can be told. The first commit that is asked for is where the
 * walk begins, or the caller says it before. `facts` are the commit's.
 */
bool pn_rewritten_find(struct pn_oid *from, bool *same_tree,
		       struct pn_rewritten *rewritten,
		       const struct pn_oid *commit,
		       const struct pn_commit_facts *facts);
void pn_rewritten_begin(struct pn_rewritten *rewritten,
			const struct pn_oid *tip);
/* The same of a commit by itself: a walk of its own begins there. */
bool pn_rewritten_find_alone(struct pn_oid *from, bool *same_tree,
			     struct pn_repo *repo, struct pn_notes *notes,
			     const struct pn_oid *commit);
/* The same of a commit of a walk, where the trees are equal. */
bool pn_rewritten_measured(struct pn_oid *from, struct pn_rewritten *rewritten,
			   const struct pn_commit *commit);

/* Add the live lines of the commit that stands for it, *from, to those that the
 * commit has itself (in `arena`, without figures); where the trees differ
 * profiles alone. False where it has a profile, or none stands for it. */
bool pn_rewritten_read(struct pn_noted *noted, struct pn_oid *from,
		       bool *same_tree, struct pn_rewritten *rewritten,
		       struct pn_arena *arena, const struct pn_oid *commit,
		       const struct pn_commit_facts *facts);

#endif
