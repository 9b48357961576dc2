/*
 * Checking out historical commits in the user's own work tree, and giving it
 * back as it was: index, HEAD, every file's bytes, type and mode, whatever is
 * staged, conflicted, hidden by flags, untracked or ignored; also after the
 * process was killed at any moment. For builds that need the exact path; all
 * others use an isolated worktree (worktree.h).
 *
 *   begin    locks, refuses what it must not touch, writes a plan and a safety
 *            copy (refs/perf/state/<worktree>/<id>, for git stash apply),
 *            moves aside by rename(2) whatever is not the commit's
 *   step     makes the work tree that of a commit; what a build left in the
 *            way moves to perf/leftovers below the git directory; nothing is
 *            written over, and deleted is only what git wrote
 *   finish   puts all back, moves what builds left to perf/leftovers
 *            What the user's git does meanwhile is kept below refs/perf/kept
 *   recover  does the rest of finish, or undoes begin, in a later process
 *
 * Repositories below the work tree, submodules, and the paths of
 * perf.inPlaceKeep stay where they are, unless a commit has something there.
 *
 * On the disk, below <git dir>/perf:
 *   state.tmp    begin writes here; nothing has been touched yet
 *   state        the run: plan, HEAD, index (as they were), aside/, phase, ...
 *   state.done   all is back; to be deleted
 *   inplace.lock flock(2), inherited by the git processes that change things
 *   leftovers/<id>/<commit>/
 */
#ifndef PN_INPLACE_INPLACE_H
#define PN_INPLACE_INPLACE_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

struct pn_inplace;

enum pn_inplace_outcome {
	PN_INPLACE_NOTHING,  /* there was nothing to do */
	PN_INPLACE_UNDONE,   /* begin had not come far; taken back */
	PN_INPLACE_RESTORED, /* all is as it was */
	PN_INPLACE_CLEANED,  /* it was already; rests were deleted */
	PN_INPLACE_LOST	     /* but for what was set aside and is gone: notes */
};

/* A zeroed struct is empty. */
struct pn_inplace_report {
	enum pn_inplace_outcome outcome;
	char *leftovers;     /* folder of what builds left; NULL: nothing */
	struct pn_buf notes; /* lines that a user has to know, LF each */
};
void pn_inplace_report_release(struct pn_inplace_report *report);
/* How it ended, and where leftovers are: a line each, or none. */
void pn_inplace_report_ended(struct pn_buf *out,
			     const struct pn_inplace_report *report);
void pn_inplace_report_left(struct pn_buf *out,
			    const struct pn_inplace_report *report);

/*
 * `targets` are all commits that step will be asked for. PN_EREFUSED with the
 * reason: no work tree, no commit yet, a rebase, bisect, am, cherry-pick or
 * revert in progress, an index.lock, a run of another process, an interrupted
 * run. On failure everything is as it was, and *report has what there is to
 * tell.
 */
int pn_inplace_begin(struct pn_inplace **out, struct pn_inplace_report *report,
		     struct pn_repo *repo, const struct pn_oid *targets,
		     size_t count, struct pn_error *err);
/* On failure finish is still to be called. */
int pn_inplace_step(struct pn_inplace *run, const struct pn_oid *commit,
		    struct pn_error *err);
/* Frees `run` in any case; when it fails recover can go on, and the report has
 * what there is to tell. */
int pn_inplace_finish(struct pn_inplace_report *report, struct pn_inplace *run,
		      struct pn_error *err);
/* Also when it fails the report is to be told and released. */
int pn_inplace_recover(struct pn_inplace_report *report, struct pn_repo *repo,
		       struct pn_error *err);

/* Whether a run lies here that has not ended: *process is its process while
 * that lives, else 0. Reads two files at most. */
bool pn_inplace_is_open(long *process, struct pn_repo *repo);

#endif
