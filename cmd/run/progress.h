/* What `git perf run` says on standard error: where it is, what went wrong. */
#ifndef CMD_RUN_PROGRESS_H
#define CMD_RUN_PROGRESS_H

#include "jobs/run.h"
#include "render/progress.h"

#include <stddef.h>
#include <stdint.h>

/* Where a walk over commits is. */
struct run_place {
	struct pn_walk_progress walk; /* but for elapsed_ns */
	int64_t start_ns;
};

/* All steps of a run, with a line on a terminal that says where it is; of a
 * walk that comes first in it (NULL: there is none). */
int run_steps(struct pn_run *run, struct run_place *place,
	      struct pn_error *err);
/* After the store has failed: what was measured at `commit`, an id, stays as
 * pending profiles, which is said. */
void run_leave_pending(struct pn_run *run, const char *commit);
/* Failures and doubts. */
void run_say_faults(struct pn_run *run, size_t count);

#endif
