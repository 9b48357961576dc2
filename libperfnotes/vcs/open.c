/*
 * Opening a repository: libgit2 looks for it from a folder; when variables
 * say where it is, git itself is asked, because libgit2's own reading of them
 * fails on GIT_WORK_TREE and GIT_COMMON_DIR (seen in 1.5.1), and also when it
 * is bare. What libgit2
 * cannot work with is refused by name, see git-config(1), extensions.*.
 */
#include "vcs/child.h"
#include "vcs/config/config.h"
#include "vcs/git.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/trace2.h"
#include "vcs/gitdir.h"
#include "vcs/objects/pack_check.h"
#include "vcs/unseen.h"

#include <stdlib.h>
#include <string.h>

/* What git said about where the repository is. */
struct place {
	char *git_dir, *common_dir, *work_dir; /* absolute */
};

static void place_release(struct place *place)
{
	free(place->git_dir);
	free(place->common_dir);
	free(place->work_dir);
}

static bool is_set(const char *name)
{
	return getenv(name) != NULL;
}

static char *without_slash(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return pn_strndup(path, len);
}

/*
 * git's advice on one line. It names the folder, which we need not know.
 * Returns 1 when git itself does not mind: it reads safe.directory in places
 * that libgit2 does not, such as git -c and GIT_CONFIG_COUNT.
 */
static int refuse_owner(const char *dir, struct pn_error *err)
{
	static const char *const argv[] = {"git", "rev-parse", "--git-dir",
					   NULL};
	static const char *const set[] = {"LC_ALL=C", NULL};
	struct pn_process_options options = {
		.in = -1, .dir = dir, .env_set = set};
	const char *start, *end;
	struct pn_buf text = {0};
	char said[1024] = "";
	int status, code;

	code = pn_process_capture(&text, said, &status, argv, &options,
				  PN_CHILD_TEXT_MAX, NULL);
	pn_buf_release(&text);
	if (!code && !status)
		return 1;
	start = strstr(said, "repository at '");
	if (start)
		dir = start + strlen("repository at '");
	end = start ? strchr(dir, '\'') : NULL;
	return pn_error_set(err, PN_EREFUSED,
			    "detected dubious ownership in repository at "
			    "'%.*s'; to trust it: git config --global --add "
			    "safe.directory %.*s",
			    end ? (int)(end - dir) : (int)strlen(dir), dir,
			    end ? (int)(end - dir) : (int)strlen(dir), dir);
}

/*
 * libgit2 1.5.1 says -3 "config value 'safe.directory' was not found" for a
 * foreign owner (libgit2 issues 6408, 6427) and -1 with a text for an
 * extension that it does not know. What the system could not say of a file it
 * takes for absent. 1: the owner is foreign, and git trusts it.
 */
static int refuse(int result, const char *dir, struct pn_error *err)
{
	const git_error *last = git_error_last();
	const char *text = last && last->message ? last->message : "";

	if ((result == GIT_ENOTFOUND && !strstr(text, "safe.directory") &&
	     pn_unseen(dir, err) < 0) ||
	    pn_unread(dir, err))
		return PN_EIO;

	if (result == GIT_EOWNER || strstr(text, "safe.directory"))
		return refuse_owner(dir, err);
	if (strstr(text, "unsupported extension"))
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' uses an extension that git-perf "
				    "does not know: %s",
				    dir, text);
	if (strstr(text, "repository version"))
		return pn_error_set(err, PN_EREFUSED, "'%s': %s", dir, text);
	if (result == GIT_ENOTFOUND)
		return pn_error_set(err, PN_ENOTFOUND,
				    "not a git repository (or any of its "
				    "parents): '%s'",
				    dir);
	return pn_git_fail(err, PN_EIO, "cannot open the repository at '%s'",
			   dir);
}

/*
 * What libgit2 need not know: config.worktree (for objects and refs it does
 * not matter, and pn_repo_config asks git then), who has what a partial clone
 * lacks (git fetches it), that nothing may be deleted. The values of two are
 * looked at by check_format.
 */
static int start_library(struct pn_error *err)
{
	const char *extensions[] = {"objectformat", "partialclone",
				    "preciousobjects", "refstorage",
				    "worktreeconfig"};

	if (git_libgit2_init() < 0)
		return pn_git_fail(err, PN_EIO, "cannot start libgit2");
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions,
			 sizeof(extensions) / sizeof(*extensions));
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	/* Up to 256 MB of objects that nobody asks for again: folders of the
	 * notes are kept by fantree.c, commits and notes are read once. */
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
	/* git itself does not hash what it reads either; fsck does. */
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
	return 0;
}

