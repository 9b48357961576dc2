/* Inside of vcs/ only: git, run for a repository. */
#ifndef PN_VCS_CHILD_H
#define PN_VCS_CHILD_H

#include "base/buf.h"
#include "base/error.h"
#include "base/process/process.h"
#include "vcs/repo.h"

/* For children that write refs, behind "-c": git's own default leaves their
 * data to the kernel, and a power cut leaves empty files. Before 2.36 git does
 * not know it. */
#define PN_CHILD_FSYNC "core.fsync=all"
#define PN_CHILD_TEXT_MAX (64u << 20) /* of a child's output kept in memory */

/* Options for a child of this repository: LC_ALL=C, no terminal input. */
struct pn_process_options pn_child_options(const struct pn_repo *repo);

/*
 * Run git to its end. *status is the exit status; a failure to run is an
 * error, an exit status is not.
 */
int pn_child_run(struct pn_buf *out, char err_text[1024], int *status,
		 const struct pn_repo *repo, const char *const *argv,
		 struct pn_error *err);

/* The same of what configuration says: git takes a condition "gitdir:" for met
 * by the name that a folder was entered by, too, not by its own alone. Such a
 * name is good for a look; it may be another folder's when something is
 * written. */
int pn_child_ask(struct pn_buf *out, char err_text[1024], int *status,
		 const struct pn_repo *repo, const char *const *argv,
		 struct pn_error *err);

/* The first line of what git said on standard error, without "fatal: ". */
const char *pn_child_said(char err_text[1024]);

#endif
