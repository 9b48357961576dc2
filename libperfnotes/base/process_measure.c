/*
 * Measured runs. A helper of ours, forked for each run, starts the command and
 * takes the times, so that nothing of ours runs beside it.
 */
#define _GNU_SOURCE /* pipe2, ppoll (POSIX.1-2024), wait4, vfork */
#include "base/process_child.h"

#include "base/alloc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RSS_UNIT 1024 /* of ru_maxrss: Linux and BSD count in kB */

extern char **environ;

/* What the child that starts a measured run sends to us: when the run began,
 * when it ended, or why it did not come about. */
struct mark {
	struct pn_child_failure failure; /* error 0: none */
	int status;			 /* as waitpid gives it */
	int64_t time_ns;
	pid_t pid; /* of the command, when it begins */
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

/*
 * vfork, because what a fork copies, its child would have to throw away
 * inside of the time that is measured. The child tells when it begins.
 */
static pid_t start_measured(const char *program,
			    const struct pn_child_plan *plan, int report)
{
	struct mark mark = {{PN_CHILD_EXEC, 0}};
	pid_t pid = vfork();

	if (pid)
		return pid;
	sigprocmask(SIG_SETMASK, &plan->mask, NULL);
	mark.pid = getpid();
	getrusage(RUSAGE_SELF, &mark.used);
	mark.time_ns = monotonic_ns();
	send_mark(report, &mark);
	execvp(program, (char *const *)plan->argv);
	mark.failure.error = errno;
	send_mark(report, &mark);
	_exit(127);
}

/*
 * The terminal gives its keys and its input to the group in its foreground: a
 * command that we measure there has to stay in ours.
 */
static bool in_foreground(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++)
		if (tcgetpgrp(fd) == getpgrp())
			return true;
	return false;
}

