/* Our block in the hooks of a repository. */
#include "jobs/hooks/set.h"

#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HOOK_MAX (1u << 20) /* bytes of somebody's hook */

static int load_one(struct pn_hook *hook, const char *dir, const char *name,
		    struct pn_error *err)
{
	struct pn_buf path = {0};
	struct stat st;
	int code;

	pn_buf_printf(&path, "%s/%s", dir, name);
	hook->name = name;
	hook->path = pn_buf_detach(&path);
	if (lstat(hook->path, &st))
		return 0;
	hook->is_link = S_ISLNK(st.st_mode);
	if (stat(hook->path, &st) || !S_ISREG(st.st_mode))
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' is not a regular file", hook->path);
	hook->exists = true;
	hook->executable = (st.st_mode & 0111) != 0;
	code = pn_file_read(&hook->text, hook->path, HOOK_MAX, err);
	if (!code)
		code = pn_hook_file_state(&hook->state, name,
					  pn_buf_text(&hook->text),
					  hook->text.len, err);
	return code ? pn_error_context(err, "'%s'", hook->path) : 0;
}

int pn_hook_set_load(struct pn_hook_set *set, struct pn_repo *repo,
		     enum pn_hooks_scope scope, struct pn_error *err)
{
	int code = pn_hooks_find(&set->place, repo, scope, err);

	if (!set->names)
		set->names = pn_hook_names;
	for (set->count = 0; !code && set->names[set->count]; set->count++)
		code = load_one(&set->hooks[set->count], set->place.dir,
				set->names[set->count], err);
	return code;
}

void pn_hook_set_release(struct pn_hook_set *set)
{
	size_t i;

	for (i = 0; i < PN_HOOKS_SET; i++) {
		free(set->hooks[i].path);
		pn_buf_release(&set->hooks[i].text);
		pn_buf_release(&set->hooks[i].next);
	}
	pn_hooks_release(&set->place);
}

/* Somebody's sources, or hooks of all repositories: theirs to change. */
static int check_place(struct pn_hook_set *set, struct pn_error *err)
{
	const struct pn_hook *hook = NULL;
	bool tracked = false;
	size_t i;
	int code = pn_hooks_is_tracked(&tracked, set->hooks[0].path, err);

	for (i = 0; !code && !tracked && i < set->count; i++) {
		hook = &set->hooks[i];
		if (hook->is_link)
			code = pn_hooks_is_tracked(&tracked, hook->path, err);
	}
	if (code || (!tracked && !set->place.shared))
		return code;
	set->foreign = true;
	if (set->place.shared)
		return pn_error_set(err, PN_EREFUSED,
				    "core.hooksPath is '%s' for other "
				    "repositories, too",
				    set->place.dir);
	return pn_error_set(err, PN_EREFUSED,
			    "the hooks in '%s' are part of a work tree",
			    set->place.dir);
}

/* Whether linked worktrees are registered; the folder stays when the last one
 * has gone. */
static bool has_linked(struct pn_repo *repo)
{
	struct pn_buf path = {0};
	struct dirent *entry;
	bool has = false;
	DIR *dir;

	pn_buf_printf(&path, "%s/worktrees", pn_repo_common_dir(repo));
	dir = opendir(pn_buf_text(&path));
	while (dir && !has && (entry = readdir(dir)))
		has = entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	pn_buf_release(&path);
	return has;
}

/* Without a worktree nobody commits or merges. */
static int check_repo(struct pn_repo *repo, struct pn_error *err)
{
	if (pn_repo_work_dir(repo) || has_linked(repo))
		return 0;
	return pn_error_set(err, PN_EREFUSED,
			    "nobody commits in a bare repository, so that "
			    "hooks would never run: install them where people "
			    "commit, or make a worktree first");
}

static int add_block(struct pn_hook *hook, struct pn_error *err)
{
	int code;

	if (!hook->exists) {
		pn_hook_file_new(&hook->next, hook->name);
		return 0;
	}
	if (!hook->executable)
		return pn_error_set(err, PN_EREFUSED,
				    "'%s' is not executable, so git passes "
				    "over it: 'chmod +x' it or move it away",
				    hook->path);
	code = pn_hook_file_add(&hook->next, hook->name,
				pn_buf_text(&hook->text), hook->text.len, err);
	if (code == PN_EREFUSED) {
		pn_error_context(err, "cannot change '%s'", hook->path);
		hook->refused = true;
	}
	return code;
}

/* A new file gets an x for each r that the umask leaves, or that a repository
 * of several users asks for. */
static int fill(const char *path, const struct pn_hook *hook,
		struct pn_repo *repo, bool is_own, struct pn_error *err)
{
	struct stat st;
	int fd, code = 0;

