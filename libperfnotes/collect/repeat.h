/*
 * A job that is run again and again: what every collector does around its
 * runs, and counts of them. A zeroed struct is a job that has not run.
 */
#ifndef PN_COLLECT_REPEAT_H
#define PN_COLLECT_REPEAT_H

#include "collect/collector.h"
#include "collect/iteration.h"

struct pn_repeat {
	uint64_t warmed;	  /* warm-up runs done */
	size_t n;		  /* runs done that count */
	int64_t elapsed_ns;	  /* of those */
	int64_t begin_ns, end_ns; /* since 1970, of all runs */
	uint64_t failed;
	int exit_status; /* the first that was not 0 */
	bool set_up;	 /* and so to be cleaned up */
	/* of the run that goes on, or the last one */
	bool warming_up;
	char iteration[PN_ITERATION_NAME];
};

/* A run begins: runs `setup` before the first. */
int pn_repeat_begin(struct pn_repeat *r, const struct pn_collect_plan *plan,
		    const struct pn_collect_job *job, struct pn_error *err);
/* The command and what is run after it have ended: PN_EREFUSED for a status
 * that is not allowed. A warm-up run is counted, another one is to be kept and
 * then counted by pn_repeat_count. */
int pn_repeat_end(struct pn_repeat *r, const struct pn_collect_plan *plan,
		  const struct pn_collect_job *job,
		  const struct pn_iteration *outcome, struct pn_error *err);
void pn_repeat_count(struct pn_repeat *r, const struct pn_iteration *outcome);
/* No run will follow: runs `cleanup`, when `setup` was run. */
int pn_repeat_finish(struct pn_repeat *r, const struct pn_collect_plan *plan,
		     const struct pn_collect_job *job, struct pn_error *err);
/* Adds the job to a report; `runs` is how many there will be. */
void pn_repeat_report(struct pn_collect_progress *p, const struct pn_repeat *r,
		      const struct pn_collect_plan *plan, uint64_t runs);

#endif
