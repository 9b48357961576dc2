/* libgit2's errors and git's own words; children of a repository. */
#include "vcs/git.h"

#include "base/file.h"
#include "base/folder/folder.h"
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int pn_git_fail(struct pn_error *err, int code, const char *format, ...)
{
	const git_error *last = git_error_last();
	char text[PN_ERROR_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (!last || !last->message)
		return pn_error_set(err, code, "%s", text);
	return pn_error_set(err, code, "%s: %s", text, last->message);
}

int pn_git_code(int result)
{
	switch (result) {
	case GIT_ENOTFOUND:
		return PN_ENOTFOUND;
	case GIT_EAMBIGUOUS:
		return PN_EAMBIGUOUS;
	case GIT_EINVALIDSPEC:
		return PN_EINVAL;
	case GIT_EEXISTS:
	case GIT_EMODIFIED:
		return PN_ECONFLICT;
	case GIT_ELOCKED:
		return PN_ELOCKED;
	default:
		return PN_EIO;
	}
}

struct pn_process_options pn_git_options(const struct pn_repo *repo)
{
	struct pn_process_options options = {0};

	options.dir = repo->dir;
	options.env_set = (const char *const *)repo->env;
	options.in = -1;
	return options;
}

int pn_git_run(struct pn_buf *out, char err_text[1024], int *status,
	       const struct pn_repo *repo, const char *const *argv,
	       struct pn_error *err)
{
	struct pn_process_options options = pn_git_options(repo);

	return pn_process_capture(out, err_text, status, argv, &options,
				  PN_GIT_TEXT_MAX, err);
}

const char *pn_git_said(char err_text[1024])
{
	char *text = err_text;
	char *end;

	if (!strncmp(text, "fatal: ", 7))
		text += 7;
	else if (!strncmp(text, "error: ", 7))
		text += 7;
	end = strchr(text, '\n');
	if (end)
		*end = '\0';
	return *text ? text : "git gave no reason";
}

/* PN_EIO and git's own words when it cannot, either. */
static int read_by_git(struct pn_git_object *out, struct pn_repo *repo,
		       const struct pn_oid *oid, const char *type,
		       uint64_t limit, struct pn_error *err)
{
	char hex[PN_OID_HEX + 1], said[1024] = "";
	const char *const argv[] = {"git", "cat-file", type, hex, NULL};
	struct pn_process_options options = pn_git_options(repo);
	struct pn_buf bytes = {0};
	int status, code;

	pn_oid_hex(hex, oid);
	code = pn_process_capture(&bytes, said, &status, argv, &options,
				  limit > SIZE_MAX ? SIZE_MAX : (size_t)limit,
				  err);
	if (!code && status)
		code = pn_error_set(err, PN_EIO, "%s", pn_git_said(said));
	if (code) {
		pn_buf_release(&bytes);
		return code;
	}
	out->own = bytes;
	out->bytes = (const unsigned char *)pn_buf_text(&out->own);
	out->len = out->own.len;
	return 0;
}

/* Through libgit2; the header first, because of the limit. */
static int find_object(struct pn_git_object *out, struct pn_repo *repo,
		       const struct pn_oid *oid, git_object_t type,
		       uint64_t limit, bool damaged, struct pn_error *err)
{
	const char *what = git_object_type2string(type);
	git_object_t have = GIT_OBJECT_INVALID;
	char hex[PN_OID_HEX + 1];
	size_t size = 0;
	git_oid id;
	int result;

	pn_git_to(&id, oid);
	pn_oid_hex(hex, oid);
	result = git_odb_read_header(&size, &have, repo->odb, &id);
	if (result == GIT_ENOTFOUND)
		return pn_error_set(err, PN_ENOTFOUND, "%s '%s' is missing",
				    what, hex);
	if (result < 0)
		return pn_git_fail(err, PN_EIO, "cannot read %s '%s'", what,
				   hex);
	if (have != type)
		return pn_error_set(err, PN_EINVAL, "'%s' is a %s, not a %s",
				    hex, git_object_type2string(have), what);
	if (size > limit)
		return pn_error_set(
			err, PN_ELIMIT,
			"%s '%s' has %zu bytes, more than the limit of %llu",
			what, hex, size, (unsigned long long)limit);
	/* a loose file that was cut: libgit2 1.5.1 never comes back from it;
	 * git says what is wrong, or finds the object elsewhere */
	if (damaged) {
		result = read_by_git(out, repo, oid, what, size, err);
		return result ? pn_error_context(err, "cannot read %s '%s'",
						 what, hex)
			      : 0;
	}
	if (git_odb_read(&out->found, repo->odb, &id) < 0)
		return pn_git_fail(err, PN_EIO, "cannot read %s '%s'", what,
				   hex);
	out->bytes = git_odb_object_data(out->found);
	out->len = git_odb_object_size(out->found);
	return 0;
}

/* libgit2 has no lazy fetch (libgit2 issue 5564); `git cat-file` has. */
static int fault_in(struct pn_git_object *out, struct pn_repo *repo,
		    const struct pn_oid *oid, const char *type, uint64_t limit,
		    struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];
	struct pn_error why;
	int code = read_by_git(out, repo, oid, type, limit, &why);

	pn_oid_hex(hex, oid);
	if (code == PN_EIO)
		return pn_error_set(err, PN_ENOTFOUND,
				    "%s '%s' is missing and could not be "
				    "fetched: %s",
				    type, hex, why.message);
	if (code && err)
		*err = why;
	return code;
}

