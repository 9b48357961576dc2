/* Isolated worktrees. Builds of any commit run in them, so that nothing there
 * is believed: git is always told which worktree it works in. */
#include "vcs/worktree/worktree.h"

#include "base/alloc.h"
#include "base/escape.h"
#include "base/file.h"
#include "base/folder/folder.h"
#include "base/folder/mounts.h"
#include "vcs/child.h"
#include "vcs/git.h"
#include "vcs/worktree/worktree_admin.h"

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
#define ARGS_MAX 24
#define ENV_MAX 6

struct pn_worktree {
	struct pn_repo *repo; /* borrowed */
	unsigned int slot;
	char *path, *admin;
	int above;	  /* the folder that holds it, open */
	struct stat made; /* the folder */
	int lock;
	char *set[ENV_MAX]; /* environment of git */
	bool partial;	    /* a submodule has no copy here */
	struct pn_error lost;
};

static const char *const settings[] = {"git",
				       "-c",
				       "core.hooksPath=/dev/null",
				       "-c",
				       "submodule.recurse=false",
				       "-c",
				       "core.fsmonitor=false",
				       "-c",
				       "core.sparseCheckout=false",
				       "-c",
				       "advice.detachedHead=false",
				       "-c",
				       "gc.auto=0"};

#define SETTINGS (sizeof(settings) / sizeof(*settings))

/* What git has from us instead, and what ties it to another repository. */
static const char *const unset[] = {"GIT_COMMON_DIR",
				    "GIT_INDEX_FILE",
				    "GIT_PREFIX",
				    "GIT_NAMESPACE",
				    "GIT_OBJECT_DIRECTORY",
				    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
				    "GIT_SHALLOW_FILE",
				    "GIT_GRAFT_FILE",
				    NULL};

static char *assign(const char *name, const char *value)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "%s=%s", name, value);
	return pn_buf_detach(&text);
}

/* By its folder git would find the repository around it, should .git be gone:
 * the user's own, with the user's own work tree. */
static void set_environment(struct pn_worktree *tree)
{
	size_t i, n = 0;

	for (i = 0; i < ENV_MAX; i++)
		free(tree->set[i]);
	tree->set[n++] = pn_strdup("LC_ALL=C");
	tree->set[n++] = pn_strdup("GIT_PERF_RUNNING=1");
	tree->set[n++] = assign("GIT_DIR", tree->admin);
	tree->set[n++] = assign("GIT_WORK_TREE", tree->path);
	tree->set[n++] = pn_worktree_ceiling(tree);
	tree->set[n] = NULL;
}

/* A list with colons between its paths, which git resolves: one with a colon of
 * its own is named by a link of proc(5). */
char *pn_worktree_ceiling(const struct pn_worktree *tree)
{
	const char *own = getenv("GIT_CEILING_DIRECTORIES");
	struct pn_buf text = {0};

	pn_buf_add_text(&text, "GIT_CEILING_DIRECTORIES=");
	if (strchr(tree->repo->common_dir, ':'))
		pn_buf_printf(&text, "/proc/%ld/fd/%d", (long)getpid(),
			      tree->above);
	else
		pn_buf_printf(&text, "%s/" DIR_NAME, tree->repo->common_dir);
	if (own && *own)
		pn_buf_printf(&text, ":%s", own);
	return pn_buf_detach(&text);
}

/* Run git in the worktree. */
static int run_git(struct pn_buf *out, int *status,
		   const struct pn_worktree *tree, const char *const *args,
		   struct pn_error *err)
{
	struct pn_process_options options = pn_child_options(tree->repo);
	const char *argv[SETTINGS + ARGS_MAX];
	struct pn_buf dropped = {0};
	char said[1024] = "";
	int code, n, result = 0;

