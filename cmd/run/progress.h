/* What `git perf run` says on standard error: where it is, what went wrong. */
#ifndef CMD_RUN_PROGRESS_H
#define CMD_RUN_PROGRESS_H

#include "jobs/run.h"

#include <stddef.h>
#include <stdint.h>

/* Where a walk over commits is. */
struct run_place {
	size_t done, count; /* commits */
	int64_t start_ns;
	const char *commit; /* its id */
};

/* All steps of a run, with a line on a terminal that says where it is; of a
 * walk that comes first in it (NULL: there is none). */
int run_steps(struct pn_run *run, const struct run_place *place,
	      struct pn_error *err);
/* Failures and doubts. */
void run_say_faults(struct pn_run *run, size_t count);

#endif
