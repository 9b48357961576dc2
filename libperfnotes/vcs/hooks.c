/* Where git looks for hooks: githooks(5), core.hooksPath in git-config(1). */
#include "vcs/hooks.h"

#include "base/alloc.h"
#include "base/file.h"
#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/gitdir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* git says paths as seen from the top of the work tree. */
static int ask(struct pn_buf *out, int *status, struct pn_repo *repo,
	       const char *const *argv, struct pn_error *err)
{
	struct pn_process_options options = pn_child_options(repo);
	char said[1024] = "";
	int code;

	options.dir = repo->work_dir ? repo->work_dir : repo->git_dir;
	code = pn_process_capture(out, said, status, argv, &options,
				  PN_CHILD_TEXT_MAX, err);
	if (!code && *status > 1)
		return pn_error_set(err, PN_EIO,
				    "cannot tell where hooks are: %s",
				    pn_child_said(said));
	return code;
}

/* "<scope> NUL <value> NUL" of core.hooksPath; "" when it is not set. */
static int ask_scope(struct pn_buf *out, struct pn_repo *repo,
		     struct pn_error *err)
{
	static const char *const argv[] = {"git", "config", "--show-scope",
					   "-z",  "--get",  "core.hooksPath",
					   NULL};
	int status;

	return ask(out, &status, repo, argv, err);
}

static char *absolute(struct pn_repo *repo, const char *path)
{
	struct pn_buf full = {0};

	if (*path != '/')
		pn_buf_printf(&full, "%s/",
			      repo->work_dir ? repo->work_dir : repo->git_dir);
	pn_buf_add_text(&full, path);
	return pn_buf_detach(&full);
}

/* What git uses here. */
static int find_here(char **out, struct pn_repo *repo, struct pn_error *err)
{
	static const char *const argv[] = {
		"git",	      "rev-parse", "--path-format=absolute",
		"--git-path", "hooks",	   NULL};
	struct pn_buf text = {0};
	int status, code = ask(&text, &status, repo, argv, err);

	if (!code && (status || text.len < 2))
		code = pn_error_set(err, PN_EIO,
				    "git does not say where hooks are");
	if (!code) {
		text.data[text.len - 1] = '\0';
		*out = absolute(repo, pn_buf_text(&text));
	}
	pn_buf_release(&text);
	return code;
}

static int find_local(char **out, struct pn_repo *repo, struct pn_error *err)
{
	static const char *const argv[] = {
		"git", "config", "--local",	   "--type=path",
		"-z",  "--get",	 "core.hooksPath", NULL};
	struct pn_buf text = {0}, own = {0};
	int status, code = ask(&text, &status, repo, argv, err);

	pn_buf_printf(&own, "%s/hooks", repo->common_dir);
	if (!code)
		*out = absolute(repo, text.len ? pn_buf_text(&text)
					       : pn_buf_text(&own));
	pn_buf_release(&text);
	pn_buf_release(&own);
	return code;
}

int pn_hooks_find(struct pn_hooks *out, struct pn_repo *repo,
		  enum pn_hooks_scope scope, struct pn_error *err)
{
	struct pn_hooks hooks = {0};
	struct pn_buf from = {0};
	const char *name;
	int code = ask_scope(&from, repo, err);

	name = pn_buf_text(&from);
	hooks.shared = *name && strcmp(name, "local") != 0 &&
		       strcmp(name, "worktree") != 0;
	if (!code && scope == PN_HOOKS_WORKTREE && strcmp(name, "worktree"))
		code = pn_error_set(err, PN_EREFUSED,
				    "this worktree has no hooks of its own "
				    "(core.hooksPath in its config.worktree)");
	if (!code && scope == PN_HOOKS_LOCAL)
		code = find_local(&hooks.dir, repo, err);
	else if (!code)
		code = find_here(&hooks.dir, repo, err);
	pn_buf_release(&from);
	if (code)
		pn_hooks_release(&hooks);
	else
		*out = hooks;
	return code;
}

void pn_hooks_release(struct pn_hooks *hooks)
{
	if (!hooks)
		return;
	free(hooks->dir);
	memset(hooks, 0, sizeof(*hooks));
}

bool pn_hooks_has(struct pn_repo *repo, const char *name)
{
	struct pn_hooks hooks = {0};
	struct pn_buf path = {0};
	bool has = true;

	if (!pn_hooks_find(&hooks, repo, PN_HOOKS_HERE, NULL)) {
		pn_buf_printf(&path, "%s/%s", hooks.dir, name);
		has = !access(pn_buf_text(&path), F_OK) || errno != ENOENT;
	}
	pn_hooks_release(&hooks);
	pn_buf_release(&path);
	return has;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* The folder that `path`, or what it links to, is in; of what is not there
 * yet the next one above. */
static char *real_folder(const char *path)
{
	char *real = realpath(path, NULL), *slash;

	if (!real)
		real = pn_strdup(path);
	while (!is_folder(real) && (slash = strrchr(real, '/')) &&
	       slash != real)
		*slash = '\0';
	return real;
}

int pn_hooks_is_tracked(bool *out, const char *path, struct pn_error *err)
{
	static const char *const argv[] = {"git", "rev-parse",
					   "--is-inside-work-tree", NULL};
	struct pn_process_options options = {.in = -1,
					     .env_unset = pn_gitdir_variables};
	char *folder = real_folder(path), said[1024] = "";
	struct pn_buf text = {0};
	int status, code;

	options.dir = folder;
	code = pn_process_capture(&text, said, &status, argv, &options,
				  PN_CHILD_TEXT_MAX, err);
	if (!code)
		*out = !status && !strcmp(pn_buf_text(&text), "true\n");
	pn_buf_release(&text);
	free(folder);
	return code;
}
