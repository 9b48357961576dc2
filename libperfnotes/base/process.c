/*
 * Child processes. Between fork and exec only what POSIX.1-2008 section 2.4.3
 * calls async-signal-safe is done, so that a program with threads may start
 * children. execvp is not in that list because of its search of PATH; glibc
 * and musl do that search without malloc and locks.
 */
#define _GNU_SOURCE /* pipe2 (POSIX.1-2024): pipe and fcntl would race; wait4  \
		     */
#include "base/process.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ERR_TEXT 1024 /* of pn_process_capture */
#define SIGNALS 65    /* Linux has 64, from 1 */
#define RSS_UNIT 1024 /* of ru_maxrss: Linux and BSD count in kB */

extern char **environ;

/* What a child reports when it cannot become the command. */
enum stage { STAGE_FDS, STAGE_DIR, STAGE_EXEC };

struct failure {
	int stage;
	int error;
};

/* Everything that the child needs, made before the fork. */
struct plan {
	const char *const *argv;
	const char *dir;
	char **env; /* NULL: ours */
	int fds[3]; /* as in the options: -1, 0 or an fd */
	bool own_group;
	int report;    /* write end, closed by a good exec */
	sigset_t mask; /* ours before the fork */
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

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
static char **make_env(const struct pn_process_options *options)
{
	size_t set = list_len(options->env_set), n = 0, i;
	char **env;

	if (!options->env_set && !options->env_unset)
		return NULL;
	env = pn_calloc(list_len((const char *const *)environ) + set + 1,
			sizeof(*env));
	for (i = 0; environ && environ[i]; i++)
		if (!in_list(options->env_set, environ[i]) &&
		    !in_list(options->env_unset, environ[i]))
			env[n++] = environ[i];
	for (i = 0; options->env_set && options->env_set[i]; i++)
		env[n++] = (char *)options->env_set[i];
	return env;
}

/* First out of the way of 0, 1 and 2, then each to its place. */
static int place_fds(const int want[3])
{
	int from[3], i;

	for (i = 0; i < 3; i++) {
		from[i] = -1;
		if (want[i] > 0) {
			from[i] = fcntl(want[i], F_DUPFD_CLOEXEC, 3);
		} else if (want[i] < 0) {
			int null = open("/dev/null", O_RDWR | O_CLOEXEC);

			from[i] = fcntl(null, F_DUPFD_CLOEXEC, 3);
		}
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
static void reset_signals(const sigset_t *mask)
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

static _Noreturn void run_child(const struct plan *plan)
{
	struct failure failure = {STAGE_FDS, 0};
	int report = fcntl(plan->report, F_DUPFD_CLOEXEC, 3);
	ssize_t n;

	reset_signals(&plan->mask);
	if (plan->own_group)
		setpgid(0, 0);
	if (place_fds(plan->fds))
		goto fail;
	failure.stage = STAGE_DIR;
	if (plan->dir && chdir(plan->dir))
		goto fail;
	failure.stage = STAGE_EXEC;
	if (plan->env)
		environ = plan->env;
	execvp(plan->argv[0], (char *const *)plan->argv);
fail:
	failure.error = errno;
	n = write(report, &failure, sizeof(failure));
	_exit(n == (ssize_t)sizeof(failure) ? 127 : 126);
}

static int wait_for(int *status, pid_t pid)
{
	pid_t got;

	do
		got = waitpid(pid, status, 0);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -1 : 0;
}

static int explain(const struct failure *failure, const struct plan *plan,
		   struct pn_error *err)
{
	const char *name = plan->argv[0];

	errno = failure->error;
	if (failure->stage == STAGE_DIR)
		return pn_error_system(err, "cannot run '%s' in '%s'", name,
				       plan->dir);
	if (failure->stage == STAGE_EXEC && errno == ENOENT) {
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
	return pn_error_system(err, "cannot run '%s'", name);
}

/* Whether a whole message came; none does when an exec closed the end. */
static bool read_message(int fd, void *out, size_t size)
{
	ssize_t n;

	do
		n = read(fd, out, size);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)size;
}

static int fork_child(pid_t *out, struct plan *plan, struct pn_error *err)
{
	struct failure failure;
	sigset_t all;
	int report[2], status;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC))
		return pn_error_system(err, "cannot run '%s'", plan->argv[0]);
	plan->report = report[1];
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &plan->mask);
	pid = fork();
	if (!pid)
		run_child(plan);
	status = errno;
	sigprocmask(SIG_SETMASK, &plan->mask, NULL);
	close(report[1]);
	if (pid < 0) {
		close(report[0]);
		errno = status;
		return pn_error_system(err, "cannot run '%s'", plan->argv[0]);
	}
	if (plan->own_group)
		setpgid(pid, pid); /* whichever of the two is first */
	status = read_message(report[0], &failure, sizeof(failure));
	close(report[0]);
	if (status) {
		wait_for(&status, pid);
		return explain(&failure, plan, err);
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
	struct plan plan = {.argv = argv};
	pid_t pid;
	int code = 0;

	if (!options)
		options = &none;
	if ((options->pipe_out && pipe2(to, O_CLOEXEC)) ||
	    (err_fd && pipe2(said, O_CLOEXEC)))
		code = pn_error_system(err, "cannot run '%s'", argv[0]);
	plan.dir = options->dir;
	plan.env = make_env(options);
	plan.fds[0] = options->in;
	plan.fds[1] = options->pipe_out ? to[1] : options->out;
	plan.fds[2] = err_fd ? said[1] : options->err;
	plan.own_group = options->own_group;
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

static int decode_status(int raw)
{
	return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
}

int pn_process_wait(int *status, struct pn_process *process,
		    struct pn_error *err)
{
	int raw;

	close_fd(&process->out);
	if (wait_for(&raw, process->pid))
		return pn_error_system(err, "cannot wait for process %ld",
				       (long)process->pid);
	*status = decode_status(raw);
	return 0;
}

/* Read once; 1 while there may be more, 0 at the end, -1 on failure. */
static int read_some(struct pn_buf *out, int fd)
{
	unsigned char *to = pn_buf_reserve(out, 65536);
	ssize_t n = read(fd, to, 65536);

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

/* What the child that starts a measured run sends to us: when the run began,
 * when it ended, or why it did not come about. */
struct mark {
	struct failure failure; /* error 0: none */
	int status;		/* as waitpid gives it */
	int64_t time_ns;
	struct rusage used;
};

static int64_t monotonic_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void send_mark(int to, const struct mark *mark)
{
	ssize_t n = write(to, mark, sizeof(*mark));

	if (n != (ssize_t)sizeof(*mark))
		_exit(126);
}

/* Where execvp would find a program, so that its search is not measured;
 * `name` itself when it is nowhere. */
static const char *find_program(const char *name, char *room, size_t size)
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
		if (!access(room, X_OK) && !stat(room, &st) &&
		    S_ISREG(st.st_mode))
			return room;
	}
	return name;
}

/*
 * vfork, because what a fork copies, its child would have to throw away
 * inside of the time that is measured. The child tells when it begins.
 */
static pid_t start_measured(const char *program, const struct plan *plan,
			    int report)
{
	struct mark mark = {{STAGE_EXEC, 0}};
	pid_t pid = vfork();

	if (pid)
		return pid;
	sigprocmask(SIG_SETMASK, &plan->mask, NULL);
	getrusage(RUSAGE_SELF, &mark.used);
	mark.time_ns = monotonic_ns();
	send_mark(report, &mark);
	execvp(program, (char *const *)plan->argv);
	mark.failure.error = errno;
	send_mark(report, &mark);
	_exit(127);
}

/* All signals are blocked here: a Ctrl-C is for the command, and we have to
 * say how that ended. */
static _Noreturn void run_measured(const struct plan *plan)
{
	struct mark begin = {{STAGE_FDS, 0}}, end = {{STAGE_EXEC, 0}};
	int report = fcntl(plan->report, F_DUPFD_CLOEXEC, 3);
	char room[4096];
	sigset_t all;
	pid_t pid;

	sigfillset(&all);
	reset_signals(&all);
	signal(SIGCHLD, SIG_DFL);
	if (place_fds(plan->fds))
		goto fail;
	begin.failure.stage = STAGE_DIR;
	if (plan->dir && chdir(plan->dir))
		goto fail;
	begin.failure.stage = STAGE_EXEC;
	if (plan->env)
		environ = plan->env;
	pid = start_measured(find_program(plan->argv[0], room, sizeof(room)),
			     plan, report);
	if (pid < 0)
		goto fail;
	wait4(pid, &end.status, 0, &end.used);
	end.time_ns = monotonic_ns();
	send_mark(report, &end);
	_exit(0);
fail:
	begin.failure.error = errno;
	send_mark(report, &begin);
	_exit(127);
}

static int64_t time_ns(const struct timeval *tv)
{
	return (int64_t)tv->tv_sec * 1000000000 + (int64_t)tv->tv_usec * 1000;
}

/* The kernel scales times from samples: they may seem to run backwards. */
static int64_t from_zero(int64_t value)
{
	return value > 0 ? value : 0;
}

static void subtract(struct pn_process_cost *out, const struct mark *end,
		     const struct mark *begin)
{
	const struct rusage *e = &end->used, *b = &begin->used;

	out->wall_ns = end->time_ns - begin->time_ns;
	out->user_ns = from_zero(time_ns(&e->ru_utime) - time_ns(&b->ru_utime));
	out->sys_ns = from_zero(time_ns(&e->ru_stime) - time_ns(&b->ru_stime));
	out->max_rss_bytes = (uint64_t)e->ru_maxrss * RSS_UNIT;
	out->minor_faults = (uint64_t)from_zero(e->ru_minflt - b->ru_minflt);
	out->major_faults = (uint64_t)from_zero(e->ru_majflt - b->ru_majflt);
	out->voluntary_switches =
		(uint64_t)from_zero(e->ru_nvcsw - b->ru_nvcsw);
	out->involuntary_switches =
		(uint64_t)from_zero(e->ru_nivcsw - b->ru_nivcsw);
}

/* Both marks fit into the pipe: nobody has to read while the command runs,
 * and so nothing of ours runs beside it. */
static int read_marks(struct mark *begin, struct mark *end, int fd,
		      const struct plan *plan, struct pn_error *err)
{
	if (!read_message(fd, begin, sizeof(*begin)))
		return pn_error_set(err, PN_EIO, "cannot measure '%s'",
				    plan->argv[0]);
	if (begin->failure.error)
		return explain(&begin->failure, plan, err);
	if (!read_message(fd, end, sizeof(*end)))
		return pn_error_set(
			err, PN_EIO,
			"cannot measure '%s': its parent was killed",
			plan->argv[0]);
	if (end->failure.error)
		return explain(&end->failure, plan, err);
	return 0;
}

int pn_process_measure(struct pn_process_cost *out, int *status,
		       const char *const *argv,
		       const struct pn_process_options *options,
		       struct pn_error *err)
{
	struct plan plan = {.argv = argv, .dir = options->dir};
	struct mark begin, end;
	int report[2], raw, code;
	sigset_t all;
	pid_t pid;

	if (pipe2(report, O_CLOEXEC))
		return pn_error_system(err, "cannot run '%s'", argv[0]);
	plan.report = report[1];
	plan.env = make_env(options);
	plan.fds[0] = options->in;
	plan.fds[1] = options->out;
	plan.fds[2] = options->err;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &plan.mask);
	pid = fork();
	if (!pid)
		run_measured(&plan);
	code = pid < 0 ? pn_error_system(err, "cannot run '%s'", argv[0]) : 0;
	sigprocmask(SIG_SETMASK, &plan.mask, NULL);
	close(report[1]);
	if (!code && wait_for(&raw, pid))
		code = pn_error_system(err, "cannot wait for '%s'", argv[0]);
	if (!code)
		code = read_marks(&begin, &end, report[0], &plan, err);
	close(report[0]);
	free(plan.env);
	if (code)
		return code;
	subtract(out, &end, &begin);
	*status = decode_status(end.status);
	return 0;
}
