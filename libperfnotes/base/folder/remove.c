/* Removing a folder, by open folders instead of paths: nobody can put a link in
 * the way, and no path is too long. */
#include "base/folder/folder.h"

#include "base/folder/mounts.h"
#include "base/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DEPTH 64 /* an open folder each */

/* Of one folder that goes. */
struct removal {
	int top;      /* it */
	dev_t device; /* its file system, which is never left */
	int error;    /* errno of the first thing that stayed */
	bool moved;   /* something deep was moved to the top */
};

static int note_error(struct removal *r)
{
	if (!r->error)
		r->error = errno;
	return -1;
}

static int open_folder(int at, const char *name)
{
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(at, name, flags);

	if (fd < 0 && errno == EACCES && !fchmodat(at, name, 0700, 0))
		fd = openat(at, name, flags);
	return fd;
}

/* What lies too deep goes on at the top. */
static int move_up(struct removal *r, int at, const char *name)
{
	char up[40];

	snprintf(up, sizeof(up), "deep-%016" PRIx64, pn_hash_random());
	if (renameat(at, name, r->top, up))
		return note_error(r);
	r->moved = true;
	return 0;
}

static int empty(struct removal *r, int fd, int depth);

/* Whatever `name` is; only a folder needs more than unlink. */
static int remove_entry(struct removal *r, int at, const char *name, int depth)
{
	struct stat st;
	int fd, flags = 0;

	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : note_error(r);
	if (S_ISDIR(st.st_mode) && depth == MAX_DEPTH)
		return move_up(r, at, name);
	if (S_ISDIR(st.st_mode)) {
		flags = AT_REMOVEDIR;
		fd = open_folder(at, name);
		if (fd < 0)
			return errno == ENOENT ? 0 : note_error(r);
		if (empty(r, fd, depth + 1))
			return -1;
	}
	return unlinkat(at, name, flags) && errno != ENOENT ? note_error(r) : 0;
}

static int empty_open(struct removal *r, DIR *dir, int depth)
{
	struct dirent *entry;
	int code = 0;

	while ((errno = 0, entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;

		if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
		    remove_entry(r, dirfd(dir), name, depth))
			code = -1;
	}
	return errno ? note_error(r) : code;
}

/* Closes fd. */
static int empty(struct removal *r, int fd, int depth)
{
	struct stat st;
	DIR *dir = NULL;
	int code = fstat(fd, &st);

	if (!code && st.st_dev != r->device)
		errno = EXDEV; /* mounted since it was looked at */
	else if (!code && ((st.st_mode & 0700) == 0700 || !fchmod(fd, 0700)))
		dir = fdopendir(fd);
	if (!dir) {
		note_error(r);
		close(fd);
		return -1;
	}
	code = empty_open(r, dir, depth);
	closedir(dir);
	return code;
}

static int remove_folder(const char *path, struct pn_error *err)
{
	struct removal r = {.top = open_folder(AT_FDCWD, path)};
	struct stat st;
	int code = 0, fd;

	if (r.top < 0 && errno == ENOENT)
		return 0;
	if (r.top < 0 || fstat(r.top, &st))
		return pn_error_system(err, "cannot remove '%s'", path);
	r.device = st.st_dev;
	do {
		r.moved = false;
		fchmod(r.top, 0700);
		fd = openat(r.top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		code = fd < 0 ? note_error(&r) : empty(&r, fd, 0);
	} while (!code && r.moved);
	close(r.top);
	if (!code && unlinkat(AT_FDCWD, path, AT_REMOVEDIR) && errno != ENOENT)
		code = note_error(&r);
	errno = r.error;
	return code ? pn_error_system(err, "cannot remove '%s'", path) : 0;
}

int pn_folder_remove(const char *path, struct pn_error *err)
{
	struct stat st;
	int code;

	if (lstat(path, &st))
		return errno == ENOENT
			       ? 0
			       : pn_error_system(err, "cannot remove '%s'",
						 path);
	if (!S_ISDIR(st.st_mode))
		return unlink(path) && errno != ENOENT
			       ? pn_error_system(err, "cannot remove '%s'",
						 path)
			       : 0;
	code = pn_mounts_refuse(path, err);
	if (code)
		pn_error_context(err, "cannot remove '%s'", path);
	return code ? code : remove_folder(path, err);
}
