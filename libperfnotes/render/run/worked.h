/* What the queue's worker does, in words: a line each, or none. */
#ifndef PN_RUN_WORKED_H
#define PN_RUN_WORKED_H

#include "analysis/history/worked.h"
#include "base/buf.h"

#include <stdbool.h>

void pn_worked_step_text(struct pn_buf *out, const struct pn_worker_step *step);
/* How the measurement of a step ended: with exit status `status`, or because
 * the worker was told to end. */
void pn_worked_end_text(struct pn_buf *out, const struct pn_worker_step *step,
			int status, bool interrupted);
/* Whether a worker runs, and whether it waits for a quiet machine. */
const char *pn_worked_state(bool runs, bool waits);
/* "3 commits queued, no worker runs" */
void pn_worked_queue_text(struct pn_buf *out, size_t count, bool runs,
			  bool waits);

#endif
