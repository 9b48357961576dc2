/* git processes of a run in place, and copies of git's files. */
#include "vcs/git.h"
#include "base/alloc.h"
#include "base/file.h"
#include "vcs/child.h"
#include "vcs/inplace/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ARGS_MAX 32
#define KILLED 128 /* above it is a signal */

/* No hook, no submodule, no helper process that stays, one file of index. */
static const char *const settings[] = {"git",
				       "-c",
				       "core.hooksPath=/dev/null",
				       "-c",
				       "submodule.recurse=false",
				       "-c",
				       "core.fsmonitor=false",
				       "-c",
				       "core.splitIndex=false",
				       "-c",
				       "core.untrackedCache=false",
				       "-c",
				       "gc.auto=0"};

#define SETTINGS (sizeof(settings) / sizeof(*settings))

/* Of `git rev-parse --local-env-vars` what pn_repo does not set itself. */
static const char *const unset[] = {"GIT_INDEX_FILE",
				    "GIT_PREFIX",
				    "GIT_NAMESPACE",
				    "GIT_SHALLOW_FILE",
				    "GIT_GRAFT_FILE",
				    "GIT_IMPLICIT_WORK_TREE",
				    "GIT_INTERNAL_SUPER_PREFIX",
				    NULL};

/* `index` is a path; set up the environment of the repository with it. */
static void fill_env(const char *env[PN_GIT_ENV_MAX + 2],
		     const struct pn_inplace *run, const char *index)
{
	size_t n = 0;

	for (; run->repo->env[n]; n++)
		env[n] = run->repo->env[n];
	if (index)
		env[n++] = index;
	env[n] = NULL;
}

/* Ctrl-C of a terminal does not reach the child: what it does has to be done
 * to its end. While it lives the lock is held, even if we die. */
static int start(struct pn_buf *out, char *said, int *status, int in,
		 const struct pn_inplace *run, const char *const *argv,
		 const char *const *env, struct pn_error *err)
{
	struct pn_process_options options = pn_child_options(run->repo);

	options.in = in;
	options.dir = run->root;
	options.env_set = env;
	options.env_unset = unset;
	options.own_group = true;
	return pn_process_capture(out, said, status, argv, &options,
				  PN_LISTING_MAX, err);
}

static int run_git(struct pn_buf *out, char *said, int *status, int in,
		   const struct pn_inplace *run, const char *index,
		   const char *const *args, struct pn_error *err)
{
	const char *argv[SETTINGS + ARGS_MAX], *env[PN_GIT_ENV_MAX + 2];
	struct pn_buf variable = {0}, dropped = {0};
	int code, n;

	memcpy(argv, settings, sizeof(settings));
	for (n = 0; args[n] && n < ARGS_MAX - 1; n++)
		argv[SETTINGS + (size_t)n] = args[n];
	argv[SETTINGS + (size_t)n] = NULL;
	pn_buf_printf(&variable, "GIT_INDEX_FILE=%s", index ? index : "");
	fill_env(env, run, index ? pn_buf_text(&variable) : NULL);
	code = start(out ? out : &dropped, said, status, in, run, argv, env,
		     err);
	pn_buf_release(&variable);
	pn_buf_release(&dropped);
	return code;
}

static int fail(const char *const *args, char *said, struct pn_error *err)
{
	return pn_error_set(err, PN_EIO, "git %s failed: %s", args[0],
			    *said ? pn_child_said(said) : "it was killed");
}

int pn_inplace_git(struct pn_buf *out, int *status,
		   const struct pn_inplace *run, const char *index,
		   const char *const *args, struct pn_error *err)
{
	char said[1024] = "";
	int result = 0;
	int code = run_git(out, said, &result, -1, run, index, args, err);

	if (!code && status && result <= KILLED)
		*status = result;
	else if (!code && result)
		code = fail(args, said, err);
	return code;
}

int pn_inplace_git_in(int in, char *said, int *status,
		      const struct pn_inplace *run, const char *index,
		      const char *const *args, struct pn_error *err)
{
	int code = run_git(NULL, said, status, in, run, index, args, err);

	return !code && *status > KILLED ? fail(args, said, err) : code;
}

static int copy_bytes(int from, int to)
{
	char room[65536];
	ssize_t n;

	while ((n = read(from, room, sizeof(room))) > 0)
		if (pn_file_write_all(to, room, (size_t)n))
			return -1;
	return n < 0 ? -1 : 0;
}

/* The time of an index file tells git which of its entries to distrust. */
static int copy_open(int from, int to)
{
	struct timespec times[2];
	struct stat st;

	if (fstat(from, &st) || copy_bytes(from, to) ||
	    fchmod(to, st.st_mode & 07777))
		return -1;
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	return futimens(to, times) || fsync(to) ? -1 : 0;
}

int pn_inplace_copy(const char *from, const char *to, struct pn_error *err)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out, code = 0;

	if (in < 0 && errno == ENOENT)
		return PN_ENOTFOUND;
	if (in < 0)
		return pn_error_system(err, "cannot read '%s'", from);
	unlink(to);
	out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (out < 0 || copy_open(in, out))
		code = pn_error_system(err, "cannot copy '%s' to '%s'", from,
				       to);
	if (out >= 0)
		close(out);
	close(in);
	return code;
}
