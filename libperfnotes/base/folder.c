/* Private folders. */
#include "base/folder.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DEPTH 256 /* an open folder each; nobody nests temporaries so */

int pn_folder_make_private(char **out, struct pn_error *err)
{
	const char *below = getenv("TMPDIR");
	struct pn_buf path = {0};

	if (!below || *below != '/')
		below = "/tmp";
	pn_buf_printf(&path, "%s/git-perf-XXXXXX", below);
	if (!mkdtemp((char *)path.data)) {
		pn_error_system(err, "cannot make a folder in '%s'", below);
		pn_buf_release(&path);
		return PN_EIO;
	}
	*out = pn_buf_detach(&path);
	return 0;
}

static int open_folder(int at, const char *name)
{
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(at, name, flags);

	if (fd < 0 && errno == EACCES && !fchmodat(at, name, 0700, 0))
		fd = openat(at, name, flags);
	return fd;
}

static int empty(int fd, int depth);

/* Whatever `name` is; only a folder needs more than unlink. */
static int remove_entry(int at, const char *name, int depth)
{
	struct stat st;
	int fd;

	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -1;
	if (!S_ISDIR(st.st_mode))
		return unlinkat(at, name, 0) && errno != ENOENT ? -1 : 0;
	fd = open_folder(at, name);
	if (fd < 0 || empty(fd, depth + 1))
		return -1;
	return unlinkat(at, name, AT_REMOVEDIR) && errno != ENOENT ? -1 : 0;
}

/* Closes fd. */
static int empty(int fd, int depth)
{
	struct dirent *entry;
	struct stat st;
	DIR *dir;
	int code = 0;

	if (!fstat(fd, &st) && (st.st_mode & 0700) != 0700)
		fchmod(fd, 0700);
	dir = depth < MAX_DEPTH ? fdopendir(fd) : NULL;
	if (!dir) {
		close(fd);
		return -1;
	}
	while ((entry = readdir(dir))) {
		const char *name = entry->d_name;

		if (!strcmp(name, ".") || !strcmp(name, ".."))
			continue;
		if (remove_entry(fd, name, depth))
			code = -1;
	}
	closedir(dir);
	return code;
}

int pn_folder_remove(const char *path, struct pn_error *err)
{
	if (remove_entry(AT_FDCWD, path, 0))
		return pn_error_system(err, "cannot remove '%s'", path);
	return 0;
}
