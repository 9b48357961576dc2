/* What a run in place refuses to begin on. */
#include "base/file.h"
#include "base/folder/mounts.h"
#include "vcs/git.h"
#include "vcs/inplace/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A merge that waits for its commit is no obstacle: nothing that is done here
 * touches MERGE_HEAD. */
static const struct {
	const char *name, *what;
} busy[] = {{"rebase-merge", "a rebase is in progress"},
	    {"rebase-apply", "a rebase or git am is in progress"},
	    {"sequencer", "a cherry-pick or revert is in progress"},
	    {"CHERRY_PICK_HEAD", "a cherry-pick is in progress"},
	    {"REVERT_HEAD", "a revert is in progress"},
	    {"BISECT_LOG", "a bisection is in progress"},
	    {"index.lock", "another git process is at work"}};

#define BUSY (sizeof(busy) / sizeof(*busy))

/* 1, 0 or an error. */
static int is_there(const char *dir, const char *name, struct stat *st,
		    struct pn_error *err)
{
	struct pn_buf path = {0};
	int found;

	pn_buf_printf(&path, "%s/%s", dir, name);
	found = pn_file_look(st, pn_buf_text(&path), err);
	pn_buf_release(&path);
	return found;
}

static int check_busy(const char *git_dir, struct pn_error *err)
{
	struct stat st;
	size_t i;
	int found = 0;

	for (i = 0; !found && i < BUSY; i++) {
		found = is_there(git_dir, busy[i].name, &st, err);
		if (found > 0)
			return pn_error_set(err, PN_EREFUSED,
					    "cannot run in place: %s ('%s/%s' "
					    "exists)",
					    busy[i].what, git_dir,
					    busy[i].name);
	}
	return found;
}

/* What is set aside is renamed from one to the other. */
static int check_own_folder(const char *git_dir, struct pn_error *err)
{
	struct pn_buf path = {0};
	struct stat own, git;
	int code = 0;

	pn_buf_printf(&path, "%s/perf", git_dir);
	if (!stat(pn_buf_text(&path), &own) && !stat(git_dir, &git) &&
	    own.st_dev != git.st_dev)
		code = pn_error_set(err, PN_EREFUSED,
				    "cannot run in place: '%s' is on another "
				    "file system than '%s'",
				    pn_buf_text(&path), git_dir);
	pn_buf_release(&path);
	return code;
}

/* Whether a mount point stays where it is, or moves with a folder above it. */
static bool may_be_mounted(const struct pn_plan *plan, const char *path)
{
	size_t i;

	if (!*path || !strcmp(path, ".git") || pn_file_is_below(path, ".git"))
		return true;
	for (i = 0; i < plan->count; i++) {
		const struct pn_plan_item *item = &plan->items[i];

		if ((item->kind == PN_PLAN_NESTED &&
		     !strcmp(path, item->path)) ||
		    ((item->kind == PN_PLAN_NESTED ||
		      item->kind == PN_PLAN_EXTRA) &&
		     pn_file_is_below(path, item->path)))
			return true;
	}
	return false;
}

int pn_inplace_check_mounts(const struct pn_inplace *run, struct pn_error *err)
{
	struct pn_buf points = {0};
	const char *at, *end;
	int code = pn_mounts_below(&points, run->root, err);

	at = pn_buf_text(&points);
	for (end = at + points.len; !code && at < end; at += strlen(at) + 1)
		if (!may_be_mounted(&run->plan, at))
			code = pn_error_set(
				err, PN_EREFUSED,
				"cannot run in place: '%s/%s' is a mount "
				"point; unmount it, or, if no commit has it, "
				"perf.inPlaceKeep=%s leaves it where it is",
				run->root, at, at);
	pn_buf_release(&points);
	return code;
}

static bool is_same(const char *index, const char *git_dir)
{
	struct stat own, other;

	return is_there(git_dir, "index", &own, NULL) > 0 &&
	       !stat(index, &other) && own.st_dev == other.st_dev &&
	       own.st_ino == other.st_ino;
}

int pn_inplace_check(const struct pn_inplace *run, struct pn_error *err)
{
	struct pn_repo *repo = run->repo;
	const char *index = getenv("GIT_INDEX_FILE");
	struct pn_head head;
	struct stat st;
	int code;

	if (!repo->work_dir)
		return pn_error_set(err, PN_EREFUSED,
				    "cannot run in place: '%s' is a bare "
				    "repository, it has no work tree",
				    repo->git_dir);
	code = pn_repo_head(&head, repo, err);
	if (code)
		return code;
	if (head.unborn)
		return pn_error_set(err, PN_EREFUSED,
				    "cannot run in place: HEAD ('%s') has no "
				    "commit yet to come back to",
				    head.branch);
	if (repo->head_by_git)
		return pn_error_set(err, PN_EREFUSED,
				    "cannot run in place with GIT_COMMON_DIR");
	code = is_there(repo->git_dir, "HEAD", &st, err);
	if (code < 0)
		return code;
	if (code && S_ISLNK(st.st_mode))
		return pn_error_set(err, PN_EREFUSED,
				    "cannot run in place: HEAD is a symbolic "
				    "link; git symbolic-ref HEAD <branch> "
				    "makes it a file");
	if (index && *index && !is_same(index, repo->git_dir))
		return pn_error_set(err, PN_EREFUSED,
				    "cannot run in place with another index "
				    "(GIT_INDEX_FILE is '%s')",
				    index);
	code = check_own_folder(repo->git_dir, err);
	return code ? code : check_busy(repo->git_dir, err);
}
