/*
 * Preloaded into git: the process whose first argument is $PAUSE_IN ("prune",
 * "repack") waits before the first file below objects/ that it deletes, which
 * is behind its look at refs and packs. It opens the FIFO $PAUSE_SAY to say so,
 * and goes on when somebody has opened the FIFO $PAUSE_GO.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int pauses;

static __attribute__((constructor)) void begin(int argc, char **argv)
{
	const char *in = getenv("PAUSE_IN");

	pauses = in && argc > 1 && !strcmp(argv[1], in);
}

static void meet(const char *variable, int flags)
{
	const char *path = getenv(variable);
	int fd = path ? open(path, flags | O_CLOEXEC) : -1;

	if (fd >= 0)
		close(fd);
}

int unlink(const char *path)
{
	int (*next)(const char *) =
		(int (*)(const char *))dlsym(RTLD_NEXT, "unlink");

	if (pauses && strstr(path, "objects/")) {
		pauses = 0;
		meet("PAUSE_SAY", O_WRONLY);
		meet("PAUSE_GO", O_RDONLY);
	}
	return next(path);
}
