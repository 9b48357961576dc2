/*
 * Measuring what a check lacks: jobs at the commits that it is about, which are
 * checked out and built in a worktree of their own. What was measured already
 * is not measured again. Goes in steps, as jobs/past.h does:
 *
 *	open; while (pn_past_next == 1) ...; close
 */
#ifndef PN_JUDGE_MEASURE_H
#define PN_JUDGE_MEASURE_H

#include "jobs/judge/check.h"
#include "jobs/matrix/matrix.h"
#include "jobs/past.h"

#define PN_CHECK_NAMES 16 /* jobs that are explained at once */

/* Zeroed but for the first ones, which are the caller's to fill in. */
struct pn_check_measure {
	struct pn_repo *repo;
	const char *config; /* a job file that was named, or NULL */
	const volatile sig_atomic_t *stop;

	char commits[2][PN_OID_HEX + 1];
	size_t commit_count;
	const char *names[PN_CHECK_NAMES]; /* of sections; none: all */
	size_t name_count;
	/* Jobs that only tell times are measured by what tells functions. */
	bool explain;
	struct pn_matrix matrix;
	char *machine; /* from the configuration */
	struct pn_past *past;
};

/*
 * What a check needs: its commits; of one without a past its parent, too, which
 * the request is from now on beside.
 */
int pn_check_lacks(struct pn_check_measure *measure,
		   struct pn_check_request *request,
		   const struct pn_check *check, struct pn_error *err);
/* Both sides of confirmed changes that no stored profile explains, of the jobs
 * that are named; borrows the check. False: there are none. */
bool pn_check_lacks_reason(struct pn_check_measure *measure,
			   const struct pn_check *check);

/* Nothing is built or run but generators of workloads. On failure it is to be
 * closed, too. PN_EREFUSED: the job file is not trusted. */
int pn_check_measure_open(struct pn_check_measure *measure,
			  struct pn_error *err);
int pn_check_measure_close(struct pn_check_measure *measure,
			   struct pn_error *err);

#endif
