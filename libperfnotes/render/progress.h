/* How far something is that takes long, as one line without its end. */
#ifndef PN_RENDER_PROGRESS_H
#define PN_RENDER_PROGRESS_H

#include "analysis/history/planned.h"
#include "analysis/measured/measured.h"
#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "3/10 runs, 4 s left, median 81.30 ms  ./parser --fast" */
void pn_runs_progress_text(struct pn_buf *out,
			   const struct pn_runs_progress *progress);

/* "1/4 jobs, 2 min left, run 3/10  parse  ./parser --fast  [time]" */
void pn_jobs_progress_text(struct pn_buf *out,
			   const struct pn_jobs_progress *progress);
/* What it waits for, as a line for who sees no progress; nothing where it does
 * not wait. */
void pn_jobs_waiting_text(struct pn_buf *out,
			  const struct pn_jobs_progress *progress);

/* A walk over commits. */
struct pn_walk_progress {
	size_t done, count; /* commits */
	int64_t elapsed_ns;
	const char *commit; /* its id */
};

/* "[3/40, 2.1 commits a minute, 18 min left] 0123456789  " */
void pn_walk_progress_text(struct pn_buf *out,
			   const struct pn_walk_progress *progress);

#endif
