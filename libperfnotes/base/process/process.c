/* Child processes, started and read from. */
#define _GNU_SOURCE /* pipe2 (POSIX.1-2024): pipe and fcntl would race */
#include "base/process/child.h"

#include "base/alloc.h"
#include "base/trace2.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ERR_TEXT 1024 /* of pn_process_capture */
#define READ_LEAST 4096
#define READ_MOST 65536

extern char **environ;

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* No terminal, and nothing of ours that was left open: who reads our output
 * would wait for its end. */
static void detach(void)
{
	int fd;

	setsid();
	for (fd = 3; fd < PN_CHILD_FDS_MAX; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
}

#ifdef __linux__
/* Also when we were gone before. */
static void end_with(pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		raise(SIGTERM);
}
#else
static void end_with(pid_t parent)
{
	(void)parent;
}
#endif

static void limit_time(uint64_t seconds)
{
	struct rlimit limit;

	if (!seconds || getrlimit(RLIMIT_CPU, &limit) ||
	    limit.rlim_cur <= seconds)
		return;
	limit.rlim_cur = seconds;
	setrlimit(RLIMIT_CPU, &limit);
}

static void add_text(char *out, size_t size, const char *text)
{
	size_t len = strlen(out), more = strlen(text);

	if (more >= size - len)
		more = size - len - 1;
	memcpy(out + len, text, more);
	out[len + more] = '\0';
}

/* Without stdio, which is not for here. */
static void say_failure(const struct pn_child_plan *plan)
{
	char line[256] = "fatal: cannot run '";
	ssize_t n;

	add_text(line, sizeof(line) - 3, plan->argv[0]);
	add_text(line, sizeof(line), "'\n");
	n = write(STDERR_FILENO, line, strlen(line));
	(void)n; /* there is nobody else to tell */
}

static _Noreturn void fail_child(const struct pn_child_plan *plan, int report,
				 struct pn_child_failure *failure)
{
	ssize_t n = 0;

	failure->error = errno;
	if (plan->detached)
		say_failure(plan);
	else
		n = write(report, failure, sizeof(*failure));
	_exit(n == (ssize_t)sizeof(*failure) ? 127 : 126);
}

static _Noreturn void run_child(const struct pn_child_plan *plan)
{
	struct pn_child_failure failure = {PN_CHILD_FDS, 0};
	int report =
		plan->detached ? -1 : fcntl(plan->report, F_DUPFD_CLOEXEC, 3);

	if (plan->detached)
		detach();
	pn_child_reset_signals(&plan->mask);
	if (plan->own_group && !plan->detached)
		setpgid(0, 0);
	if (plan->ends_with_us)
		end_with(plan->parent);
	limit_time(plan->most_cpu_s);
	if (pn_child_place_fds(plan->fds))
		goto fail;
	failure.stage = PN_CHILD_DIR;
	if (plan->dir && chdir(plan->dir))
		goto fail;
	failure.stage = PN_CHILD_EXEC;
	if (plan->env)
		environ = plan->env;
	execvp(plan->argv[0], (char *const *)plan->argv);
fail:
	fail_child(plan, report, &failure);
}

static int fork_child(pid_t *out, struct pn_child_plan *plan,
		      struct pn_error *err)
{
	struct pn_child_failure failure;
	sigset_t all;
	int report[2] = {-1, -1}, status;
	pid_t pid;

	if (!plan->detached && pipe2(report, O_CLOEXEC))
		return pn_error_system(err, "cannot run '%s'", plan->argv[0]);
	plan->report = report[1];
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &plan->mask);
	pid = fork();
	if (!pid)
		run_child(plan);
	status = errno;
	sigprocmask(SIG_SETMASK, &plan->mask, NULL);
	close_fd(&report[1]);
	if (pid < 0) {
		close_fd(&report[0]);
		errno = status;
		return pn_error_system(err, "cannot run '%s'", plan->argv[0]);
	}
	if (plan->own_group && !plan->detached)
		setpgid(pid, pid); /* whichever of the two is first */
	status = !plan->detached &&
		 pn_child_read(report[0], &failure, sizeof(failure));
	close_fd(&report[0]);
	if (status) {
		pn_child_wait(&status, pid);
		return pn_child_explain(&failure, plan, err);
	}
	*out = pid;
	return 0;
}

/* As pn_process_start; *err_fd (may be NULL) becomes the read end of what the
 * child says on standard error. */
