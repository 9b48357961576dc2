/*
 * Preloaded into a program and its children: the call that $ERRORPOINT names
 * ("<number>:<mode>", from 1 on, in each process by itself) fails, of those
 * that put something on the disk. Modes:
 *
 *	eio     that call, with EIO
 *	eintr   that call, with EINTR, where a signal may end it
 *	enospc  it and all behind it that need room, with ENOSPC
 *	short   a write writes half; what needs room behind it gets ENOSPC
 *
 * The name of each call that failed is appended to the file $ERRORPOINT_SAW.
 *
 * Nobody can look at a file whose path ends in $ERRORPOINT_UNSEEN, read one
 * whose path ends in $ERRORPOINT_UNREAD, or ask for the rights to one whose
 *path ends in $ERRORPOINT_UNASKED: EIO.
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* both of open and open64 are meant */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum need { ROOM = 1, SIGNALS = 2 }; /* what the call may fail for */

static long at;
static char mode[16];
static long calls;

static __attribute__((constructor)) void begin(void)
{
	const char *text = getenv("ERRORPOINT");
	const char *colon = text ? strchr(text, ':') : NULL;

	if (!colon || strlen(colon + 1) >= sizeof(mode))
		return;
	at = strtol(text, NULL, 10);
	memcpy(mode, colon + 1, strlen(colon + 1));
}

static bool is(const char *name)
{
	return !strcmp(mode, name);
}

static void say(const char *name)
{
	const char *path = getenv("ERRORPOINT_SAW");
	int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path,
				     O_WRONLY | O_CREAT | O_APPEND, 0600)
		      : -1;

	if (fd < 0)
		return;
	syscall(SYS_write, fd, name, strlen(name));
	syscall(SYS_write, fd, "\n", 1);
	syscall(SYS_close, fd);
}

/* Whether the call fails, with errno. */
static bool fails(const char *name, int needs)
{
	bool now, later;

	if (!at || (is("eintr") && !(needs & SIGNALS)) ||
	    ((is("enospc") || is("short")) && !(needs & ROOM)))
		return false;
	now = ++calls == at;
	later = calls > at;
	if (is("eio") || is("eintr"))
		errno = is("eio") ? EIO : EINTR;
	else
		errno = ENOSPC;
	if (is("enospc") || is("short"))
		now = now || later;
	if (now)
		say(name);
	return now;
}

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))
#define FAILS(name, needs, params, args)                                       \
	int name params;                                                       \
	int name params                                                        \
	{                                                                      \
		int(*next) params = NEXT(int(*) params, #name);                \
		return fails(#name, needs) ? -1 : next args;                   \
	}

FAILS(rename, ROOM, (const char *a, const char *b), (a, b))
FAILS(link, ROOM, (const char *a, const char *b), (a, b))
FAILS(mkdir, ROOM, (const char *a, mode_t m), (a, m))
FAILS(mkdirat, ROOM, (int a, const char *b, mode_t m), (a, b, m))
FAILS(chmod, 0, (const char *a, mode_t m), (a, m))
FAILS(fsync, SIGNALS, (int fd), (fd))
FAILS(fdatasync, SIGNALS, (int fd), (fd))
FAILS(ftruncate64, 0, (int fd, off_t len), (fd, len))

int sync_file_range(int fd, off64_t from, off64_t len, unsigned int flags)
{
	int (*next)(int, off64_t, off64_t, unsigned int) =
		NEXT(int (*)(int, off64_t, off64_t, unsigned int),
		     "sync_file_range");

	return fails("sync_file_range", SIGNALS) ? -1
						 : next(fd, from, len, flags);
}

#define OPENS(name, params, args)                                              \
	int name params;                                                       \
	int name params                                                        \
	{                                                                      \
		int(*next) params = NEXT(int(*) params, #name);                \
		mode_t create = 0;                                             \
		va_list list;                                                  \
		va_start(list, flags);                                         \
		if (flags & O_CREAT)                                           \
			create = va_arg(list, mode_t);                         \
		va_end(list);                                                  \
		if (flags & O_CREAT && fails(#name, ROOM | SIGNALS))           \
			return -1;                                             \
		return next args;                                              \
	}

OPENS(open, (const char *path, int flags, ...), (path, flags, create))
OPENS(open64, (const char *path, int flags, ...), (path, flags, create))
OPENS(openat, (int fd, const char *path, int flags, ...),
      (fd, path, flags, create))

static bool is_written_file(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat st;

	return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY &&
	       !fstat(fd, &st) && S_ISREG(st.st_mode);
}

int close(int fd)
{
	int (*next)(int) = NEXT(int (*)(int), "close");
	bool failed = fd > 2 && is_written_file(fd) && fails("close", 0);
	int saved = errno, result = next(fd);

	if (!failed)
		return result;
	errno = saved;
	return -1;
}

ssize_t write(int fd, const void *bytes, size_t len)
{
	ssize_t (*next)(int, const void *, size_t) =
		NEXT(ssize_t(*)(int, const void *, size_t), "write");
	bool first = calls + 1 == at;

	if (fd <= 2 || !is_written_file(fd) || !fails("write", ROOM | SIGNALS))
		return next(fd, bytes, len);
	if (is("short") && first && len > 1)
		return next(fd, bytes, len / 2);
	return -1;
}

static bool is_lost(const char *variable, const char *path)
{
	const char *end = getenv(variable);
	size_t len = path ? strlen(path) : 0, n = end ? strlen(end) : 0;

	if (len && path[len - 1] == '/') /* asked for as a folder */
		len--;
	if (!n || len < n || memcmp(path + len - n, end, n) != 0)
		return false;
	errno = EIO;
	return true;
}

ssize_t read(int fd, void *out, size_t len)
{
	ssize_t (*next)(int, void *, size_t) =
		NEXT(ssize_t(*)(int, void *, size_t), "read");
	char name[32], path[4096] = "";

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (getenv("ERRORPOINT_UNREAD") &&
	    readlink(name, path, sizeof(path) - 1) > 0 &&
	    is_lost("ERRORPOINT_UNREAD", path))
		return -1;
	return next(fd, out, len);
}

#define STATS(name, type)                                                      \
	int name(const char *path, struct type *out)                           \
	{                                                                      \
		int (*next)(const char *, struct type *) =                     \
			NEXT(int (*)(const char *, struct type *), #name);     \
		return is_lost("ERRORPOINT_UNSEEN", path) ? -1                 \
							  : next(path, out);   \
	}

int access(const char *path, int rights)
{
	int (*next)(const char *, int) =
		NEXT(int (*)(const char *, int), "access");

	return is_lost("ERRORPOINT_UNASKED", path) ? -1 : next(path, rights);
}

STATS(stat, stat)
STATS(stat64, stat64)
