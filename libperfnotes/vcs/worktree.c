/* Isolated worktrees: git worktree(1) and checkout(1); removal is our own,
 * because it has to work on whatever a kill left. */
#include "vcs/worktree.h"

#include "base/alloc.h"
#include "base/file.h"
#include "vcs/git.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIR_NAME "perf/worktrees"
#define PREFIX "perf-"
#define SLOTS_MAX 1000
#define SMALL_MAX 8192
#define ARGS_MAX 24

struct pn_worktree {
	struct pn_repo *repo; /* borrowed */
	char *path;
	int lock;
};

static const char *const settings[] = {"git",
				       "-c",
				       "core.hooksPath=/dev/null",
				       "-c",
				       "submodule.recurse=false",
				       "-c",
				       "core.fsmonitor=false",
				       "-c",
				       "advice.detachedHead=false",
				       "-c",
				       "gc.auto=0"};

#define SETTINGS (sizeof(settings) / sizeof(*settings))

/* So that git finds the repository by its folder. */
static const char *const unset[] = {"GIT_DIR",
				    "GIT_WORK_TREE",
				    "GIT_COMMON_DIR",
				    "GIT_INDEX_FILE",
				    "GIT_PREFIX",
				    "GIT_NAMESPACE",
				    "GIT_OBJECT_DIRECTORY",
				    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
				    "GIT_SHALLOW_FILE",
				    "GIT_GRAFT_FILE",
				    NULL};

/* Run git; in the worktree, or (inside false) in the repository. */
static int run_git(struct pn_buf *out, int *status,
		   const struct pn_worktree *tree, bool inside,
		   const char *const *args, struct pn_error *err)
{
	struct pn_process_options options = pn_git_options(tree->repo);
	static const char *const set[] = {"LC_ALL=C", "GIT_PERF_RUNNING=1",
					  NULL};
	const char *argv[SETTINGS + ARGS_MAX];
	struct pn_buf dropped = {0};
	char said[1024] = "";
	int code, n, result = 0;

	memcpy(argv, settings, sizeof(settings));
	for (n = 0; args[n] && n < ARGS_MAX - 1; n++)
		argv[SETTINGS + (size_t)n] = args[n];
	argv[SETTINGS + (size_t)n] = NULL;
	if (inside) {
		options.dir = tree->path;
		options.env_set = set;
		options.env_unset = unset;
	}
	options.own_group = true;
	code = pn_process_capture(out ? out : &dropped, said, &result, argv,
				  &options, PN_GIT_TEXT_MAX, err);
	if (!code && status)
		*status = result;
	else if (!code && result)
		code = pn_error_set(err, PN_EIO, "git %s failed: %s", args[0],
				    *said ? pn_git_said(said)
					  : "it was killed");
	pn_buf_release(&dropped);
	return code;
}

static char *slot_path(const struct pn_repo *repo, unsigned int n,
		       const char *end)
{
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/" DIR_NAME "/" PREFIX "%u%s", repo->common_dir,
		      n, end);
	return pn_buf_detach(&path);
}

/* Children inherit it: while git or a build is at work nobody else removes the
 * folder, even if we are dead. -1: it cannot be opened, -2: it is taken. */
static int open_lock(const char *path)
{
	int failed, fd = open(path, O_RDWR | O_CREAT, 0666);

	do
		failed = fd < 0 || flock(fd, LOCK_EX | LOCK_NB);
	while (failed && fd >= 0 && errno == EINTR);
	if (failed && fd >= 0) {
		close(fd);
		fd = -2;
	}
	return fd;
}

/* The lock that is taken while git adds a worktree, and while half-made ones
 * are looked for: git itself has none. */
