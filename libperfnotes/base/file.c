/* Files whole, and folders. */
#define _GNU_SOURCE /* renameat2 */
#include "base/file.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_MIN (64 * 1024)
#define NAME_TRIES 16 /* 64 random bits hardly need the second */

int pn_file_read_all(struct pn_buf *out, int fd, uint64_t limit)
{
	size_t start = out->len;

	for (;;) {
		uint64_t left = limit - (out->len - start);
		size_t room;
		ssize_t n;

		/* where there is room the file's length is known: growing
		 * copies all of it */
		if (out->cap < out->len + 2)
			pn_buf_reserve(out, READ_MIN);
		room = out->cap - out->len - 1;
		if (room > left)
			room = (size_t)left + 1;
		n = read(fd, out->data + out->len, room);
		if (n < 0 && errno == EINTR)
			continue;
		out->len += n > 0 ? (size_t)n : 0;
		out->data[out->len] = '\0';
		if (n < 0)
			return -1;
		if (!n || out->len - start > limit)
			return 0;
	}
}

static int open_to_read(int *out, struct stat *st, const char *path,
			struct pn_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return pn_error_set(err, PN_ENOTFOUND,
				    "cannot read '%s': no such file", path);
	if (fd < 0)
		return pn_error_system(err, "cannot read '%s'", path);
	if (!fstat(fd, st) && S_ISDIR(st->st_mode)) {
		close(fd);
		return pn_error_set(err, PN_EIO,
				    "cannot read '%s': it is a directory",
				    path);
	}
	*out = fd;
	return 0;
}

int pn_file_read(struct pn_buf *out, const char *path, uint64_t limit,
		 struct pn_error *err)
{
	size_t start = out->len;
	struct stat st = {0};
	int fd, code = open_to_read(&fd, &st, path, err);

	if (code)
		return code;
	if (S_ISREG(st.st_mode) && (uint64_t)st.st_size < limit)
		pn_buf_reserve(out, (size_t)st.st_size + 1);
	if (pn_file_read_all(out, fd, limit))
		code = pn_error_system(err, "cannot read '%s'", path);
	else if (out->len - start > limit)
		code = pn_error_set(err, PN_ELIMIT,
				    "cannot read '%s': larger than %" PRIu64
				    " bytes",
				    path, limit);
	close(fd);
	if (code)
		out->len = start;
	if (out->data)
		out->data[out->len] = '\0';
	return code;
}

int pn_file_write_all(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n ? errno : EIO;
			return -1;
		}
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

/* A new file beside `path` with a name that nobody can foresee. */
static int create_beside(char **out, const char *path)
{
	size_t size = strlen(path) + sizeof(".tmp-0123456789abcdef");
	char *name = pn_malloc(size);
	int fd, tries = 0;

	do {
		snprintf(name, size, "%s.tmp-%016" PRIx64, path,
			 pn_hash_random());
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	} while (fd < 0 && errno == EEXIST && ++tries < NAME_TRIES);
	if (fd < 0)
		free(name);
	else
		*out = name;
	return fd;
}

static bool is_absent(int number)
{
	return number == ENOENT || number == ENOTDIR;
}

bool pn_file_is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && path[len] == '/';
}

bool pn_file_is_in(const char *dir, const char *name)
{
	struct pn_buf path = {0};
	struct stat st;
	bool is;

	pn_buf_printf(&path, "%s/%s", dir, name);
	is = !lstat(pn_buf_text(&path), &st);
	pn_buf_release(&path);
	return is;
}

int pn_file_look(struct stat *out, const char *path, struct pn_error *err)
{
	if (!lstat(path, out))
		return 1;
	return is_absent(errno)
		       ? 0
		       : pn_error_system(err, "cannot read '%s'", path);
}

bool pn_file_is_still(const char *path, const struct stat *was)
{
	struct stat now;

	return !lstat(path, &now) && now.st_dev == was->st_dev &&
	       now.st_ino == was->st_ino && now.st_size == was->st_size &&
	       now.st_mtim.tv_sec == was->st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == was->st_mtim.tv_nsec;
}

static int move_checked(int from_dir, const char *from, int to_dir,
			const char *to)
{
	struct stat st, other;

	if (fstatat(from_dir, from, &st, AT_SYMLINK_NOFOLLOW))
		return -1;
	if (!S_ISDIR(st.st_mode) && !linkat(from_dir, from, to_dir, to, 0))
		return unlinkat(from_dir, from, 0);
	if (!fstatat(to_dir, to, &other, AT_SYMLINK_NOFOLLOW)) {
		errno = EEXIST;
		return -1;
	}
	return is_absent(errno) ? renameat(from_dir, from, to_dir, to) : -1;
}

