/*
 * A linked worktree stays while a run in it has not ended: what was set aside
 * lies in its git directory, which `git worktree remove` deletes, and the work
 * tree looks clean to it. git-worktree(1), lock: the file "locked" with the
 * reason.
 */
#include "base/file.h"
#include "vcs/git.h"
#include "vcs/inplace/state.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define REASON                                                                 \
	"a run of git perf in place has not ended here, your changes are set " \
	"aside; 'git perf recover' brings them back\n"

static bool is_linked(const struct pn_repo *repo)
{
	return strcmp(repo->git_dir, repo->common_dir) != 0;
}

int pn_inplace_hold(const struct pn_inplace *run, struct pn_error *err)
{
	struct pn_buf path = {0};
	int code;

	if (!is_linked(run->repo))
		return 0;
	pn_buf_printf(&path, "%s/locked", run->repo->git_dir);
	code = pn_file_create(pn_buf_text(&path), REASON, strlen(REASON), true,
			      err);
	pn_buf_release(&path);
	return code == PN_ECONFLICT ? 0 : code; /* the user has locked it */
}

int pn_inplace_release_hold(const struct pn_inplace *run, struct pn_error *err)
{
	struct pn_buf path = {0}, text = {0};
	int code = 0;

	if (!is_linked(run->repo))
		return 0;
	pn_buf_printf(&path, "%s/locked", run->repo->git_dir);
	if (!pn_file_read(&text, pn_buf_text(&path), sizeof(REASON), NULL) &&
	    !strcmp(pn_buf_text(&text), REASON) && unlink(pn_buf_text(&path)) &&
	    errno != ENOENT)
		code = pn_error_system(err, "cannot remove '%s'",
				       pn_buf_text(&path));
	pn_buf_release(&path);
	pn_buf_release(&text);
	return code;
}