/* For what git has judged already. */
static int open_unchecked(struct pn_repo *repo, const char *dir,
			  unsigned int flags, const char *ceiling)
{
	int result;

	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	result = git_repository_open_ext(&repo->git, dir, flags, ceiling);
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
	return result;
}

/*
 * With GIT_COMMON_DIR the objects and refs are another repository's than
 * HEAD: libgit2 opens that one, and HEAD is asked of git.
 */
static int open_placed(struct pn_repo *repo, const char *dir,
		       struct pn_error *err)
{
	const unsigned int flags =
		GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_NO_DOTGIT;
	struct place place = {0};
	int code = pn_gitdir_ask(&place.git_dir, &place.common_dir,
				 &place.work_dir, dir, err);
	int result;

	if (code)
		return code;
	repo->head_by_git = is_set("GIT_COMMON_DIR");
	result = open_unchecked(
		repo, repo->head_by_git ? place.common_dir : place.git_dir,
		flags, NULL);
	if (result < 0) {
		code = refuse(result, place.git_dir, err);
		place_release(&place);
		return code;
	}
	repo->git_dir = place.git_dir;
	repo->common_dir = place.common_dir;
	repo->work_dir = place.work_dir;
	return 0;
}

/* Both resolved. */
static bool lies_in(const char *path, const char *folder)
{
	return !strcmp(path, folder) || pn_file_is_below(path, folder);
}

/*
 * Whether git has to say where `dir` belongs to. It may lie in a git directory,
 * which may be content: one that is called .git cannot be, git checks out no
 * such name. And a linked worktree may have been moved by other means than git
 * worktree move, or be mounted elsewhere: libgit2 believes where it was.
 */
static bool is_doubtful(git_repository *git, const char *dir)
{
	bool linked = git_repository_is_worktree(git);
	char *from = realpath(dir, NULL);
	char *to = realpath(git_repository_path(git), NULL);
	char *work =
		linked ? realpath(git_repository_workdir(git), NULL) : NULL;
	bool inside = !from || !to ||
		      (strcmp(pn_file_basename(to), ".git") != 0 &&
		       lies_in(from, to));
	bool moved =
		linked && !inside &&
		!(work && lies_in(from, work) && pn_file_is_in(work, ".git"));

	free(from);
	free(to);
	free(work);
	return inside || moved;
}

static int open_by_library(struct pn_repo *repo, const char *dir,
			   struct pn_error *err)
{
	const char *ceiling = getenv("GIT_CEILING_DIRECTORIES");
	int result = git_repository_open_ext(&repo->git, dir, 0, ceiling);
	int code;

	/* a disk that fails once: it is asked again */
	if (result == GIT_ENOTFOUND && pn_unseen(dir, NULL) == 1)
		result = git_repository_open_ext(&repo->git, dir, 0, ceiling);
	code = result < 0 ? refuse(result, dir, err) : 0;

	if (code > 0) {
		result = open_unchecked(repo, dir, 0, ceiling);
		code = result < 0 ? pn_git_fail(err, PN_EIO,
						"cannot open the repository "
						"at '%s'",
						dir)
				  : 0;
	}
	return code;
}

/*
 * A folder that looks like a bare repository may be content of another one,
 * with a configuration that makes git run commands. git decides whether it is
 * taken (git-config(1), safe.bareRepository), and where it is: a child that is
 * told of it by GIT_DIR asks no more.
 */
static int open_found(struct pn_repo *repo, const char *dir,
		      struct pn_error *err)
{
	int code = open_by_library(repo, dir, err);

	if (code)
		return code;
	if (is_doubtful(repo->git, dir)) {
		git_repository_free(repo->git);
		repo->git = NULL;
		return open_placed(repo, dir, err);
	}
	repo->git_dir = without_slash(git_repository_path(repo->git));
	repo->common_dir = without_slash(git_repository_commondir(repo->git));
	if (git_repository_workdir(repo->git))
		repo->work_dir =
			without_slash(git_repository_workdir(repo->git));
	return 0;
}

