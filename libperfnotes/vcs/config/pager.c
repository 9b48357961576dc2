/* Starting git's pager. */
#include "vcs/config/pager.h"

#include "base/process/process.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* git-var(1): the value "is meant to be interpreted by the shell". */
int pn_pager_start(int *fd, int *pid, const char *pager, struct pn_error *err)
{
	const char *env[] = {"GIT_PAGER_IN_USE=true", NULL, NULL, NULL};
	const char *argv[] = {"sh", "-c", pager, NULL};
	struct pn_process_options options = {.env_set = env};
	struct pn_process process;
	size_t n = 1;
	int fds[2];

	if (!getenv("LESS"))
		env[n++] = "LESS=FRX";
	if (!getenv("LV"))
		env[n++] = "LV=-c";
	if (pipe(fds))
		return pn_error_system(err, "cannot open a pipe");
	fcntl(fds[0], F_SETFD, FD_CLOEXEC);
	fcntl(fds[1], F_SETFD, FD_CLOEXEC);
	options.in = fds[0];
	if (pn_process_start(&process, argv, &options, err)) {
		close(fds[0]);
		close(fds[1]);
		return err->code;
	}
	close(fds[0]);
	*fd = fds[1];
	*pid = process.pid;
	return 0;
}
