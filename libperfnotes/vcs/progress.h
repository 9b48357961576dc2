/*
 * What git is in the middle of in a worktree: between its steps it leaves
 * files in the git folder, and these tell.
 */
#ifndef PN_VCS_PROGRESS_H
#define PN_VCS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* In the order in which they are told. */
enum pn_progress {
	PN_PROGRESS_REBASE,
	PN_PROGRESS_AM,
	PN_PROGRESS_MERGE,
	PN_PROGRESS_CHERRY_PICK,
	PN_PROGRESS_REVERT,
	PN_PROGRESS_BISECT,
	PN_PROGRESS_KINDS
};

/* "rebase", "cherry-pick", ...: the git command. */
const char *pn_progress_name(enum pn_progress kind);

/*
 * Which of them are in progress, as git status sees it: several may be, but
 * the picks of a rebase are no cherry-pick. `git_dir` is the worktree's own.
 * Returns how many. A dozen stat(2).
 */
size_t pn_progress_read(bool in_progress[PN_PROGRESS_KINDS],
			const char *git_dir);

#endif
