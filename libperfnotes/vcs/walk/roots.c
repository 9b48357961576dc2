/* Refs and reflogs, each looked at for itself: gitrepository-layout(5). */
#include "vcs/walk/roots.h"

#include "base/buf.h"
#include "base/file.h"
#include "base/oid.h"
#include "vcs/child.h"
#include "vcs/ref/ref.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REF_MAX 4096 /* bytes of a file that is a ref */

static int refuse(const char *what, const char *why, struct pn_error *err)
{
	return pn_error_set(err, PN_EREFUSED,
			    "cannot tell which commits are needed: '%s': %s",
			    what, why);
}

/* git made symbolic refs this way once. */
static bool is_old_symref(const char *path)
{
	char target[6] = "";

	return readlink(path, target, 5) == 5 && !strcmp(target, "refs/");
}

static int check_ref(const char *path, struct pn_error *err)
{
	struct pn_buf text = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC), code = 0;

	if (fd < 0 || pn_file_read_all(&text, fd, REF_MAX)) {
		if (errno != ENOENT && !is_old_symref(path))
			code = refuse(path, strerror(errno), err);
	} else if (!pn_ref_is_text(pn_buf_text(&text))) {
		code = refuse(path, "the ref is damaged", err);
	}
	if (fd >= 0)
		close(fd);
	pn_buf_release(&text);
	return code;
}

static int check_log(const char *path, struct pn_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno == ENOENT ? 0 : refuse(path, strerror(errno), err);
	close(fd);
	return 0;
}

typedef int check(const char *path, struct pn_error *err);

static int check_below(struct pn_buf *path, check *each, bool top,
		       struct pn_error *err);

/* What git itself passes over is no ref; ours are none that lead to commits. */
static int check_entry(struct pn_buf *path, const char *name, check *each,
		       bool top, struct pn_error *err)
{
	size_t len = strlen(name), before = path->len;
	struct stat st;
	int code = 0;

	if (name[0] == '.' || (len > 5 && !strcmp(name + len - 5, ".lock")) ||
	    (top && (!strcmp(name, "notes") || !strcmp(name, "perf"))))
		return 0;
	pn_buf_printf(path, "/%s", name);
	if (lstat(pn_buf_text(path), &st)) {
		if (errno != ENOENT)
			code = refuse(pn_buf_text(path), strerror(errno), err);
	} else if (S_ISDIR(st.st_mode)) {
		code = check_below(path, each, false, err);
	} else {
		code = each(pn_buf_text(path), err);
	}
	pn_buf_cut(path, before);
	return code;
}

static int check_below(struct pn_buf *path, check *each, bool top,
		       struct pn_error *err)
{
	DIR *dir = opendir(pn_buf_text(path));
	struct dirent *entry = NULL;
	int code = 0;

	if (!dir && errno == ENOENT)
		return 0;
	while (dir && !code && (errno = 0, entry = readdir(dir)))
		code = check_entry(path, entry->d_name, each, top, err);
	if (!code && !entry && errno)
		code = refuse(pn_buf_text(path), strerror(errno), err);
	if (dir)
		closedir(dir);
	return code;
}

/* A folder of git: of the repository, or of a linked worktree. */
static int check_dir(const char *dir, struct pn_error *err)
{
	struct pn_buf path = {0};
	int code;

	pn_buf_printf(&path, "%s/HEAD", dir);
	code = check_ref(pn_buf_text(&path), err);
	if (!code) {
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s/refs", dir);
		code = check_below(&path, check_ref, true, err);
	}
	if (!code) {
		pn_buf_clear(&path);
		pn_buf_printf(&path, "%s/logs", dir);
		code = check_below(&path, check_log, false, err);
	}
	pn_buf_release(&path);
	return code;
}

/* What a branch or tag names has to be here: of a missing one git says nothing
 * where it is asked to pass over missing ones, as those of old reflogs are. */
static int check_names(struct pn_repo *repo, struct pn_error *err)
{
	static const char *const argv[] = {"git", "for-each-ref",
					   "--format=%(objectname) %(refname)",
					   NULL};
	struct pn_buf text = {0};
	const char *at, *name;
	char said[1024] = "";
	struct pn_oid id;
	size_t len;
	int status = 0;
	int code = pn_child_run(&text, said, &status, repo, argv, err);

	if (!code && status)
		code = refuse("refs", pn_child_said(said), err);
	for (at = pn_buf_text(&text); !code && *at;
	     at += len + (at[len] != '\0')) {
		len = strcspn(at, "\n");
		if (len <= PN_OID_HEX + 1 || pn_oid_parse(&id, at))
			continue;
		name = at + PN_OID_HEX + 1;
		if (!strncmp(name, "refs/notes/", 11) ||
		    !strncmp(name, "refs/perf/", 10) ||
		    pn_repo_has_object(repo, &id))
			continue;
		pn_buf_cut(&text, (size_t)(at - pn_buf_text(&text)) + len);
		code = refuse(name, "what it names is not here", err);
	}
	pn_buf_release(&text);
	return code;
}

int pn_roots_worktrees(struct pn_repo *repo,
		       int (*each)(void *data, const char *dir,
				   struct pn_error *err),
		       void *data, struct pn_error *err)
{
	struct pn_buf path = {0};
	struct dirent *entry = NULL;
	size_t above;
	DIR *dir;
	int code = 0;

	pn_buf_printf(&path, "%s/worktrees", pn_repo_common_dir(repo));
	above = path.len;
	dir = opendir(pn_buf_text(&path));
	if (!dir && errno != ENOENT)
		code = refuse(pn_buf_text(&path), strerror(errno), err);
	while (dir && !code && (errno = 0, entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		pn_buf_printf(&path, "/%s", entry->d_name);
		code = each(data, pn_buf_text(&path), err);
		pn_buf_cut(&path, above);
	}
	if (dir && !code && !entry && errno)
		code = refuse(pn_buf_text(&path), strerror(errno), err);
	if (dir)
		closedir(dir);
	pn_buf_release(&path);
	return code;
}

static int check_worktree(void *data, const char *dir, struct pn_error *err)
{
	(void)data;
	return check_dir(dir, err);
}

int pn_roots_check(struct pn_repo *repo, struct pn_error *err)
{
	int code = check_dir(pn_repo_common_dir(repo), err);

	if (!code)
		code = pn_roots_worktrees(repo, check_worktree, NULL, err);
	return code ? code : check_names(repo, err);
}
