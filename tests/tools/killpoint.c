/*
 * Preloaded into a program and all its children: counts the calls that change
 * files or start programs, in all of them together, and kills before the one
 * that $KILLPOINT's file names. So every kill is at another point, none waits.
 * Or it makes that call fail, and then those that only look at files count as
 * well.
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* both of open and open64 are meant */
#include "killpoint.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct killpoint *shared;

void killpoint_begin(void);

/* Who forks instead of executing calls it in the child. */
__attribute__((constructor)) void killpoint_begin(void)
{
	const char *path = getenv("KILLPOINT");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	unsigned int n;
	void *map;

	if (fd < 0)
		return;
	map = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED,
		   fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return;
	shared = map;
	n = atomic_fetch_add(&shared->pid_count, 1);
	if (n < KILLPOINT_PIDS)
		shared->pids[n] = getpid();
}

/* Whether this call has to fail; errno says why. */
static int fails(const char *call)
{
	if (!shared || shared->mode != FAIL_MAIN ||
	    shared->pids[0] != getpid() ||
	    (shared->only[0] && strcmp(shared->only, call) != 0) ||
	    atomic_fetch_add(&shared->calls, 1) + 1 != shared->at)
		return 0;
	snprintf(shared->call, sizeof(shared->call), "%s", call);
	errno = shared->error;
	return 1;
}

/* Count a call that changes something; whether it has to fail. */
static int count(const char *call)
{
	int pids[KILLPOINT_PIDS];
	unsigned int i, n, mode;

	if (shared && shared->mode == FAIL_MAIN)
		return fails(call);
	if (!shared || atomic_fetch_add(&shared->calls, 1) + 1 != shared->at)
		return 0;
	/* by the time that the first is dead the next run may have begun */
	mode = shared->mode;
	n = atomic_load(&shared->pid_count);
	memcpy(pids, shared->pids, sizeof(pids));
	if (mode == KILL_MAIN && pids[0] > 0) /* 0: it has ended */
		kill(pids[0], SIGKILL);
	for (i = 0; mode == KILL_ALL && i < n && i < KILLPOINT_PIDS; i++)
		if (pids[i] && pids[i] != getpid())
			kill(pids[i], SIGKILL);
	if (mode != KILL_MAIN)
		kill(getpid(), SIGKILL);
	return 0;
}

static __attribute__((destructor)) void end(void)
{
	unsigned int i;

	for (i = 0; shared && i < KILLPOINT_PIDS; i++)
		if (shared->pids[i] == getpid())
			shared->pids[i] = 0;
}

#define NEXT(type, name) ((type)dlsym(RTLD_NEXT, name))

/* Calls that return an int and are counted whatever they are given. */
#define COUNTED(name, params, args)                                            \
	int name params;                                                       \
	int name params                                                        \
	{                                                                      \
		int(*next) params = NEXT(int(*) params, #name);                \
		return count(#name) ? -1 : next args;                          \
	}

/* Those that only look. */
#define LOOKED(type, failed, name, params, args)                               \
	type name params;                                                      \
	type name params                                                       \
	{                                                                      \
		type(*next) params = NEXT(type(*) params, #name);              \
		return fails(#name) ? failed : next args;                      \
	}

LOOKED(DIR *, NULL, opendir, (const char *a), (a))
LOOKED(DIR *, NULL, fdopendir, (int a), (a))
LOOKED(struct dirent *, NULL, readdir, (DIR * a), (a))
LOOKED(struct dirent64 *, NULL, readdir64, (DIR * a), (a))
LOOKED(int, -1, stat, (const char *a, struct stat *b), (a, b))
LOOKED(int, -1, stat64, (const char *a, struct stat64 *b), (a, b))
LOOKED(int, -1, lstat, (const char *a, struct stat *b), (a, b))
LOOKED(int, -1, lstat64, (const char *a, struct stat64 *b), (a, b))
LOOKED(int, -1, fstat, (int a, struct stat *b), (a, b))
LOOKED(int, -1, fstat64, (int a, struct stat64 *b), (a, b))
LOOKED(int, -1, access, (const char *a, int b), (a, b))
LOOKED(ssize_t, -1, read, (int a, void *b, size_t c), (a, b, c))
LOOKED(ssize_t, -1, readlink, (const char *a, char *b, size_t c), (a, b, c))
LOOKED(ssize_t, -1, llistxattr, (const char *a, char *b, size_t c), (a, b, c))

COUNTED(renameat2, (int a, const char *b, int c, const char *d, unsigned int e),
	(a, b, c, d, e))
COUNTED(rename, (const char *a, const char *b), (a, b))
COUNTED(link, (const char *a, const char *b), (a, b))
COUNTED(symlink, (const char *a, const char *b), (a, b))
COUNTED(unlink, (const char *a), (a))
COUNTED(rmdir, (const char *a), (a))
COUNTED(mkdir, (const char *a, mode_t mode), (a, mode))
COUNTED(mkdirat, (int a, const char *b, mode_t mode), (a, b, mode))
COUNTED(unlinkat, (int a, const char *b, int c), (a, b, c))
COUNTED(symlinkat, (const char *a, int b, const char *c), (a, b, c))
COUNTED(chmod, (const char *a, mode_t mode), (a, mode))
COUNTED(fsync, (int fd), (fd))
COUNTED(ftruncate64, (int fd, off_t len), (fd, len))
COUNTED(execve, (const char *a, char *const *b, char *const *c), (a, b, c))
COUNTED(execvp, (const char *a, char *const *b), (a, b))

#define OPENED(name, params, args)                                             \
	int name params;                                                       \
	int name params                                                        \
	{                                                                      \
		int(*next) params = NEXT(int(*) params, #name);                \
		mode_t mode = 0;                                               \
		va_list list;                                                  \
		va_start(list, flags);                                         \
		if (flags & O_CREAT)                                           \
			mode = va_arg(list, mode_t);                           \
		va_end(list);                                                  \
		if (flags & (O_CREAT | O_TRUNC) ? count(path) : fails(path))   \
			return -1;                                             \
		return next args;                                              \
	}

OPENED(open, (const char *path, int flags, ...), (path, flags, mode))
OPENED(open64, (const char *path, int flags, ...), (path, flags, mode))
OPENED(openat, (int fd, const char *path, int flags, ...),
       (fd, path, flags, mode))
OPENED(openat64, (int fd, const char *path, int flags, ...),
       (fd, path, flags, mode))

ssize_t write(int fd, const void *bytes, size_t len)
{
	ssize_t (*next)(int, const void *, size_t) =
		NEXT(ssize_t(*)(int, const void *, size_t), "write");

	return fd > 2 && count("write") ? -1 : next(fd, bytes, len);
}