int pn_git_read(struct pn_git_object *out, struct pn_repo *repo,
		const struct pn_oid *oid, git_object_t type, uint64_t limit,
		struct pn_error *err)
{
	struct pn_git_object object = {0};
	int found = pn_loose_read(&object, repo, oid,
				  git_object_type2string(type), limit);
	int code = 0;

	if (found <= 0)
		code = find_object(&object, repo, oid, type, limit, found < 0,
				   err);
	/* filters leave out blobs and trees, never commits */
	if (code == PN_ENOTFOUND && type != GIT_OBJECT_COMMIT &&
	    pn_repo_is_partial(repo))
		code = fault_in(&object, repo, oid,
				git_object_type2string(type), limit, err);
	if (!code)
		*out = object;
	return code;
}

void pn_git_object_release(struct pn_git_object *object)
{
	if (!object)
		return;
	git_odb_object_free(object->found);
	pn_buf_release(&object->own);
	memset(object, 0, sizeof(*object));
}

static int shared_from(const char *value)
{
	unsigned int mode = 0;
	const char *at;

	if (!value || !strcmp(value, "umask") || !strcmp(value, "false") ||
	    !strcmp(value, "no") || !strcmp(value, "off") ||
	    !strcmp(value, "0"))
		return 0;
	if (!strcmp(value, "group") || !strcmp(value, "true") ||
	    !strcmp(value, "yes") || !strcmp(value, "on") ||
	    !strcmp(value, "1"))
		return 0660;
	if (!strcmp(value, "all") || !strcmp(value, "world") ||
	    !strcmp(value, "everybody") || !strcmp(value, "2"))
		return 0664;
	for (at = value; *at >= '0' && *at <= '7' && mode < 01000; at++)
		mode = mode * 8 + (unsigned int)(*at - '0');
	return *at ? 0 : -(int)(mode & 0666);
}

int pn_git_shared(int *out, struct pn_repo *repo, struct pn_error *err)
{
	char *value;
	int code = pn_repo_config(&value, repo, "core.sharedRepository", err);

	if (code)
		return code;
	*out = shared_from(value);
	free(value);
	return 0;
}

int pn_git_share(const char *path, int shared, struct pn_error *err)
{
	unsigned int tweak = (unsigned int)(shared < 0 ? -shared : shared);
	struct stat st;
	mode_t mode;

	if (!shared)
		return 0;
	if (lstat(path, &st))
		return pn_git_system(err, "read the mode of", path);
	if (!(st.st_mode & S_IWUSR))
		tweak &= ~0222u;
	if (st.st_mode & S_IXUSR)
		tweak |= (tweak & 0444) >> 2;
	mode = (st.st_mode & 07777) | tweak;
	if (shared < 0)
		mode = (st.st_mode & 07000) | tweak;
	if (S_ISDIR(st.st_mode) && (mode & 0060))
		mode |= S_ISGID;
	if (mode != (st.st_mode & 07777) && chmod(path, mode))
		return pn_error_system(err, "cannot set the mode of '%s'",
				       path);
	return 0;
}

int pn_git_system(struct pn_error *err, const char *what, const char *path)
{
	bool gone = errno == ENOENT;

	pn_error_system(err, "cannot %s '%s'", what, path);
	if (gone && err)
		err->code = PN_ENOTFOUND;
	return gone ? PN_ENOTFOUND : PN_EIO;
}

/* mkstemp would make 0600, which a umask and sharing could not widen. */
int pn_git_temporary(int *out, char **path, const char *prefix,
		     struct pn_error *err)
{
	int tries, code, fd = -1;
	char *name = NULL;

	for (tries = 0; fd < 0 && tries < 100; tries++) {
		struct pn_buf text = {0};

		pn_buf_printf(&text, "%s%016llx", prefix,
			      (unsigned long long)pn_hash_random());
		free(name);
		name = pn_buf_detach(&text);
		fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0) {
		code = pn_git_system(err, "create", name);
		free(name);
		return code;
	}
	*path = name;
	*out = fd;
	return 0;
}

int pn_git_sync_dir(const char *path, struct pn_error *err)
{
	return pn_file_sync_folder(path)
		       ? pn_error_system(err, "cannot sync '%s'", path)
		       : 0;
}

int pn_git_remove_tree(const char *path, struct pn_error *err)
{
	return pn_folder_remove(path, err);
}
