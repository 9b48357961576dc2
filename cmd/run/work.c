/* The worker's loop. Measuring is `git perf run` in a process of its own: what
 * kills that does not kill the worker. */
#include "work.h"

#include "base/file.h"
#include "command.h"
#include "interrupt.h"
#include "jobs/background.h"
#include "jobs/queue/queue.h"
#include "jobs/queue/worker.h"
#include "render/run/worked.h"
#include "vcs/repo.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t child; /* its pid, 0: none runs */

/* One line, and what a log needs that is read long after it was written. */
static void tell(struct pn_buf *line)
{
	char time[PN_TIME_TEXT];

	pn_time_write(time, pn_time_now_ns());
	if (line->len)
		say("%.19sZ %s", time, pn_buf_text(line));
	pn_buf_clear(line);
}

/* A Ctrl-C comes to the child as well, the others are meant for us alone. */
static void stop(int signal)
{
	interrupted++;
	if (child && signal != SIGINT)
		kill((pid_t)child, SIGTERM);
}

static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = stop};
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
}

/* What is missing of one commit. Its words go where ours go. */
static int measure(struct pn_repo *repo, const struct pn_worker_step *step,
		   struct pn_buf *line, struct pn_error *err)
{
	struct pn_worker_run run = {&child, &interrupted, STDERR_FILENO};
	int status = 0, code;

	code = pn_worker_measure(&status, repo, step, &run, err);
	if (!code)
		pn_worked_end_text(line, step, status, interrupted);
	tell(line);
	fputs(pn_buf_text(&run.slower), stderr);
	pn_buf_release(&run.slower);
	if (run.unnoted.code)
		pn_buf_printf(line, "warning: %s", run.unnoted.message);
	tell(line);
	return code;
}

/* Told once for each thing that is waited for, to who looks. */
static void wait_for(const struct pn_worker_step *step, struct pn_buf *line,
		     char said[256])
{
	struct timespec left = {(time_t)(step->wait_ms / 1000),
				(long)(step->wait_ms % 1000) * 1000000};

	if (isatty(STDERR_FILENO) && strcmp(said, step->text) != 0) {
		tell(line);
		memcpy(said, step->text, sizeof(step->text));
	}
	if (!interrupted)
		nanosleep(&left, NULL);
}

static int take_step(const struct pn_worker_step *step, struct pn_repo *repo,
		     char said[256], struct pn_error *err)
{
	struct pn_buf line = {0};
	int code = 0;

	if (step->kind == PN_WORKER_MEASURE)
		pn_background_tidy(pn_repo_common_dir(repo));
	pn_worked_step_text(&line, step);
	if (step->kind == PN_WORKER_WAIT)
		wait_for(step, &line, said);
	else
		tell(&line);
	if (step->kind == PN_WORKER_MEASURE)
		code = measure(repo, step, &line, err);
	pn_buf_release(&line);
	return code;
}

/* With the lock, until nothing is left. */
static int drain(size_t *left, struct pn_repo *repo, bool once,
		 struct pn_error *err)
{
	struct pn_worker_step step = {.kind = PN_WORKER_WAIT};
	struct pn_worker *worker = NULL;
	char said[sizeof(step.text)] = "";
	int code = pn_worker_open(&worker, repo, once, err);

	while (!code && step.kind != PN_WORKER_DONE && !interrupted) {
		code = pn_worker_step(&step, worker, err);
		if (!code)
			code = take_step(&step, repo, said, err);
	}
	*left = step.kind == PN_WORKER_DONE ? step.count : 1;
	pn_worker_free(worker);
	return code;
}

int work(size_t *left, struct pn_repo *repo, bool once, struct pn_error *err)
{
	int code;

	catch_signals();
	/* A hook that saw our lock just before it went relies on us. */
	do
		code = drain(left, repo, once, err);
	while (!code && !*left && !interrupted &&
	       pn_queue_is_waiting(pn_repo_common_dir(repo)));
	return code;
}

bool work_once(const char *common_dir)
{
	struct pn_repo *repo = NULL;
	struct pn_error err = {0};
	size_t left = 0;
	int code = open_repo_at(&repo, common_dir, &err);

	if (!code)
		code = work(&left, repo, true, &err);
	if (code && code != PN_ELOCKED)
		warn("%s", err.message);
	pn_repo_free(repo);
	return left && !code && !interrupted;
}