/* Nobody could continue a group that the terminal stopped. */
static void enter_group(void)
{
	setpgid(0, 0);
	signal(SIGTTIN, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
}

/* All signals are blocked here: they are for the command, and we have to say
 * how that ended. `life` stays open as long as we are there. */
static _Noreturn void run_measured(const struct pn_child_plan *plan, int life)
{
	struct mark begin = {{PN_CHILD_FDS, 0}}, end = {{PN_CHILD_EXEC, 0}};
	int report = fcntl(plan->report, F_DUPFD_CLOEXEC, 3);
	char room[4096];
	sigset_t all;
	pid_t pid;

	if (life >= 0)
		fcntl(life, F_DUPFD_CLOEXEC, 3);
	sigfillset(&all);
	pn_child_reset_signals(&all);
	signal(SIGCHLD, SIG_DFL);
	if (plan->own_group)
		enter_group();
	if (pn_child_place_fds(plan->fds))
		goto fail;
	begin.failure.stage = PN_CHILD_DIR;
	if (plan->dir && chdir(plan->dir))
		goto fail;
	begin.failure.stage = PN_CHILD_EXEC;
	if (plan->env)
		environ = plan->env;
	pid = start_measured(
		pn_child_find(plan->argv[0], X_OK, room, sizeof(room)), plan,
		report);
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

/* One run, as we see it. */
struct pn_process_run {
	struct pn_child_plan plan;
	struct pn_process_options options;
	int64_t start_ns;
	int seen; /* of *options.stop */
	pid_t helper;
	int marks, life; /* read ends; nothing is ever written to the second */
	struct mark begin, end;
	bool has_begun; /* `begin` is read */
	bool stopped;	/* by us ... */
	bool timed_out; /* ... because of the time */
};

/* Both marks fit into the pipe: nobody has to read while the command runs,
 * and so nothing of ours runs beside it. */
static int read_marks(struct pn_process_run *r, struct pn_error *err)
{
	const char *name = r->plan.argv[0];

	if (!r->has_begun &&
	    !pn_child_read(r->marks, &r->begin, sizeof(r->begin)))
		return pn_error_set(err, PN_EIO, "cannot measure '%s'", name);
	if (r->begin.failure.error)
		return pn_child_explain(&r->begin.failure, &r->plan, err);
	if (!pn_child_read(r->marks, &r->end, sizeof(r->end)))
		return pn_error_set(
			err, PN_EIO,
			"cannot measure '%s': its parent was killed", name);
	if (r->end.failure.error)
		return pn_child_explain(&r->end.failure, &r->plan, err);
	return 0;
}

/* To the command with all that it started, as far as they have a group that
 * is not ours; to the command itself in any case. */
static void send_signal(struct pn_process_run *r, int number)
{
	r->stopped = true;
	if (!r->has_begun)
		r->has_begun =
			pn_child_read(r->marks, &r->begin, sizeof(r->begin));
	if (r->plan.own_group) {
		kill(-r->helper, number);
		kill(-r->helper, SIGCONT);
	} else if (r->has_begun && r->begin.pid > 0) {
		kill(r->begin.pid, number);
		kill(r->begin.pid, SIGCONT);
	}
}

/* Wait for the helper's end: 1 when it is gone, 0 when the time is over, -1
 * after a signal. Before the first one that is sent the time is that of the
 * options, later the grace; `until_ns` (0: none) may come earlier. */
static int wait_on(const struct pn_process_run *r, int64_t until_ns)
{
	struct pollfd gone = {.fd = r->life};
	struct timespec limit = {PN_PROCESS_GRACE_S, 0};
	int64_t now_ns = monotonic_ns(), left;

	if (!r->stopped) {
		left = r->options.timeout_ns
			       ? r->options.timeout_ns - (now_ns - r->start_ns)
			       : INT64_MAX;
		if (until_ns && until_ns - now_ns < left)
			left = until_ns - now_ns;
		left = left > 0 ? left : 0;
		limit.tv_sec = left / 1000000000;
		limit.tv_nsec = left % 1000000000;
	}
	return ppoll(&gone, 1, &limit, &r->plan.mask);
}

static void look_at_stop(struct pn_process_run *r)
{
	const struct pn_process_options *o = &r->options;

	if (!o->stop || *o->stop <= r->seen)
		return;
	send_signal(r, *o->stop - o->stop_after > 1 ? SIGKILL : SIGTERM);
	r->seen = *o->stop;
}

static bool is_late(const struct pn_process_run *r)
{
	return r->options.timeout_ns &&
	       monotonic_ns() - r->start_ns >= r->options.timeout_ns;
}

/* Until the helper is gone (true) or it is `until_ns`. Signals are blocked but
 * in ppoll, so that none comes between the look at `stop` and the wait. */
static bool wait_or_stop(struct pn_process_run *r, int64_t until_ns)
{
	int n;

	for (;;) {
		look_at_stop(r);
		n = wait_on(r, until_ns);
		if (n > 0)
			break;
		if (!n && !r->stopped && !is_late(r)) {
			if (until_ns && monotonic_ns() >= until_ns)
				return false;
			continue;
		}
		if (!n) {
			r->timed_out |= !r->stopped;
			send_signal(r, r->stopped ? SIGKILL : SIGTERM);
		}
	}
	/* what the command left behind; the helper's zombie keeps the number */
	if (r->stopped && r->plan.own_group)
		kill(-r->helper, SIGKILL);
	return true;
}

static int fork_helper(struct pn_process_run *r, struct pn_error *err)
{
	int marks[2] = {-1, -1}, life[2] = {-1, -1}, code = 0;
	sigset_t all;

	if (pipe2(marks, O_CLOEXEC) || pipe2(life, O_CLOEXEC))
		code = pn_error_system(err, "cannot run '%s'", r->plan.argv[0]);
	r->plan.report = marks[1];
	r->marks = marks[0];
	r->life = life[0];
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &r->plan.mask);
	r->helper = code ? -1 : fork();
	if (!r->helper)
		run_measured(&r->plan, life[1]);
	if (!code && r->helper < 0)
		code = pn_error_system(err, "cannot run '%s'", r->plan.argv[0]);
	if (!code && r->plan.own_group)
		setpgid(r->helper, r->helper); /* whoever is first */
	sigprocmask(SIG_SETMASK, &r->plan.mask, NULL);
	if (marks[1] >= 0)
		close(marks[1]);
	if (life[1] >= 0)
		close(life[1]);
	return code;
}

static void free_run(struct pn_process_run *r)
{
	if (r->marks >= 0)
		close(r->marks);
	if (r->life >= 0)
		close(r->life);
	free(r->plan.env);
	free(r);
}

int pn_process_measure_start(struct pn_process_run **out,
			     const char *const *argv,
			     const struct pn_process_options *options,
			     struct pn_error *err)
{
	struct pn_process_run *r = pn_calloc(1, sizeof(*r));
	int code;

	r->options = *options;
	r->seen = options->stop_after;
	r->plan.argv = argv;
	r->plan.dir = options->dir;
	r->plan.fds[0] = options->in;
	r->plan.fds[1] = options->out;
	r->plan.fds[2] = options->err;
	r->plan.env = pn_child_environment(options);
	r->plan.own_group =
		options->own_group && (options->background || !in_foreground());
	r->start_ns = monotonic_ns();
	code = fork_helper(r, err);
	if (code)
		free_run(r);
	else
		*out = r;
	return code;
}

bool pn_process_measure_wait(struct pn_process_run *r, int64_t pause_ns)
{
	sigset_t all;
	bool gone;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &r->plan.mask);
	gone = wait_or_stop(r, pause_ns ? monotonic_ns() + pause_ns : 0);
	sigprocmask(SIG_SETMASK, &r->plan.mask, NULL);
	return gone;
}

void pn_process_measure_stop(struct pn_process_run *r)
{
	send_signal(r, SIGTERM);
}

static int look_at_end(struct pn_process_run *r, struct pn_error *err)
{
	const char *name = r->plan.argv[0];
	int raw;

	if (pn_child_wait(&raw, r->helper))
		return pn_error_system(err, "cannot wait for '%s'", name);
	if (r->timed_out)
		return pn_error_set(err, PN_ETIMEOUT,
				    "'%s' was still running after %.4g s", name,
				    (double)r->options.timeout_ns / 1e9);
	if (r->stopped)
		return pn_error_set(err, PN_ESTOPPED, "'%s' was stopped", name);
	return read_marks(r, err);
}

int pn_process_measure_finish(struct pn_process_cost *out, int *status,
			      struct pn_process_run *r, struct pn_error *err)
{
	int code;

	pn_process_measure_wait(r, 0);
	code = look_at_end(r, err);
	if (!code) {
		subtract(out, &r->end, &r->begin);
		*status = pn_child_status(r->end.status);
	}
	free_run(r);
	return code;
}

int pn_process_measure(struct pn_process_cost *out, int *status,
		       const char *const *argv,
		       const struct pn_process_options *options,
		       struct pn_error *err)
{
	struct pn_process_run *r;
	int code;

	code = pn_process_measure_start(&r, argv, options, err);
	if (!code)
		code = pn_process_measure_finish(out, status, r, err);
	return code;
}
