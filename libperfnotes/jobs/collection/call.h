/*
 * What a command line has measured, from a plan to records that are listed at
 * HEAD or left pending:
 *
 *	open; start; while (pn_measure_step(measuring) == 1) show progress;
 *	end; keep; print the rows; release
 */
#ifndef PN_COLLECTION_CALL_H
#define PN_COLLECTION_CALL_H

#include "analysis/measured/measured.h"
#include "base/buf.h"
#include "collect/combine.h"
#include "jobs/collection/keep.h"
#include "jobs/measure.h"

struct pn_collect_call {
	/* The caller's to fill in; what they borrow stays until release. */
	const struct pn_collector *with;
	struct pn_collect_jobs jobs;
	struct pn_collect_plan plan; /* but for its jobs */
	struct pn_keep keep;	     /* see there; `repo` may be NULL */
	bool add;	   /* list the results at HEAD; without it ... */
	bool keep_pending; /* ... leave them pending, or do not keep them */
	/* Filled here: */
	struct pn_measure *measuring; /* between start and end */
	char **titles;		      /* of the jobs, as lines */
	char **paths;		      /* of pending files; or NULL each */
	struct pn_record *records;
	struct pn_measured *rows; /* of the results, for printing */
	struct pn_buf said;	  /* by a command that failed */
	/* Of rows: */
	char origin[PN_OID_HEX + 1];
	struct pn_doubt (*doubts)[PN_DOUBT_KINDS];
};

/* Before a plan is made: what HEAD is, how large a body may be, and a commit
 * where results are to be listed; PN_ENOTFOUND when there is none. */
int pn_collect_call_open(struct pn_collect_call *c, struct pn_error *err);
/* With jobs and plan. Where a result cannot be kept is known before hours are
 * spent on it. */
int pn_collect_call_start(struct pn_collect_call *c, struct pn_error *err);
/* Where it is; borrows. */
struct pn_runs_progress
pn_collect_call_progress(const struct pn_collect_call *c,
			 const struct pn_collect_progress *progress);
/* After the last step, or one that failed with `code`: the profiles of all
 * jobs become records; what a failed command said is in `said`. A collection
 * that was stopped has none. Returns a code. */
int pn_collect_call_end(struct pn_collect_call *c, int code,
			struct pn_error *err);
/* Keep the records as was asked for, and fill in the rows. When they cannot be
 * listed they are left pending (*left says so), so that what was measured is
 * not lost, and the error is returned. */
int pn_collect_call_keep(bool *left, struct pn_collect_call *c,
			 struct pn_error *err);
/* Whether a run failed. */
bool pn_collect_call_failed(const struct pn_collect_call *c);
/* All but what the caller has filled in. */
void pn_collect_call_release(struct pn_collect_call *c);

#endif