	memcpy(argv, settings, sizeof(settings));
	for (n = 0; args[n] && n < ARGS_MAX - 1; n++)
		argv[SETTINGS + (size_t)n] = args[n];
	argv[SETTINGS + (size_t)n] = NULL;
	options.dir = tree->path;
	options.env_set = (const char *const *)tree->set;
	options.env_unset = unset;
	options.own_group = true;
	code = pn_process_capture(out ? out : &dropped, said, &result, argv,
				  &options, PN_CHILD_TEXT_MAX, err);
	if (!code && status)
		*status = result;
	else if (!code && result)
		code = pn_error_set(err, PN_EIO, "git %s failed: %s", args[0],
				    *said ? pn_child_said(said)
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
 * folder, even if we are dead. -1: it cannot be locked, -2: it is taken. */
static int open_lock(const char *path)
{
	int failed, fd = open(path, O_RDWR | O_CREAT, 0666);

	do
		failed = fd < 0 || flock(fd, LOCK_EX | LOCK_NB);
	while (failed && fd >= 0 && errno == EINTR);
	if (failed && fd >= 0) {
		failed = errno;
		close(fd);
		errno = failed;
		fd = failed == EWOULDBLOCK ? -2 : -1;
	}
	return fd;
}

/* What a build of another user left, as in a container, we may not remove: who
 * may is told the command. */
static int tell_command(struct pn_error *err, const char *path,
			const char *gone)
{
	struct pn_buf command = {0};
	struct pn_error why = *err;

	pn_escape_shell(&command, access(gone, F_OK) ? path : gone);
	pn_error_set(err, why.code, "%s; sudo rm -r -- %s removes it",
		     why.message, pn_buf_text(&command));
	pn_buf_release(&command);
	return err->code;
}

/* git's part first: what is left without it is found again by its folder. */
static int remove_all(const struct pn_repo *repo, unsigned int slot,
		      const char *path, struct pn_error *err)
{
	struct pn_buf gone = {0};
	struct pn_error why;
	struct stat st;
	int code = 0;

	if (!err)
		err = &why;
	/* a link that a build put there is not followed */
	if (!lstat(path, &st) && S_ISDIR(st.st_mode))
		code = pn_mounts_refuse(path, err);
	if (!code)
		code = pn_worktree_admin_remove(repo, slot, path, err);
	/* out of the way at once: the next one may take the place */
	pn_buf_printf(&gone, "%s.gone", path);
	if (!code)
		code = pn_folder_remove(pn_buf_text(&gone), err);
	if (!code && rename(path, pn_buf_text(&gone)) && errno != ENOENT)
		code = pn_error_system(err, "cannot remove '%s'", path);
	if (!code)
		code = pn_folder_remove(pn_buf_text(&gone), err);
	if (code == PN_EIO)
		code = tell_command(err, path, pn_buf_text(&gone));
	pn_buf_release(&gone);
	return code;
}

/* Take a number if nobody uses it, and clear what its last user left: 1; 0 when
 * it is taken, or what is there cannot be removed: *why says that then. */
static int try_slot(struct pn_worktree *tree, unsigned int n,
		    struct pn_error *why)
{
	char *path = slot_path(tree->repo, n, ".lock");
	int fd = open_lock(path), code = 0;

	if (fd == -1)
		code = pn_error_system(why, "cannot lock '%s'", path);
	free(path);
	if (fd < 0)
		return code;
	path = slot_path(tree->repo, n, "");
	if (remove_all(tree->repo, n, path, why)) {
		close(fd);
		free(path);
		return 0;
	}
	tree->lock = fd;
	tree->slot = n;
	tree->path = path;
	return 1;
}

/* The first number that nobody uses. */
static int take_slot(struct pn_worktree *tree, struct pn_error *err)
{
	struct pn_error why = {0};
	unsigned int n;
	int code = 0;

	for (n = 1; n <= SLOTS_MAX && !code; n++)
		code = try_slot(tree, n, &why);
	if (code > 0)
		return 0;
	if (why.code)
		return pn_error_set(err, why.code, "%s", why.message);
	return pn_error_set(err, PN_ELIMIT,
			    "%d runs over the history are at work already",
			    SLOTS_MAX);
}

static int add(struct pn_worktree *tree, const struct pn_oid *commit,
	       struct pn_error *err)
{
	int code = 0;

	free(tree->admin);
	tree->admin = NULL;
	if (mkdir(tree->path, 0777) || lstat(tree->path, &tree->made))
		code = pn_error_system(err, "cannot make '%s'", tree->path);
	if (!code)
		code = pn_worktree_admin_make(&tree->admin, tree->repo,
					      tree->slot, tree->path, commit,
					      err);
	if (!code)
		set_environment(tree);
	return code;
}

static void free_tree(struct pn_worktree *tree)
{
	size_t i;

	if (tree->above >= 0)
		close(tree->above);
	for (i = 0; i < ENV_MAX; i++)
		free(tree->set[i]);
	free(tree->path);
	free(tree->admin);
	free(tree);
}

int pn_worktree_open(struct pn_worktree **out, struct pn_repo *repo,
		     const struct pn_oid *commit, struct pn_error *err)
{
	struct pn_worktree *tree = pn_calloc(1, sizeof(*tree));
	struct pn_buf dir = {0};
	int code;

	tree->repo = repo;
	tree->lock = -1;
	tree->above = -1;
	pn_buf_printf(&dir, "%s/" DIR_NAME, repo->common_dir);
	code = pn_file_make_dirs(pn_buf_text(&dir), err);
	if (!code) {
		tree->above = open(pn_buf_text(&dir),
				   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (tree->above < 0)
			code = pn_error_system(err, "cannot open folder '%s'",
					       pn_buf_text(&dir));
	}
	if (!code)
		code = take_slot(tree, err);
	if (!code)
		code = add(tree, commit, err);
	pn_buf_release(&dir);
	if (code) {
		struct pn_error ignored;

		if (tree->path)
			pn_worktree_close(tree, &ignored);
		else
			free_tree(tree);
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
static int update_submodule(struct pn_worktree *tree, const char *name,
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

		code = run_git(NULL, NULL, tree, args, err);
		if (code)
			pn_error_context(err, "submodule '%s'", path);
	} else {
		tree->partial = true;
	}
	pn_buf_release(&url);
	pn_buf_release(&copy);
	return code;
}

/* .gitmodules of the commit: "submodule.<name>.path" LF <path> NUL. */
static int update_submodules(struct pn_worktree *tree, struct pn_error *err)
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
	struct stat st;
	int status = 0, code;

	pn_buf_printf(&file, "%s/.gitmodules", tree->path);
	code = pn_file_look(&st, pn_buf_text(&file), err);
	if (code > 0)
		code = run_git(&text, &status, tree, args, err);
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

static int check_out(struct pn_worktree *tree, const struct pn_oid *commit,
		     struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	const char *const checkout[] = {"checkout", "-q", "--force", "--detach",
					hex,	    "--", NULL};
	static const char *const clean[] = {"clean", "-q", "-f",
					    "-f",    "-d", NULL};
	int code;

	pn_oid_hex(hex, commit);
	tree->partial = false;
	code = run_git(NULL, NULL, tree, checkout, err);
	if (!code)
		code = run_git(NULL, NULL, tree, clean, err);
	if (!code)
		code = update_submodules(tree, err);
	return code;
}

/* Whether it is still what we made; PN_EREFUSED says what is not. */
static int look(const struct pn_worktree *tree, struct pn_error *err)
{
	struct stat st;

	if (!tree->admin)
		return pn_error_set(err, PN_EREFUSED, "'%s' could not be made",
				    tree->path);
	if (lstat(tree->path, &st) || st.st_dev != tree->made.st_dev ||
	    st.st_ino != tree->made.st_ino || !S_ISDIR(st.st_mode))
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' is not the folder that was made",
				    tree->path);
	return pn_worktree_admin_check(tree->admin, tree->path, err);
}

int pn_worktree_step(struct pn_worktree *tree, const struct pn_oid *commit,
		     struct pn_error *err)
{
	int code = 0;

	tree->lost.code = look(tree, &tree->lost);
	/* neither git nor we may reach through it */
	if (tree->lost.code != PN_EREFUSED)
		code = pn_mounts_refuse(tree->path, err);
	if (code)
		return code;
	if (!tree->lost.code)
		tree->lost.code = check_out(tree, commit, &tree->lost);
	if (!tree->lost.code)
		return 0;
	/* a build may have left a lock or a broken index, too */
	code = remove_all(tree->repo, tree->slot, tree->path, err);
	if (!code)
		code = add(tree, commit, err);
	return code ? code : check_out(tree, commit, err);
}

const char *pn_worktree_lost(const struct pn_worktree *tree)
{
	return tree->lost.code ? tree->lost.message : NULL;
}

bool pn_worktree_is_partial(const struct pn_worktree *tree)
{
	return tree->partial;
}

int pn_worktree_close(struct pn_worktree *tree, struct pn_error *err)
{
	int code = remove_all(tree->repo, tree->slot, tree->path, err);

	/* the file of the lock stays: another process may be opening it */
	flock(tree->lock, LOCK_UN); /* builds may have left processes */
	close(tree->lock);
	free_tree(tree);
	return code;
}

/* The number in "perf-<n>", "perf-<n>.gone" or "perf-<n>.admin"; 0 for other
 * names. */
static unsigned int slot_of(const char *name)
{
	unsigned int n = 0;

	if (strncmp(name, PREFIX, strlen(PREFIX)))
		return 0;
	for (name += strlen(PREFIX); *name >= '0' && *name <= '9'; name++)
		n = n > SLOTS_MAX ? n : n * 10 + (unsigned int)(*name - '0');
	if (*name && strcmp(name, ".gone") != 0 && strcmp(name, ".admin") != 0)
		return 0;
	return n > SLOTS_MAX ? 0 : n;
}

/* One that nobody uses: 1, or a failure; 0 when it is used. */
static int clear_stale(struct pn_repo *repo, unsigned int slot, bool remove,
		       struct pn_error *err)
{
	char *lock = slot_path(repo, slot, ".lock");
	char *path = slot_path(repo, slot, "");
	int fd = open_lock(lock), code = 0;

	if (fd >= 0) {
		code = remove ? remove_all(repo, slot, path, err) : 0;
		close(fd);
	}
	free(lock);
	free(path);
	return code ? code : fd >= 0;
}

/* Count those that nobody uses, and remove them: one that cannot be removed
 * keeps no other; the first of them is the error. */
static int each_stale(size_t *count, struct pn_repo *repo, bool remove,
		      struct pn_error *err)
{
	bool seen[SLOTS_MAX + 1] = {false};
	struct pn_buf dir = {0};
	struct pn_error first = {0}, why;
	struct dirent *entry;
	unsigned int n;
	DIR *stream;
	int code = 0;

	*count = 0;
	pn_buf_printf(&dir, "%s/" DIR_NAME, repo->common_dir);
	stream = opendir(pn_buf_text(&dir));
	if (!stream && errno != ENOENT)
		code = pn_error_system(err, "cannot read folder '%s'",
				       pn_buf_text(&dir));
	while (stream && (errno = 0, entry = readdir(stream)))
		seen[slot_of(entry->d_name)] = true;
	if (stream && errno)
		code = pn_error_system(err, "cannot read folder '%s'",
				       pn_buf_text(&dir));
	if (stream)
		closedir(stream);
	pn_buf_release(&dir);
	if (code)
		return code;
	for (n = 1; n <= SLOTS_MAX; n++) {
		code = seen[n] ? clear_stale(repo, n, remove, &why) : 0;
		*count += code > 0;
		if (code < 0 && !first.code)
			first = why;
	}
	return first.code ? pn_error_set(err, first.code, "%s", first.message)
			  : 0;
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
