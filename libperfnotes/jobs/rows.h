/* A matrix and a run of it as rows to be printed. */
#ifndef PN_JOBS_ROWS_H
#define PN_JOBS_ROWS_H

#include "analysis/history/planned.h"
#include "base/arena.h"
#include "jobs/run.h"

/* One job; borrows from the matrix. */
struct pn_planned pn_rows_planned(struct pn_arena *arena,
				  const struct pn_matrix_job *job);
/* Where a run is; borrows. */
struct pn_jobs_progress
pn_rows_progress(struct pn_arena *arena,
		 const struct pn_run_progress *progress);
/* Add a run that is stored. */
void pn_rows_add_totals(struct pn_run_totals *totals, struct pn_run *run,
			size_t job_count);
/* The jobs that `run` selected, all when it is NULL. */
struct pn_planned *pn_rows_list(size_t *count, struct pn_arena *arena,
				const struct pn_matrix *matrix,
				struct pn_run *run);
/* The jobs that were measured or have failed; borrows from the run. */
struct pn_ran *pn_rows_ran(size_t *count, struct pn_arena *arena,
			   struct pn_run *run, size_t job_count);
/* What went wrong with them; borrows from the run. */
struct pn_ran_fault *pn_rows_faults(size_t *count, struct pn_arena *arena,
				    struct pn_run *run, size_t job_count);

#endif
