/* Private folders. */
#include "base/folder/folder.h"

#include "base/alloc.h"
#include "base/buf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX "git-perf-"
#define TEMPLATE PREFIX "XXXXXX"
#define OWNER ".owner"	  /* in each private folder, locked by its process */
#define SWEEP_AGE 60	  /* seconds: the owner has long locked it */
#define SWEEP_MAX 64	  /* folders that a sweep looks at, */
#define SWEEP_NAMES 10000 /* and entries that it reads */

static const char *find_parent(void)
{
	const char *below = getenv("TMPDIR");

	return below && *below == '/' ? below : "/tmp";
}

/* The locked mark of a folder of ours, or -1 and no mark. */
static int make_owner(const char *folder)
{
	struct pn_buf path = {0};
	int fd;

	pn_buf_printf(&path, "%s/" OWNER, folder);
	fd = open(pn_buf_text(&path),
		  O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB)) {
		unlink(pn_buf_text(&path));
		close(fd);
		fd = -1;
	}
	pn_buf_release(&path);
	return fd;
}

int pn_folder_make_private(char **out, int *owner, struct pn_error *err)
{
	const char *below = find_parent();
	struct pn_buf path = {0};

	pn_buf_printf(&path, "%s/" TEMPLATE, below);
	if (!mkdtemp((char *)path.data)) {
		pn_error_system(err, "cannot make a folder in '%s'", below);
		pn_buf_release(&path);
		return PN_EIO;
	}
	*owner = make_owner(pn_buf_text(&path));
	*out = pn_buf_detach(&path);
	return 0;
}

static bool is_template(const char *name)
{
	static const char drawn[] = "abcdefghijklmnopqrstuvwxyz0123456789"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *rest = name + strlen(PREFIX);

	return strlen(name) == strlen(TEMPLATE) &&
	       !strncmp(name, PREFIX, strlen(PREFIX)) &&
	       !rest[strspn(rest, drawn)];
}

/* The mark of a folder, locked, when its owner is dead; else -1. */
static int take_over(int folder)
{
	int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	int fd = openat(folder, OWNER, flags);
	struct stat st;

	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    st.st_mtime <= time(NULL) - SWEEP_AGE &&
	    !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	close(fd);
	return -1;
}

/* What a walk calls: true ends it. `fd` is a private folder of ours. */
static bool sweep_folder(int fd, const char *name, const char *mark)
{
	int owner = take_over(fd);
	struct pn_buf path = {0};

	(void)mark;
	if (owner < 0)
		return false;
	pn_buf_printf(&path, "%s/%s", find_parent(), name);
	pn_folder_remove(pn_buf_text(&path), NULL);
	pn_buf_release(&path);
	close(owner);
	return false;
}

static bool is_marked(int fd, const char *name, const char *mark)
{
	int flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	struct stat st;
	bool alive;
	int owner;

	(void)name;
	if (fstatat(fd, mark, &st, AT_SYMLINK_NOFOLLOW))
		return false;
	owner = openat(fd, OWNER, flags);
	if (owner < 0)
		return false;
	alive = flock(owner, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
	close(owner);
	return alive;
}

/* One name of the folder that all are in: 1 when the walk ends, -1 when it is
 * no private folder of ours. */
static int look_at(int at, const char *name,
		   bool (*look)(int, const char *, const char *),
		   const char *mark)
{
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, fd;
	struct stat st;
	int ends = 0;

	if (!is_template(name) || fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
		return -1;
	fd = openat(at, name, flags);
	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && st.st_uid == geteuid())
		ends = look(fd, name, mark);
	close(fd);
	return ends;
}

static bool walk_folders(bool (*look)(int, const char *, const char *),
			 const char *mark)
{
	int at = open(find_parent(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = at < 0 ? NULL : fdopendir(at);
	int names = 0, looked = 0, found = 0;
	struct dirent *entry;

	if (!dir) {
		if (at >= 0)
			close(at);
		return false;
	}
	while (names++ < SWEEP_NAMES && looked < SWEEP_MAX && found <= 0 &&
	       (entry = readdir(dir))) {
		found = look_at(at, entry->d_name, look, mark);
		looked += found >= 0;
	}
	closedir(dir);
	return found > 0;
}

void pn_folder_sweep(void)
{
	walk_folders(sweep_folder, NULL);
}

bool pn_folder_is_marked(const char *name)
{
	return walk_folders(is_marked, name);
}