int pn_file_move_new(int from_dir, const char *from, int to_dir, const char *to)
{
#ifdef HAVE_RENAMEAT2
	if (!renameat2(from_dir, from, to_dir, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
#endif
	return move_checked(from_dir, from, to_dir, to);
}

/* `old` is what stands at `path` now, NULL when nothing does; with `fresh`
 * nothing may. */
static int replace(const char *path, const struct stat *old, const void *bytes,
		   size_t len, bool sync, bool fresh)
{
	char *name = NULL;
	int fd = create_beside(&name, path);
	int bad, saved;

	if (fd < 0)
		return -1;
	bad = (old && fchmod(fd, old->st_mode & 07777)) ||
	      pn_file_write_all(fd, bytes, len) ||
	      (sync && (fresh ? pn_file_write_out(fd) : pn_file_sync(fd)));
	saved = errno;
	if (close(fd) && !bad) {
		saved = errno;
		bad = 1;
	}
	if (!bad && (fresh ? pn_file_move_new(AT_FDCWD, name, AT_FDCWD, path)
			   : rename(name, path))) {
		saved = errno;
		bad = 1;
	}
	if (bad)
		unlink(name);
	else if (sync && !fresh && pn_file_sync_folder_of(path)) {
		saved = errno;
		bad = 1;
	}
	free(name);
	errno = saved;
	return bad ? -1 : 0;
}

/* A pipe or a device keeps its place. */
static int write_into(const char *path, const void *bytes, size_t len)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int bad, saved;

	if (fd < 0)
		return -1;
	bad = pn_file_write_all(fd, bytes, len);
	saved = errno;
	if (close(fd) && !bad)
		return -1;
	errno = saved;
	return bad;
}

int pn_file_write(const char *path, const void *bytes, size_t len, bool sync,
		  struct pn_error *err)
{
	char *real = NULL;
	struct stat st;
	bool exists = !stat(path, &st);
	int bad = !exists && !is_absent(errno);

	if (!bad && exists && !S_ISREG(st.st_mode)) {
		bad = write_into(path, bytes, len);
	} else if (!bad) {
		/* a symbolic link stays, what it points to is replaced */
		real = exists ? realpath(path, NULL) : NULL;
		bad = exists && !real;
		if (!bad)
			bad = replace(real ? real : path, exists ? &st : NULL,
				      bytes, len, sync, false);
	}
	free(real);
	return bad ? pn_error_system(err, "cannot write '%s'", path) : 0;
}

int pn_file_create(const char *path, const void *bytes, size_t len, bool whole,
		   struct pn_error *err)
{
	if (!replace(path, NULL, bytes, len, whole, true))
		return 0;
	return errno == EEXIST
		       ? PN_ECONFLICT
		       : pn_error_system(err, "cannot write '%s'", path);
}

/* Zero when the folder is there in the end. */
static int make_dir(const char *path)
{
	struct stat st;
	int saved;

	if (!mkdir(path, 0777))
		return 0;
	saved = errno;
	if (!stat(path, &st)) {
		if (S_ISDIR(st.st_mode))
			return 0;
		saved = ENOTDIR;
	}
	errno = saved;
	return -1;
}

int pn_file_make_dirs(const char *path, struct pn_error *err)
{
	char *copy = pn_strdup(path);
	char *slash = copy;
	int code = 0;

	if (*slash == '/')
		slash++;
	while (!code && (slash = strchr(slash, '/'))) {
		*slash = '\0';
		code = make_dir(copy);
		*slash++ = '/';
	}
	if (!code)
		code = make_dir(copy);
	if (code)
		code = pn_error_system(err, "cannot create folder '%s'", path);
	free(copy);
	return code;
}

bool pn_file_ends_with(const char *path, const char *end)
{
	const char *name = pn_file_basename(path);
	size_t len = strlen(name), tail = strlen(end);

	return len > tail && !strcasecmp(name + len - tail, end);
}

int pn_file_fail(struct pn_error *err, const char *what, const char *path)
{
	bool gone = errno == ENOENT;

	pn_error_system(err, "cannot %s '%s'", what, path);
	if (gone && err)
		err->code = PN_ENOTFOUND;
	return gone ? PN_ENOTFOUND : PN_EIO;
}

/* mkstemp would make 0600, which a umask and sharing could not widen. */
int pn_file_temporary(int *out, char **path, const char *prefix,
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
		code = pn_file_fail(err, "create", name);
		free(name);
		return code;
	}
	*path = name;
	*out = fd;
	return 0;
}

int pn_file_sync_names(const char *path, struct pn_error *err)
{
	return pn_file_sync_folder(path)
		       ? pn_error_system(err, "cannot sync '%s'", path)
		       : 0;
}
