/* Standard files, SIGPIPE and SIGXFSZ. */
#include "base/process/standard.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/*
 * A file opened while 0, 1 or 2 is closed would get that number, and messages
 * would be written into it.
 */
static void fill_standard_files(void)
{
	int fd = open("/dev/null", O_RDWR);

	while (fd >= 0 && fd <= STDERR_FILENO)
		fd = dup(fd);
	if (fd > STDERR_FILENO)
		close(fd);
}

static void restore_sigpipe(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void pass(int signal)
{
	(void)signal;
}

/* A handler, which programs that are run do not inherit. */
static void catch_sigxfsz(void)
{
	struct sigaction action;

	if (sigaction(SIGXFSZ, NULL, &action) || action.sa_handler != SIG_DFL)
		return;
	memset(&action, 0, sizeof(action));
	action.sa_handler = pass;
	sigaction(SIGXFSZ, &action, NULL);
}

void pn_process_standard(void)
{
	fill_standard_files();
	restore_sigpipe();
	catch_sigxfsz();
}
