/*
 * Between fork and exec only what POSIX.1-2008 section 2.4.3 calls
 * async-signal-safe is done, so that a program with threads may start
 * children. execvp is not in that list because of its search of PATH; glibc
 * and musl do that search without malloc and locks.
 */
#include "base/process/child.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIGNALS 65 /* Linux has 64, from 1 */

extern char **environ;

static bool same_name(const char *entry, const char *name)
{
	size_t len = strcspn(name, "=");

	return !strncmp(entry, name, len) && entry[len] == '=';
}

static bool in_list(const char *const *list, const char *entry)
{
	for (; list && *list; list++)
		if (same_name(entry, *list))
			return true;
	return false;
}

static size_t list_len(const char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

/* Ours without what is set or unset, then what is set; borrowed strings. */
char **pn_child_environment(const struct pn_process_options *options)
{
	size_t set = list_len(options->env_set), n = 0, i;
	char **env;

	if (!options->env_set && !options->env_unset)
		return NULL;
	env = pn_calloc(list_len((const char *const *)environ) + set + 1,
			sizeof(*env));
	for (i = 0; !options->env_whole && environ && environ[i]; i++)
		if (!in_list(options->env_set, environ[i]) &&
		    !in_list(options->env_unset, environ[i]))
			env[n++] = environ[i];
	for (i = 0; options->env_set && options->env_set[i]; i++)
		env[n++] = (char *)options->env_set[i];
	return env;
}

/* First out of the way of 0, 1 and 2, then each to its place. */
int pn_child_place_fds(const int want[3])
{
	int from[3], null = -1, i;

	for (i = 0; i < 3; i++) {
		from[i] = -1;
		if (want[i] < 0 && null < 0)
			null = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (want[i])
			from[i] = fcntl(want[i] < 0 ? null : want[i],
					F_DUPFD_CLOEXEC, 3);
		if (want[i] && from[i] < 0)
			return -1;
	}
	for (i = 0; i < 3; i++)
		if (from[i] >= 0 && dup2(from[i], i) < 0)
			return -1;
	return 0;
}

/* Our handlers must not run in the child; what we ignore it ignores too, but
 * for SIGPIPE, which a program ignores for its own writes only. */
void pn_child_reset_signals(const sigset_t *mask)
{
	struct sigaction action;
	int i;

	for (i = 1; i < SIGNALS; i++) {
		if (sigaction(i, NULL, &action))
			continue;
		if (action.sa_handler == SIG_DFL ||
		    (action.sa_handler == SIG_IGN && i != SIGPIPE))
			continue;
		memset(&action, 0, sizeof(action));
		action.sa_handler = SIG_DFL;
		sigaction(i, &action, NULL);
	}
	sigprocmask(SIG_SETMASK, mask, NULL);
}

int pn_child_wait(int *status, pid_t pid)
{
	pid_t got;

	do
		got = waitpid(pid, status, 0);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -1 : 0;
}

const char *pn_child_find(const char *name, int mode, char *room, size_t size)
{
	const char *path = getenv("PATH"), *next;
	size_t name_len = strlen(name), len;
	struct stat st;

	if (strchr(name, '/') || !path)
		return name;
	for (; path; path = next ? next + 1 : NULL) {
		next = strchr(path, ':');
		len = next ? (size_t)(next - path) : strlen(path);
		if (!len || len + name_len + 2 > size)
			continue;
		memcpy(room, path, len);
		room[len] = '/';
		memcpy(room + len + 1, name, name_len + 1);
		if (!access(room, mode) && !stat(room, &st) &&
		    S_ISREG(st.st_mode))
			return room;
	}
	return name;
}

/* execvp says "permission denied" of a program that is nowhere when it may
 * not look into one of the folders of PATH. */
static bool is_absent(const char *name, int error)
{
	char room[4096];

	return error == ENOENT ||
	       (error == EACCES && !strchr(name, '/') &&
		pn_child_find(name, F_OK, room, sizeof(room)) == name);
}

int pn_child_explain(const struct pn_child_failure *failure,
		     const struct pn_child_plan *plan, struct pn_error *err)
{
	const char *name = plan->argv[0];

	errno = failure->error;
	if (failure->stage == PN_CHILD_DIR)
		return pn_error_system(err, "cannot run '%s' in '%s'", name,
				       plan->dir);
	if (failure->stage == PN_CHILD_EXEC &&
	    is_absent(name, failure->error)) {
		if (!strchr(name, '/'))
			return pn_error_set(err, PN_ENOTFOUND,
					    "cannot run '%s': command not "
					    "found",
					    name);
		return pn_error_set(err, PN_ENOTFOUND,
				    "cannot run '%s': no such file, or its "
				    "interpreter is missing",
				    name);
	}
	errno = failure->error;
	return pn_error_system(err, "cannot run '%s'", name);
}

/* Whether a whole message came; none does when an exec closed the end. */
bool pn_child_read(int fd, void *out, size_t size)
{
	ssize_t n;

	do
		n = read(fd, out, size);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size;
}

void pn_child_end(pid_t pid, bool own_group)
{
	const struct timespec ms = {0, 1000000};
	pid_t all = own_group ? -pid : pid;
	const int grace = PN_PROCESS_GRACE_S * 1000;
	int tries, raw;

	kill(all, SIGTERM);
	kill(all, SIGCONT);
	/* the dead count until somebody has looked: not for ever */
	for (tries = 0; tries < grace + 100; tries++) {
		waitpid(pid, &raw, WNOHANG);
		if (kill(all, tries < grace ? 0 : SIGKILL))
			return;
		nanosleep(&ms, NULL);
	}
}

int pn_child_status(int raw)
{
	return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
}
