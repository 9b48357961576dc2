/*
 * Preloaded into a program and all its children: counts the calls that change
 * files or start programs, in all of them together, and kills before the one
 * that $KILLPOINT's file names. So every kill is at another point, none waits.
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* both of open and open64 are meant */
#include "killpoint.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct killpoint *shared;

static __attribute__((constructor)) void begin(void)
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

static void count(void)
{
	int pids[KILLPOINT_PIDS];
	unsigned int i, n, mode;

	if (!shared || atomic_fetch_add(&shared->calls, 1) + 1 != shared->at)
		return;
	/* by the time that the first is dead the next run may have begun */
	mode = shared->mode;
	n = atomic_load(&shared->pid_count);
	memcpy(pids, shared->pids, sizeof(pids));
	if (mode == KILL_MAIN)
		kill(pids[0], SIGKILL);
	for (i = 0; mode == KILL_ALL && i < n && i < KILLPOINT_PIDS; i++)
		if (pids[i] && pids[i] != getpid())
			kill(pids[i], SIGKILL);
	if (mode != KILL_MAIN)
		kill(getpid(), SIGKILL);
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
		count();                                                       \
		return next args;                                              \
	}

COUNTED(rename, (const char *a, const char *b), (a, b))
COUNTED(link, (const char *a, const char *b), (a, b))
COUNTED(symlink, (const char *a, const char *b), (a, b))
COUNTED(unlink, (const char *a), (a))
COUNTED(rmdir, (const char *a), (a))
COUNTED(mkdir, (const char *a, mode_t mode), (a, mode))
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
		if (flags & (O_CREAT | O_TRUNC))                               \
			count();                                               \
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

	if (fd > 2)
		count();
	return next(fd, bytes, len);
}
