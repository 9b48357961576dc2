/*
 * Figures by the job that they are of: what was run, on what, by which
 * collector, on which machine. Pure.
 */
#ifndef PN_HISTORY_JOB_TELL_H
#define PN_HISTORY_JOB_TELL_H

#include "analysis/history/figures.h"

/* What a job's name needs beside command, arguments and workload, so that no
 * other job bears it. */
struct pn_job_tell {
	bool collector, environment;
};

/* Note what tells the job of a from that of b. */
void pn_job_tell_apart(struct pn_job_tell *tell, const struct pn_figure *a,
		       const struct pn_figure *b);
/* The same of all jobs of a list; whether there are several. Time O(n log n).
 */
bool pn_job_tell_all(struct pn_job_tell *tell, const struct pn_figure *figures,
		     size_t count);

/* Whether figure `at` is the first of its job: the one before it is of
 * another. */
bool pn_job_begins(const struct pn_figure *figures, size_t at);

#endif
