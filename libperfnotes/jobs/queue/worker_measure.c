/* Measuring a queued commit in a process of its own. */
#include "base/process/process.h"
#include "jobs/background.h"
#include "jobs/hooks/slower.h"
#include "jobs/hooks/unmeasured.h"
#include "jobs/queue/worker.h"
#include "vcs/gitdir.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Nobody looks when it happens: status and log tell it later. */
static void note_failure(struct pn_repo *repo, const struct pn_oid *commit,
			 int words, int64_t said, struct pn_error *unnoted)
{
	char hex[PN_OID_HEX + 1];
	struct pn_buf why = {0};

	pn_oid_hex(hex, commit);
	pn_background_fault(&why, words, said);
	if (!why.len)
		pn_buf_printf(&why, "'git perf run %.10s' says why", hex);
	pn_unmeasured_add(pn_repo_common_dir(repo), commit, pn_buf_text(&why),
			  unnoted);
	pn_buf_release(&why);
}

static int run_to_end(int *status, const char *const *argv,
		      const struct pn_process_options *options,
		      const struct pn_worker_run *run, struct pn_error *err)
{
	struct pn_process process;
	int code = pn_process_start(&process, argv, options, err);

	if (code)
		return code;
	*run->pid = (sig_atomic_t)process.pid;
	if (*run->stop) /* before there was whom to tell */
		kill(process.pid, SIGTERM);
	code = pn_process_wait(status, &process, err);
	*run->pid = 0;
	return code;
}

int pn_worker_measure(int *status, struct pn_repo *repo,
		      const struct pn_worker_step *step,
		      struct pn_worker_run *run, struct pn_error *err)
{
	static const char *const set[] = {"GIT_PERF_RUNNING=1", NULL};
	char hex[PN_OID_HEX + 1], quiet[64];
	char *folder = pn_worker_folder(repo, step->worktree);
	char *program = pn_background_program();
	const char *const argv[] = {program, "run", "--missing", "--nice",
				    quiet,   hex,   NULL};
	struct pn_process_options options = {.in = -1,
					     .out = run->words,
					     .dir = folder,
					     .env_set = set,
					     .env_unset = pn_gitdir_variables,
					     .ends_with_us = true};
	int64_t said = pn_background_said(run->words);
	int code;

	snprintf(quiet, sizeof(quiet), "--when-quiet=%" PRId64 ".%03d",
		 step->patience_ms / 1000, (int)(step->patience_ms % 1000));
	pn_oid_hex(hex, &step->commit);
	code = run_to_end(status, argv, &options, run, err);
	if (!code && !*status)
		pn_slower_note(&run->slower, repo, &step->commit);
	else if (!code && !*run->stop)
		note_failure(repo, &step->commit, run->words, said,
			     &run->unnoted);
	free(program);
	free(folder);
	return code;
}