static int lock_adding(const struct pn_repo *repo, struct pn_error *err)
{
	struct pn_buf path = {0};
	int fd, failed;

	pn_buf_printf(&path, "%s/" DIR_NAME "/add.lock", repo->common_dir);
	fd = open(pn_buf_text(&path), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	do
		failed = fd < 0 || flock(fd, LOCK_EX);
	while (failed && fd >= 0 && errno == EINTR);
	if (failed) {
		pn_error_system(err, "cannot lock '%s'", pn_buf_text(&path));
		if (fd >= 0)
			close(fd);
		fd = -1;
	}
	pn_buf_release(&path);
	return fd;
}

/* Whether git's folder of a worktree belongs to the one at `path`; or to
 * nobody, which only a killed `git worktree add` leaves. */
static bool belongs(const char *admin, const char *name, const char *path)
{
	struct pn_buf file = {0}, text = {0};
	size_t len = strlen(path);
	bool ours;

	pn_buf_printf(&file, "%s/gitdir", admin);
	if (pn_file_read(&text, pn_buf_text(&file), SMALL_MAX, NULL))
		ours = !strncmp(name, PREFIX, strlen(PREFIX));
	else
		ours = text.len > len + 5 && !memcmp(text.data, path, len) &&
		       !strncmp(pn_buf_text(&text) + len, "/.git", 5);
	pn_buf_release(&file);
	pn_buf_release(&text);
	return ours;
}

/* git's own part, <common dir>/worktrees/<name>. */
static int remove_admin(const struct pn_repo *repo, const char *path,
			struct pn_error *err)
{
	struct pn_buf dir = {0};
	struct dirent *entry;
	DIR *stream;
	int code = 0;

	pn_buf_printf(&dir, "%s/worktrees", repo->common_dir);
	stream = opendir(pn_buf_text(&dir));
	while (stream && !code && (entry = readdir(stream))) {
		struct pn_buf admin = {0};

		pn_buf_printf(&admin, "%s/%s", pn_buf_text(&dir),
			      entry->d_name);
		if (entry->d_name[0] != '.' &&
		    belongs(pn_buf_text(&admin), entry->d_name, path))
			code = pn_git_remove_tree(pn_buf_text(&admin), err);
		pn_buf_release(&admin);
	}
	if (stream)
		closedir(stream);
	rmdir(pn_buf_text(&dir)); /* as git does when the last one goes */
	pn_buf_release(&dir);
	return code;
}

/* Files first: what is left without them is found again by its folder. */
static int remove_all(const struct pn_repo *repo, const char *path,
		      struct pn_error *err)
{
	struct pn_buf gone = {0};
	int lock = lock_adding(repo, err), code;

	if (lock < 0)
		return PN_EIO;
	code = remove_admin(repo, path, err);
	close(lock);
	/* out of the way at once: the next one may take the place */
	pn_buf_printf(&gone, "%s.gone", path);
	if (!code)
		code = pn_git_remove_tree(pn_buf_text(&gone), err);
	if (!code && rename(path, pn_buf_text(&gone)) && errno != ENOENT)
		code = pn_error_system(err, "cannot remove '%s'", path);
	if (!code)
		code = pn_git_remove_tree(pn_buf_text(&gone), err);
	pn_buf_release(&gone);
	return code;
}

/* The first number that nobody uses. */
static int take_slot(struct pn_worktree *tree, struct pn_error *err)
{
	unsigned int n;

	for (n = 1; n <= SLOTS_MAX; n++) {
		char *lock = slot_path(tree->repo, n, ".lock");
		int fd = open_lock(lock), code;

		if (fd >= 0) {
			free(lock);
			tree->lock = fd;
			tree->path = slot_path(tree->repo, n, "");
			return 0;
		}
		code = fd == -1 ? pn_error_system(err, "cannot lock '%s'", lock)
				: 0;
		free(lock);
		if (code)
			return code;
	}
	return pn_error_set(err, PN_ELIMIT,
			    "%d runs over the history are at work already",
			    SLOTS_MAX);
}

static int add(const struct pn_worktree *tree, const struct pn_oid *commit,
	       struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	const char *const make[] = {
		"worktree", "add",	"--detach", "--no-checkout",
		"-f",	    tree->path, hex,	    NULL};
	const char *const lock[] = {"worktree", "lock",
				    "--reason", "git perf run measures here",
				    tree->path, NULL};
	int adding = lock_adding(tree->repo, err), code;

	if (adding < 0)
		return PN_EIO;
	pn_oid_hex(hex, commit);
	code = run_git(NULL, NULL, tree, false, make, err);
	close(adding);
	return code ? code : run_git(NULL, NULL, tree, false, lock, err);
}

int pn_worktree_open(struct pn_worktree **out, struct pn_repo *repo,
		     const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_worktree *tree = pn_calloc(1, sizeof(*tree));
	struct pn_buf dir = {0};
	int code;

	tree->repo = repo;
	tree->lock = -1;
	pn_buf_printf(&dir, "%s/" DIR_NAME, repo->common_dir);
	code = pn_file_make_dirs(pn_buf_text(&dir), err);
	if (!code)
		code = take_slot(tree, err);
	if (!code)
		code = remove_all(repo, tree->path, err);
	if (!code)
		code = add(tree, commit, err);
	pn_buf_release(&dir);
	if (code) {
		struct pn_error ignored;

		if (tree->path)
			pn_worktree_close(tree, &ignored);
		else
			free(tree);
		return code;
	}
	*out = tree;
	return 0;
}

const char *pn_worktree_path(const struct pn_worktree *tree)
{
	return tree->path;
}

/* One submodule from the copy below <common dir>/modules, so that neither
 * network nor credentials are needed. The commit chose its name: one with '='
 * would set something else than a URL. */
static int update_submodule(const struct pn_worktree *tree, const char *name,
			    const char *path, struct pn_error *err)
{
	struct pn_buf url = {0}, copy = {0};
	int code = 0;

	pn_buf_printf(&copy, "%s/modules/%s", tree->repo->common_dir, name);
	pn_buf_printf(&url, "submodule.%s.url=%s", name, pn_buf_text(&copy));
	if (!strstr(name, "..") && !strchr(name, '=') &&
	    !access(pn_buf_text(&copy), F_OK)) {
		const char *const args[] = {
			"-c",	     "protocol.file.allow=always",
			"-c",	     pn_buf_text(&url),
			"submodule", "update",
			"--init",    "--checkout",
			"--force",   "-q",
			"--",	     path,
			NULL};

		code = run_git(NULL, NULL, tree, true, args, err);
		if (code)
			pn_error_context(err, "submodule '%s'", path);
	}
	pn_buf_release(&url);
	pn_buf_release(&copy);
	return code;
}

/* .gitmodules of the commit: "submodule.<name>.path" LF <path> NUL. */
static int update_submodules(const struct pn_worktree *tree,
			     struct pn_error *err)
{
	static const char *const args[] = {"config",
					   "-z",
					   "-f",
					   ".gitmodules",
					   "--no-includes",
					   "--get-regexp",
					   "^submodule\\..*\\.path$",
					   NULL};
	struct pn_buf text = {0}, file = {0};
	const char *at, *end;
	int status = 0, code = 0;

	pn_buf_printf(&file, "%s/.gitmodules", tree->path);
	if (!access(pn_buf_text(&file), F_OK))
		code = run_git(&text, &status, tree, true, args, err);
	at = pn_buf_text(&text);
	for (end = at + text.len; !code && at < end; at += strlen(at) + 1) {
		const char *line = strchr(at, '\n');
		size_t len = line ? (size_t)(line - at) : 0;
		char *name;

		if (len < strlen("submodule..path"))
			continue;
		name = pn_strndup(at + 10, len - 10 - 5);
		code = update_submodule(tree, name, line + 1, err);
		free(name);
	}
	pn_buf_release(&text);
	pn_buf_release(&file);
	return code;
}

int pn_worktree_step(struct pn_worktree *tree, const struct pn_oid *commit,
		     struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	const char *const checkout[] = {"checkout", "-q", "--force", "--detach",
					hex,	    "--", NULL};
	static const char *const clean[] = {"clean", "-q", "-f",
					    "-f",    "-d", NULL};
	int code;

	pn_oid_hex(hex, commit);
	code = run_git(NULL, NULL, tree, true, checkout, err);
	if (!code)
		code = run_git(NULL, NULL, tree, true, clean, err);
	if (!code)
		code = update_submodules(tree, err);
	return code;
}

int pn_worktree_close(struct pn_worktree *tree, struct pn_error *err)
{
	int code = remove_all(tree->repo, tree->path, err);

	/* the file of the lock stays: another process may be opening it */
	flock(tree->lock, LOCK_UN); /* builds may have left processes */
	close(tree->lock);
	free(tree->path);
	free(tree);
	return code;
}

/* The number in "perf-<n>" or "perf-<n>.gone"; 0 for other names. */
static unsigned int slot_of(const char *name)
{
	unsigned int n = 0;

	if (strncmp(name, PREFIX, strlen(PREFIX)))
		return 0;
	for (name += strlen(PREFIX); *name >= '0' && *name <= '9'; name++)
		n = n > SLOTS_MAX ? n : n * 10 + (unsigned int)(*name - '0');
	if (*name && strcmp(name, ".gone"))
		return 0;
	return n > SLOTS_MAX ? 0 : n;
}

/* Count those that nobody uses, and (with `err`) remove them. */
static int each_stale(size_t *count, struct pn_repo *repo, bool remove,
		      struct pn_error *err)
{
	struct pn_buf dir = {0};
	struct dirent *entry;
	DIR *stream;
	int code = 0;

	*count = 0;
	pn_buf_printf(&dir, "%s/" DIR_NAME, repo->common_dir);
	stream = opendir(pn_buf_text(&dir));
	while (stream && !code && (entry = readdir(stream))) {
		unsigned int n = slot_of(entry->d_name);
		char *lock = slot_path(repo, n, ".lock");
		char *path = slot_path(repo, n, "");
		int fd = n ? open_lock(lock) : -1;

		if (fd >= 0) {
			++*count;
			if (remove)
				code = remove_all(repo, path, err);
			close(fd);
		}
		free(lock);
		free(path);
	}
	if (stream)
		closedir(stream);
	pn_buf_release(&dir);
	return code;
}

int pn_worktree_recover(size_t *removed, struct pn_repo *repo,
			struct pn_error *err)
{
	return each_stale(removed, repo, true, err);
}

size_t pn_worktree_stale(struct pn_repo *repo)
{
	size_t count;

	each_stale(&count, repo, false, NULL);
	return count;
}
