/*
 * Waiting for the disk. A file system with a journal commits what was done in
 * order, so that one wait holds for all before it; without one, and wherever
 * that is not known, each file and each folder waits for itself.
 */
#define _GNU_SOURCE /* sync_file_range, syncfs */
#include "base/file.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_SYNC_FILE_RANGE
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#endif
#include <unistd.h>

int pn_file_sync(int fd)
{
	int result;

	do
		result = fsync(fd);
	while (result && errno == EINTR);
	return result;
}

#ifdef HAVE_SYNC_FILE_RANGE
#define EXT4_MAGIC 0xef53 /* ext2 and ext3, too */
#define XFS_MAGIC 0x58465342

/*
 * Linux's Documentation/ABI/testing/sysfs-fs-ext4: the process that commits
 * the journal, "<none>" without a journal. Absent (an old kernel, a driver of
 * ext2 alone, no sysfs here): not known.
 */
static bool has_ext4_journal(dev_t device)
{
	char link[64], target[512], path[512], first;
	ssize_t n;
	int fd;

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(device),
		 minor(device));
	n = readlink(link, target, sizeof(target) - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	n = snprintf(path, sizeof(path), "/sys/fs/ext4/%s/journal_task",
		     pn_file_basename(target));
	fd = n < (ssize_t)sizeof(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return false;
	n = read(fd, &first, 1);
	close(fd);
	return n == 1 && first >= '1' && first <= '9';
}

/* Elsewhere sync_file_range(2) may do nothing (overlayfs), or not for what
 * says where the bytes are (btrfs). */
bool pn_file_is_journalled(int fd)
{
	struct statfs fs;
	struct stat st;

	if (fstatfs(fd, &fs))
		return false;
	if ((unsigned long)fs.f_type == XFS_MAGIC)
		return true;
	return (unsigned long)fs.f_type == EXT4_MAGIC && !fstat(fd, &st) &&
	       has_ext4_journal(st.st_dev);
}

void pn_file_write_start(int fd)
{
	int ignored = sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE);

	(void)ignored;
}

/* A failure is said once: fsync(2) would know nothing of it any more. */
int pn_file_write_out(int fd)
{
	int result;

	if (!pn_file_is_journalled(fd))
		return pn_file_sync(fd);
	do
		result = sync_file_range(fd, 0, 0,
					 SYNC_FILE_RANGE_WAIT_BEFORE |
						 SYNC_FILE_RANGE_WRITE |
						 SYNC_FILE_RANGE_WAIT_AFTER);
	while (result && errno == EINTR);
	return result;
}

static int sync_file_system(int fd)
{
	return syncfs(fd);
}
#else
static int sync_file_system(int fd)
{
	(void)fd;
	sync();
	return 0;
}

bool pn_file_is_journalled(int fd)
{
	(void)fd;
	return false;
}

void pn_file_write_start(int fd)
{
	(void)fd;
}

int pn_file_write_out(int fd)
{
	return pn_file_sync(fd);
}
#endif

int pn_file_sync_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int code = fd < 0 ? -1 : pn_file_sync(fd);
	int saved = errno;

	if (code && fd >= 0 && (saved == EINVAL || saved == ENOTSUP))
		code = 0;
	if (fd >= 0)
		close(fd);
	errno = saved;
	return code;
}

int pn_file_sync_folder_of(const char *path)
{
	size_t len = (size_t)(pn_file_basename(path) - path);
	char *folder = len ? pn_strndup(path, len) : pn_strdup(".");
	int code = pn_file_sync_folder(folder), saved = errno;

	free(folder);
	errno = saved;
	return code;
}

int pn_file_sync_all(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int code = fd < 0 ? -1 : 0;
	int saved;

	if (!code && !pn_file_is_journalled(fd))
		code = sync_file_system(fd);
	saved = errno;
	if (fd >= 0)
		close(fd);
	errno = saved;
	return code;
}
