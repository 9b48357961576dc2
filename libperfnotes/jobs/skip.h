/* `skip` lines: what the next run need not try again at a commit. */
#ifndef PN_JOBS_SKIP_H
#define PN_JOBS_SKIP_H

#include "base/error.h"
#include "jobs/run.h"
#include "model/entry.h"
#include "storage/store.h"

#include <stdbool.h>

/*
 * Whether the commit is to blame for a job that was not measured: it did not
 * build in `dir`, or its command ran and failed, took too long or is not there.
 * What could not be started, what was killed from outside, and what met a full
 * disk may be the machine's fault.
 */
bool pn_skip_is_lasting(const struct pn_run_job *job, const char *dir);

/* Whether it is to be told, be it of the commit or of this machine: what its
 * tool left could not be had or read. */
bool pn_skip_is_worth(const struct pn_run_job *job, const char *dir);

/*
 * Add the line to a batch. Of a run in the present checkout (no options->skips)
 * it only tells: stale files of a build may be to blame, so that nobody leaves
 * the job out because of it. The same of what does not last.
 */
int pn_skip_store(const struct pn_run_job *job,
		  const struct pn_run_options *options, const char *fingerprint,
		  struct pn_batch *batch, struct pn_error *err);
/* Whether a line, be it of a profile, names this job and this machine. */
bool pn_skip_names_job(const struct pn_entry *line,
		       const struct pn_matrix_job *job,
		       const char *fingerprint);
/* Whether a line is a skip that others may rely on. */
bool pn_skip_settles(const struct pn_entry *line);
/* Whether one of the commit's lines says the same of the job already; what does
 * not last need not be told twice in other words. Not so what lasts, where it
 * is to settle the job. */
bool pn_skip_is_told(const struct pn_run_job *job,
		     const struct pn_run_options *options,
		     const char *fingerprint, const struct pn_entry *lines,
		     size_t count);

#endif
