/* The worker's loop. Measuring is `git perf run` in a process of its own: what
 * kills that does not kill the worker. Long, as it has signals and a log to
 * look after. */
#include "work.h"

#include "base/file.h"
#include "command.h"
#include "interrupt.h"
#include "jobs/background.h"
#include "jobs/hooks/slower.h"
#include "jobs/hooks/unmeasured.h"
#include "jobs/queue.h"
#include "jobs/worker.h"
#include "vcs/repo.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t child; /* its pid, 0: none runs */

/* A log is read long after it was written. */
static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void tell(const char *format, ...)
{
	char time[PN_TIME_TEXT], text[1024];
	va_list args;

	pn_time_write(time, pn_time_now_ns());
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	say("%.19sZ %s", time, text);
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

static void wait_ms(int64_t ms)
{
	struct timespec left = {(time_t)(ms / 1000),
				(long)(ms % 1000) * 1000000};

	if (!interrupted)
		nanosleep(&left, NULL);
}

/* What is missing of one commit. Its words go where ours go. */
static int measure(struct pn_repo *repo, const struct pn_worker_step *step,
		   struct pn_error *err)
{
	struct pn_worker_run run = {&child, &interrupted, STDERR_FILENO};
	struct pn_error unnoted = {0};
	struct pn_buf slower = {0};
	char hex[PN_OID_HEX + 1];
	int status = 0, code;

	pn_oid_hex(hex, &step->commit);
	pn_background_tidy(pn_repo_common_dir(repo));
	tell("measuring %.10s", hex);
	code = pn_worker_measure(&status, repo, step, &run, &unnoted, err);
	if (!code && status == EXIT_DONE) {
		tell("measured %.10s", hex);
		pn_slower_note(&slower, repo, &step->commit);
		fputs(pn_buf_text(&slower), stderr);
		pn_buf_release(&slower);
	}
	if (!code && status != EXIT_DONE && !interrupted)
		tell("could not measure %.10s: exit status %d", hex, status);
	if (unnoted.code)
		tell("warning: %s", unnoted.message);
	return code;
}

/* Once for each thing that is waited for, to who looks. */
static void wait_for(const struct pn_worker_step *step, char said[256])
{
	if (isatty(STDERR_FILENO) && strcmp(said, step->text) != 0) {
		tell("waiting for %s", step->text);
		memcpy(said, step->text, sizeof(step->text));
	}
	wait_ms(step->wait_ms);
}

static int take_step(const struct pn_worker_step *step, struct pn_repo *repo,
		     struct pn_error *err)
{
	char hex[PN_OID_HEX + 1];

	pn_oid_hex(hex, &step->commit);
	switch (step->kind) {
	case PN_WORKER_WAIT:
		break;
	case PN_WORKER_CARRY:
		tell("%zu profile%s went along with rewritten commits",
		     step->count, step->count == 1 ? "" : "s");
		break;
	case PN_WORKER_LEAVE:
		tell("left out %.10s: %s", hex, step->text);
		pn_unmeasured_add(pn_repo_common_dir(repo), &step->commit,
				  step->text, NULL);
		break;
	case PN_WORKER_MEASURE:
		return measure(repo, step, err);
	case PN_WORKER_DONE:
		if (step->count)
			tell("%zu commit%s %s for %s", step->count,
			     step->count == 1 ? "" : "s",
			     step->count == 1 ? "waits" : "wait", step->text);
		break;
	}
	return 0;
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
		if (!code && step.kind == PN_WORKER_WAIT)
			wait_for(&step, said);
		else if (!code)
			code = take_step(&step, repo, err);
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

bool was_interrupted(void)
{
	return interrupted;
}
