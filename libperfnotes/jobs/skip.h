/* `skip` lines: what the next run need not try again at a commit. */
#ifndef PN_JOBS_SKIP_H
#define PN_JOBS_SKIP_H

#include "base/error.h"
#include "jobs/run.h"
#include "storage/store.h"

#include <stdbool.h>

/*
 * Whether the commit is to blame for a job that was not measured: it did not
 * build in `dir`, or its command ran and failed, took too long or is not there.
 * What could not be started, what was killed from outside, and what met a full
 * disk may be the machine's fault.
 */
bool pn_skip_is_lasting(const struct pn_run_job *job, const char *dir);

/* Add the line to a batch. */
int pn_skip_store(const struct pn_run_job *job,
		  const struct pn_run_options *options, const char *fingerprint,
		  struct pn_batch *batch, struct pn_error *err);

#endif