static char *assign(const char *name, const char *value)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "%s=%s", name, value);
	return pn_buf_detach(&text);
}

/* A linked worktree's hook has GIT_DIR in its environment, so a child is
 * always told where it works. */
static void fill_env(struct pn_repo *repo)
{
	size_t n = 0;

	repo->env[n++] = pn_strdup("LC_ALL=C");
	repo->env[n++] = assign("GIT_DIR", repo->git_dir);
	if (repo->work_dir)
		repo->env[n++] = assign("GIT_WORK_TREE", repo->work_dir);
	if (repo->head_by_git)
		repo->env[n++] = assign("GIT_COMMON_DIR", repo->common_dir);
}

static int check_format(struct pn_repo *repo, struct pn_error *err)
{
	char *format = NULL, *storage = NULL;
	int code = pn_config_own(&format, repo, "extensions.objectformat", err);

	if (!code)
		code = pn_config_own(&storage, repo, "extensions.refstorage",
				     err);
	if (!code && format && strcmp(format, "sha1"))
		code = pn_error_set(err, PN_EREFUSED,
				    "'%s' is a repository of %s objects; "
				    "git-perf works with SHA-1 repositories",
				    repo->git_dir,
				    strcmp(format, "sha256") ? format
							     : "SHA-256");
	else if (!code && storage && strcmp(storage, "files"))
		code = pn_error_set(err, PN_EREFUSED,
				    "'%s' keeps its refs in another form than "
				    "files (extensions.refStorage is '%s'); "
				    "git-perf works with the files form: git "
				    "refs migrate --ref-format=files",
				    repo->git_dir, storage);
	free(format);
	free(storage);
	return code;
}

static int open_repo(struct pn_repo **out, const char *dir,
		     struct pn_error *err)
{
	struct pn_repo *repo;
	bool placed = is_set("GIT_DIR") || is_set("GIT_WORK_TREE") ||
		      is_set("GIT_COMMON_DIR");
	int code = start_library(err);

	if (code)
		return code;
	repo = pn_calloc(1, sizeof(*repo));
	repo->dir = dir ? pn_strdup(dir) : NULL;
	repo->lock_fd = -1;
	pn_packed_init(&repo->packed);
	code = placed ? open_placed(repo, dir, err)
		      : open_found(repo, dir ? dir : ".", err);
	if (code)
		goto fail;
	fill_env(repo);
	code = check_format(repo, err);
	if (!code)
		code = pn_pack_check_all(repo, err);
	if (code)
		goto fail;
	*out = repo;
	return 0;
fail:
	pn_repo_free(repo);
	return code;
}

int pn_repo_open(struct pn_repo **out, const char *dir, struct pn_error *err)
{
	struct pn_trace2_region region =
		pn_trace2_enter(PN_TRACE2_HERE, "repository", "open");
	int code = open_repo(out, dir, err);

	pn_trace2_leave(PN_TRACE2_HERE, &region);
	return code;
}

void pn_repo_free(struct pn_repo *repo)
{
	size_t i;

	if (!repo)
		return;
	pn_packed_release(&repo->packed); /* its thread reads what follows */
	git_config_free(repo->config);
	git_odb_free(repo->odb);
	git_repository_free(repo->git);
	for (i = 0; i < PN_GIT_ENV_MAX; i++)
		free(repo->env[i]);
	free(repo->git_dir);
	free(repo->common_dir);
	free(repo->work_dir);
	free(repo->dir);
	pn_buf_release(&repo->configured);
	pn_buf_release(&repo->replaced);
	pn_pack_checks_free(repo->checks);
	free(repo);
	git_libgit2_shutdown();
}

struct pn_repo *pn_repo_beside(const struct pn_repo *repo)
{
	struct pn_repo *beside = pn_calloc(1, sizeof(*beside));

	beside->git = repo->git;
	beside->git_dir = repo->git_dir;
	beside->common_dir = repo->common_dir;
	beside->work_dir = repo->work_dir;
	beside->dir = repo->dir;
	memcpy(beside->env, repo->env, sizeof(beside->env));
	beside->lock_fd = -1;
	pn_packed_init(&beside->packed);
	return beside;
}

void pn_repo_beside_free(struct pn_repo *beside)
{
	if (!beside)
		return;
	git_odb_free(beside->odb);
	pn_pack_checks_free(beside->checks);
	pn_packed_release(&beside->packed);
	free(beside);
}
