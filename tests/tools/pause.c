/*
 * Preloaded into git: the process whose first argument is $PAUSE_IN ("prune",
 * "repack") waits before the first file below objects/ that it deletes, which
 * is behind its look at refs and packs. It writes "waits" to the FIFO
 * $PAUSE_SAY and goes on when there is a byte in the FIFO $PAUSE_GO.
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

static void pause_here(void)
{
	static const char text[] = "waits\n";
	int say = open(getenv("PAUSE_SAY"), O_WRONLY | O_CLOEXEC);
	int go = open(getenv("PAUSE_GO"), O_RDONLY | O_CLOEXEC);
	char byte;

	if (say < 0 || go < 0 ||
	    write(say, text, sizeof(text) - 1) != (ssize_t)sizeof(text) - 1 ||
	    read(go, &byte, 1) != 1)
		abort();
	close(say);
	close(go);
}

int unlink(const char *path)
{
	int (*next)(const char *) =
		(int (*)(const char *))dlsym(RTLD_NEXT, "unlink");

	if (pauses && strstr(path, "objects/")) {
		pauses = 0;
		pause_here();
	}
	return next(path);
}
