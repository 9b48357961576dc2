/*
 * Measured runs: what they cost, and how they are ended. A launcher starts the
 * command and takes the times.
 */
#define _GNU_SOURCE /* ppoll (POSIX.1-2024) */
#include "base/process/child.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/process/launcher.h"
#include "base/trace2.h"

#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define RSS_UNIT 1024 /* of ru_maxrss: Linux and BSD count in kB */

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

static int64_t time_ns(const struct timeval *tv)
{
	return (int64_t)tv->tv_sec * 1000000000 + (int64_t)tv->tv_usec * 1000;
}

/* The kernel scales times from samples: they may seem to run backwards. */
static int64_t from_zero(int64_t value)
{
	return value > 0 ? value : 0;
}

static void subtract(struct pn_process_cost *out,
		     const struct pn_launcher_mark *end,
		     const struct pn_launcher_mark *begin)
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
	struct pn_trace2_region region;
	int seen; /* of *options.stop */
	struct pn_process_launcher *launcher;
	struct pn_process_launcher *own; /* the same, or NULL: it is shared */
	bool stopped;			 /* by us ... */
	bool timed_out;			 /* ... because of the time */
};

/* To the command with all that it started, as far as they have a group that
 * is not ours; to the command itself in any case. */
static void send_signal(struct pn_process_run *r, int number)
{
	pid_t pid = pn_launcher_pid(r->launcher);

	r->stopped = true;
	if (pid <= 0)
		return;
	if (r->plan.own_group)
		pid = -pid;
	kill(pid, number);
	kill(pid, SIGCONT);
}

/* Wait for the command's end: 1 when it is gone, 0 when the time is over, -1
 * after a signal. Before the first one that is sent the time is that of the
 * options, later the grace; `until_ns` (0: none) may come earlier. */
static int wait_on(const struct pn_process_run *r, int64_t until_ns)
{
	struct pollfd gone = {.fd = pn_launcher_fd(r->launcher),
			      .events = POLLIN};
	struct timespec limit = {PN_PROCESS_GRACE_S, 0};
	int64_t now_ns = pn_time_monotonic_ns(), left;

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
	       pn_time_monotonic_ns() - r->start_ns >= r->options.timeout_ns;
}

static void kill_group(struct pn_process_run *r)
{
	pid_t pid = pn_launcher_pid(r->launcher);

	if (pid > 0)
		kill(-pid, SIGKILL);
}

/* Until the command is gone (true) or it is `until_ns`. Signals are blocked but
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
			if (until_ns && pn_time_monotonic_ns() >= until_ns)
				return false;
			continue;
		}
		if (!n) {
			r->timed_out |= !r->stopped;
			send_signal(r, r->stopped ? SIGKILL : SIGTERM);
		}
	}
	if (r->stopped && r->plan.own_group)
		kill_group(r); /* what the command left behind */
	return true;
}

static void free_run(struct pn_process_run *r)
{
	pn_process_launcher_free(r->own);
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
	r->plan.polite = options->polite;
	sigprocmask(SIG_SETMASK, NULL, &r->plan.mask);
	r->launcher = options->launcher;
	if (!r->launcher || pn_launcher_is_busy(r->launcher))
		r->launcher = r->own = pn_process_launcher_new();
	r->region = pn_trace2_enter(PN_TRACE2_HERE, "measure", argv[0]);
	r->start_ns = pn_time_monotonic_ns();
	code = pn_launcher_start(r->launcher, &r->plan, err);
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
	gone = wait_or_stop(r,
			    pause_ns ? pn_time_monotonic_ns() + pause_ns : 0);
	sigprocmask(SIG_SETMASK, &r->plan.mask, NULL);
	return gone;
}

void pn_process_measure_stop(struct pn_process_run *r)
{
	send_signal(r, SIGTERM);
}

static int look_at_end(struct pn_launcher_answer *out, struct pn_process_run *r,
		       struct pn_error *err)
{
	const char *name = r->plan.argv[0];
	bool told = pn_launcher_finish(out, r->launcher);

	/* it must not go on in a folder that is put in order next */
	if (!told && out->left > 0)
		pn_child_end(out->left, r->plan.own_group);
	if (r->timed_out)
		return pn_error_set(err, PN_ETIMEOUT,
				    "'%s' was still running after %.4g s", name,
				    (double)r->options.timeout_ns / 1e9);
	if (r->stopped)
		return pn_error_set(err, PN_ESTOPPED, "'%s' was stopped", name);
	if (!told)
		return pn_error_set(
			err, PN_EIO,
			"cannot measure '%s': its parent was killed", name);
	if (out->failure.error)
		return pn_child_explain(&out->failure, &r->plan, err);
	return 0;
}

int pn_process_measure_finish(struct pn_process_cost *out, int *status,
			      struct pn_process_run *r, struct pn_error *err)
{
	struct pn_launcher_answer answer;
	int code;

	pn_process_measure_wait(r, 0);
	code = look_at_end(&answer, r, err);
	pn_trace2_leave(PN_TRACE2_HERE, &r->region);
	if (!code) {
		subtract(out, &answer.end, &answer.begin);
		*status = answer.status;
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
