/* What a repository is known by, gitrepository-layout(5), asked of the system
 * with its reason. */
#include "vcs/unseen.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"

#include <errno.h>
#include <git2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CONFIG_MAX (64u << 20)

static int look(bool *there, const char *dir, const char *name,
		struct pn_error *err)
{
	struct pn_buf path = {0};
	struct stat st;
	int code = 0;

	pn_buf_printf(&path, "%s/%s", dir, name);
	*there = !stat(pn_buf_text(&path), &st);
	if (!*there && errno != ENOENT && errno != ENOTDIR && errno != EACCES &&
	    errno != ELOOP && errno != ENAMETOOLONG)
		code = pn_error_system(
			err, "cannot tell whether '%s' is a repository: '%s'",
			dir, pn_buf_text(&path));
	pn_buf_release(&path);
	return code;
}

/* 1 where a folder has all that a git directory has. */
static int look_inside(const char *dir, struct pn_error *err)
{
	static const char *const names[] = {"HEAD", "objects", "refs"};
	bool there = true;
	size_t i;
	int code = 0;

	for (i = 0; !code && there && i < sizeof(names) / sizeof(*names); i++)
		code = look(&there, dir, names[i], err);
	return code ? code : there;
}

/* A gitfile is taken as it is: libgit2 says what is wrong with one. */
static int look_at(const char *dir, struct pn_error *err)
{
	struct pn_buf path = {0};
	struct stat st;
	bool there;
	int code = look(&there, dir, ".git", err);

	pn_buf_printf(&path, "%s/.git", dir);
	if (!code && there)
		code = stat(pn_buf_text(&path), &st) || S_ISDIR(st.st_mode)
			       ? look_inside(pn_buf_text(&path), err)
			       : 1;
	if (!code)
		code = look_inside(dir, err);
	pn_buf_release(&path);
	return code;
}

/* From `dir` up, as far as `take` returns 0. */
static int climb(const char *dir,
		 int (*take)(const char *dir, struct pn_error *err),
		 struct pn_error *err)
{
	char *at = realpath(dir, NULL), *slash;
	int code = 0;

	while (at && !(code = take(at, err))) {
		slash = strrchr(at, '/');
		if (!slash || !slash[1])
			break;
		slash[slash == at] = '\0';
	}
	free(at);
	return code;
}

int pn_unseen(const char *dir, struct pn_error *err)
{
	return climb(dir, look_at, err);
}

static int try_to_read(const char *path, struct pn_error *err)
{
	struct pn_buf text = {0};
	int code = pn_file_read(&text, path, CONFIG_MAX, err);

	pn_buf_release(&text);
	return code == PN_EIO ? code : 0;
}

static int read_at(const char *dir, struct pn_error *err)
{
	struct pn_buf path = {0};
	int code;

	pn_buf_printf(&path, "%s/config", dir);
	code = try_to_read(pn_buf_text(&path), err);
	pn_buf_clear(&path);
	pn_buf_printf(&path, "%s/.git/config", dir);
	if (!code)
		code = try_to_read(pn_buf_text(&path), err);
	pn_buf_release(&path);
	return code;
}

int pn_unread(const char *dir, struct pn_error *err)
{
	int (*const find[])(git_buf *) = {git_config_find_system,
					  git_config_find_global,
					  git_config_find_xdg};
	const char *global = getenv("GIT_CONFIG_GLOBAL");
	const git_error *last = git_error_last();
	git_buf path = {0};
	char *said;
	size_t i;
	int code;

	if (!last || !last->message || !strstr(last->message, "descriptor"))
		return 0;
	said = pn_strdup(last->message);
	code = climb(dir, read_at, err);
	if (!code && global)
		code = try_to_read(global, err);
	for (i = 0; !code && i < sizeof(find) / sizeof(*find); i++)
		if (!find[i](&path))
			code = try_to_read(path.ptr, err);
	git_buf_dispose(&path);
	git_error_set_str(GIT_ERROR_OS, said);
	free(said);
	return code;
}
