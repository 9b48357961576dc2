/* The detached worker: what it inherits, and where its words go. */
#include "jobs/background.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/process/process.h"
#include "jobs/queue/queue.h"
#include "vcs/gitdir.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOG_MAX (256 * 1024) /* then it becomes worker.log.1 */
#define UNSET_MAX 64	     /* names, with the NULL */

/* What git sets for the commit that is being made, and what could ask for a
 * password in a window. */
static const char *const of_commit[] = {
	"GIT_QUARANTINE_PATH", "GIT_REFLOG_ACTION",
	"GIT_EDITOR",	       "GIT_SEQUENCE_EDITOR",
	"GIT_AUTHOR_NAME",     "GIT_AUTHOR_EMAIL",
	"GIT_AUTHOR_DATE",     "GIT_COMMITTER_DATE",
	"SSH_ASKPASS",	       NULL};

static size_t add_names(const char **out, size_t n, const char *const *names)
{
	for (; *names && n + 1 < UNSET_MAX; names++)
		out[n++] = *names;
	out[n] = NULL;
	return n;
}

/* The end of the log of a busy year is enough. */
static int open_log(const char *common_dir)
{
	struct pn_buf path = {0}, old = {0};
	struct stat st;
	int fd;

	pn_buf_printf(&path, "%s/perf/worker.log", common_dir);
	pn_buf_printf(&old, "%s.1", pn_buf_text(&path));
	if (!stat(pn_buf_text(&path), &st) && st.st_size > LOG_MAX)
		rename(pn_buf_text(&path), pn_buf_text(&old));
	fd = pn_queue_open(common_dir, "worker.log",
			   O_WRONLY | O_APPEND | O_NOFOLLOW);
	pn_buf_release(&path);
	pn_buf_release(&old);
	return fd;
}

void pn_background_tidy(const char *common_dir)
{
	struct pn_buf path = {0};
	struct stat ours, log;
	int fd;

	pn_buf_printf(&path, "%s/perf/worker.log", common_dir);
	if (!fstat(STDERR_FILENO, &ours) && ours.st_size > LOG_MAX &&
	    !stat(pn_buf_text(&path), &log) && ours.st_dev == log.st_dev &&
	    ours.st_ino == log.st_ino && (fd = open_log(common_dir)) >= 0) {
		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		close(fd);
	}
	pn_buf_release(&path);
}

/* Us, whatever PATH says. */
char *pn_background_program(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));

	if (n <= 0 || n == (ssize_t)sizeof(path))
		return pn_strdup("git-perf");
	return pn_strndup(path, (size_t)n);
}

static char *assign(const char *name, const char *value)
{
	struct pn_buf text = {0};

	pn_buf_printf(&text, "%s=%s", name, value);
	return pn_buf_detach(&text);
}

/* git hands a commit's author to its hooks; ours is who commits. */
static size_t add_author(const char **set, size_t n, char **name, char **mail)
{
	const char *own_name = getenv("GIT_COMMITTER_NAME");
	const char *own_mail = getenv("GIT_COMMITTER_EMAIL");

	if (own_name)
		set[n++] = *name = assign("GIT_AUTHOR_NAME", own_name);
	if (own_mail)
		set[n++] = *mail = assign("GIT_AUTHOR_EMAIL", own_mail);
	return n;
}

int pn_background_start(const char *common_dir, struct pn_error *err)
{
	const char *unset[UNSET_MAX];
	const char *set[8] = {"GIT_PERF_RUNNING=1", "GIT_TERMINAL_PROMPT=0",
			      "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never",
			      "GCM_INTERACTIVE=never"};
	char *program = pn_background_program(), *name = NULL, *mail = NULL;
	const char *const argv[] = {program, "-C", common_dir, "worker", NULL};
	struct pn_process_options options = {
		.in = -1, .dir = "/", .env_set = set, .detached = true};
	struct pn_process process;
	int log = open_log(common_dir), code;

	if (log < 0) {
		free(program);
		return pn_error_system(err, "cannot write '%s/perf/worker.log'",
				       common_dir);
	}
	add_author(set, 5, &name, &mail);
	add_names(unset, add_names(unset, 0, pn_gitdir_variables), of_commit);
	options.env_unset = unset;
	options.out = options.err = log;
	code = pn_process_start(&process, argv, &options, err);
	close(log);
	free(program);
	free(name);
	free(mail);
	return code;
}

#define SAID_MAX 65536 /* bytes of what a run says, the last ones */

int64_t pn_background_said(int fd)
{
	struct stat st;

	return fstat(fd, &st) || !S_ISREG(st.st_mode) ? -1 : st.st_size;
}

void pn_background_fault(struct pn_buf *out, int fd, int64_t since)
{
	int64_t end = pn_background_said(fd);
	struct pn_buf path = {0}, text = {0};
	const char *at, *stop;
	char *bytes;
	ssize_t n;
	int copy;

	if (since < 0 || end <= since)
		return;
	if (end - since > SAID_MAX)
		since = end - SAID_MAX;
	/* what is only open for writing can be read anew */
	pn_buf_printf(&path, "/proc/self/fd/%d", fd);
	copy = open(pn_buf_text(&path), O_RDONLY | O_CLOEXEC);
	bytes = (char *)pn_buf_reserve(&text, (size_t)(end - since) + 1);
	n = copy < 0 ? -1
		     : pread(copy, bytes, (size_t)(end - since), (off_t)since);
	bytes[n > 0 ? n : 0] = '\0';
	for (at = bytes; *at; at = *stop ? stop + 1 : stop) {
		stop = at + strcspn(at, "\n");
		if (strncmp(at, "fatal: ", 7) != 0 &&
		    strncmp(at, "error: ", 7) != 0)
			continue;
		pn_buf_clear(out);
		pn_buf_add(out, at + 7, (size_t)(stop - at - 7));
	}
	if (copy >= 0)
		close(copy);
	pn_buf_release(&path);
	pn_buf_release(&text);
}