static int start(struct pn_process *out, int *err_fd, const char *const *argv,
		 const struct pn_process_options *options, struct pn_error *err)
{
	static const struct pn_process_options none;
	int to[2] = {-1, -1}, said[2] = {-1, -1};
	struct pn_child_plan plan = {.argv = argv};
	pid_t pid = -1;
	int code = 0;

	if (!options)
		options = &none;
	if ((options->pipe_out && pipe2(to, O_CLOEXEC)) ||
	    (err_fd && pipe2(said, O_CLOEXEC)))
		code = pn_error_system(err, "cannot run '%s'", argv[0]);
	plan.dir = options->dir;
	plan.env = pn_child_environment(options);
	plan.fds[0] = options->in;
	plan.fds[1] = options->pipe_out ? to[1] : options->out;
	plan.fds[2] = err_fd ? said[1] : options->err;
	plan.own_group = options->own_group;
	plan.detached = options->detached;
	plan.ends_with_us = options->ends_with_us;
	plan.most_cpu_s = options->most_cpu_s;
	plan.parent = getpid();
	if (!code)
		code = fork_child(&pid, &plan, err);
	free(plan.env);
	close_fd(&to[1]);
	close_fd(&said[1]);
	if (code) {
		close_fd(&to[0]);
		close_fd(&said[0]);
		return code;
	}
	out->pid = pid;
	out->out = to[0];
	out->begun_ns = pn_trace2_child_start(PN_TRACE2_HERE, argv, pid);
	if (err_fd)
		*err_fd = said[0];
	return 0;
}

int pn_process_start(struct pn_process *out, const char *const *argv,
		     const struct pn_process_options *options,
		     struct pn_error *err)
{
	return start(out, NULL, argv, options, err);
}

int pn_process_wait(int *status, struct pn_process *process,
		    struct pn_error *err)
{
	int raw;

	close_fd(&process->out);
	if (pn_child_wait(&raw, process->pid))
		return pn_error_system(err, "cannot wait for process %ld",
				       (long)process->pid);
	*status = pn_child_status(raw);
	pn_trace2_child_exit(PN_TRACE2_HERE, process->pid, *status,
			     process->begun_ns);
	return 0;
}

/* Read once; 1 while there may be more, 0 at the end, -1 on failure. */
static int read_some(struct pn_buf *out, int fd)
{
	size_t room = out->cap > out->len ? out->cap - out->len - 1 : 0;
	ssize_t n;

	/* an array that grows for a read that finds the end is moved */
	if (room < READ_LEAST) {
		room = READ_MOST;
		pn_buf_reserve(out, room);
	}
	n = read(fd, out->data + out->len, room);
	if (n > 0)
		out->len += (size_t)n;
	out->data[out->len] = '\0';
	return n < 0 ? (errno == EINTR ? 1 : -1) : n > 0;
}

/* Both pipes until both are closed or standard output is over `limit`. */
static int drain(struct pn_buf *out, struct pn_buf *said, int fd, int err_fd,
		 size_t limit)
{
	struct pollfd fds[2] = {{fd, POLLIN, 0}, {err_fd, POLLIN, 0}};
	int n;

	while ((fds[0].fd >= 0 || fds[1].fd >= 0) && out->len <= limit) {
		if (poll(fds, 2, -1) < 0) {
			if (errno == EINTR)
				continue;
			return -1;
		}
		if (fds[0].fd >= 0 && fds[0].revents) {
			n = read_some(out, fd);
			if (n < 0)
				return -1;
			if (!n)
				fds[0].fd = -1;
		}
		if (fds[1].fd >= 0 && fds[1].revents) {
			n = read_some(said, err_fd);
			if (n < 0)
				return -1;
			if (!n)
				fds[1].fd = -1;
			if (said->len > ERR_TEXT)
				said->len = ERR_TEXT;
		}
	}
	return 0;
}

int pn_process_capture(struct pn_buf *out, char err_text[1024], int *status,
		       const char *const *argv,
		       const struct pn_process_options *options, size_t limit,
		       struct pn_error *err)
{
	struct pn_process_options piped = {0};
	struct pn_buf text = {0}, said = {0};
	struct pn_process process;
	int err_fd = -1, exit_status = 0, code, failed;

	if (options)
		piped = *options;
	piped.pipe_out = true;
	code = start(&process, err_text ? &err_fd : NULL, argv, &piped, err);
	if (code)
		return code;
	failed = drain(&text, &said, process.out, err_fd, limit);
	if (failed)
		code = pn_error_system(err, "cannot read from '%s'", argv[0]);
	else if (text.len > limit)
		code = pn_error_set(err, PN_ELIMIT,
				    "'%s' wrote more than %zu bytes", argv[0],
				    limit);
	if (code)
		kill(process.pid, SIGKILL);
	close_fd(&err_fd);
	failed = pn_process_wait(&exit_status, &process, code ? NULL : err);
	if (!code)
		code = failed;
	if (!code) {
		pn_buf_add(out, text.data, text.len);
		*status = exit_status;
	}
	if (!code && err_text) {
		if (said.len > ERR_TEXT - 1)
			said.len = ERR_TEXT - 1;
		memcpy(err_text, pn_buf_text(&said), said.len);
		err_text[said.len] = '\0';
	}
	pn_buf_release(&text);
	pn_buf_release(&said);
	return code;
}