	unlink(path); /* of one that was killed: nobody else calls his so */
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return errno == EEXIST ? PN_ECONFLICT
				       : pn_file_fail(err, "write", path);
	if (pn_file_write_all(fd, hook->next.data, hook->next.len) ||
	    fstat(fd, &st) ||
	    fchmod(fd, (st.st_mode & 07777) | ((st.st_mode & 0444) >> 2)))
		code = pn_error_system(err, "cannot write '%s'", path);
	if (close(fd) && !code)
		code = pn_error_system(err, "cannot write '%s'", path);
	if (!code && is_own)
		pn_repo_share(repo, path);
	if (code)
		unlink(path);
	return code;
}

/* It is whole and executable from its first moment: nobody mends what a killed
 * one leaves. */
static int create(const struct pn_hook *hook, struct pn_repo *repo, bool is_own,
		  struct pn_error *err)
{
	struct pn_buf path = {0};
	int code;

	pn_buf_printf(&path, "%s.git-perf-new", hook->path);
	code = fill(pn_buf_text(&path), hook, repo, is_own, err);
	if (!code && pn_file_move_new(AT_FDCWD, pn_buf_text(&path), AT_FDCWD,
				      hook->path)) {
		code = errno == EEXIST
			       ? PN_ECONFLICT
			       : pn_error_system(err, "cannot write '%s'",
						 hook->path);
		unlink(pn_buf_text(&path));
	}
	if (code == PN_ECONFLICT)
		pn_error_set(err, code, "'%s' has just been created",
			     hook->path);
	pn_buf_release(&path);
	return code;
}

static int write_all(struct pn_hook_set *set, struct pn_repo *repo,
		     struct pn_error *err)
{
	bool made = access(set->place.dir, F_OK) != 0;
	int code = pn_file_make_dirs(set->place.dir, err);
	size_t i;

	if (!code && made && !set->place.shared)
		pn_repo_share(repo, set->place.dir);
	for (i = 0; !code && i < set->count; i++) {
		struct pn_hook *hook = &set->hooks[i];

		if (hook->state == PN_HOOK_PRESENT)
			continue;
		code = hook->exists
			       ? pn_file_write(hook->path, hook->next.data,
					       hook->next.len, false, err)
			       : create(hook, repo, !set->place.shared, err);
		if (!code)
			hook->change = !hook->exists ? PN_HOOK_CREATED
				       : hook->state == PN_HOOK_ABSENT
					       ? PN_HOOK_ADDED
					       : PN_HOOK_RENEWED;
	}
	return code;
}

int pn_hook_set_install(struct pn_hook_set *set, struct pn_repo *repo,
			enum pn_hooks_scope scope, struct pn_error *err)
{
	size_t i;
	int code = check_repo(repo, err);

	if (!code)
		code = pn_hook_set_load(set, repo, scope, err);
	if (!code)
		code = check_place(set, err);
	for (i = 0; !code && i < set->count; i++)
		code = add_block(&set->hooks[i], err);
	return code ? code : write_all(set, repo, err);
}

static int take_out(struct pn_hook *hook, struct pn_error *err)
{
	int code;

	if (hook->alone && unlink(hook->path))
		code = pn_error_system(err, "cannot remove '%s'", hook->path);
	else if (hook->alone)
		code = 0;
	else
		code = pn_file_write(hook->path, hook->next.data,
				     hook->next.len, false, err);
	if (!code)
		hook->change =
			hook->alone ? PN_HOOK_REMOVED : PN_HOOK_TAKEN_OUT;
	return code;
}

int pn_hook_set_uninstall(struct pn_hook_set *set, struct pn_repo *repo,
			  enum pn_hooks_scope scope, struct pn_error *err)
{
	size_t i;
	int code = pn_hook_set_load(set, repo, scope, err);

	for (i = 0; !code && i < set->count; i++) {
		struct pn_hook *hook = &set->hooks[i];

		if (!hook->exists || hook->state == PN_HOOK_ABSENT)
			continue;
		code = pn_hook_file_remove(&hook->next, &hook->alone,
					   pn_buf_text(&hook->text),
					   hook->text.len, err);
		if (!code)
			code = take_out(hook, err);
	}
	return code;
}

const char *pn_hook_state_name(const struct pn_hook *hook)
{
	if (!hook->exists)
		return "absent";
	if (hook->state == PN_HOOK_ABSENT)
		return "foreign";
	if (!hook->executable)
		return "inactive";
	return hook->state == PN_HOOK_PRESENT ? "installed" : "outdated";
}
