/*
 * One job of a matrix at one commit, whose files are in a folder: how it is
 * measured, and what is kept of it. What runs gets no standard input, no
 * GIT_DIR and the like, and the variables that run.h tells.
 */
#ifndef PN_JOB_JOB_H
#define PN_JOB_JOB_H

#include "base/error.h"
#include "base/oid.h"
#include "collect/collector.h"
#include "jobs/matrix/matrix.h"
#include "storage/record.h"

#include <signal.h>
#include <stdbool.h>

/* Where and of what. Borrowed. */
struct pn_job_place {
	const char *dir;     /* where the commit's files are */
	const char *ceiling; /* NULL, or a variable: pn_worktree_ceiling */
	const char *machine; /* this machine's name, or NULL */
	struct pn_oid commit, tree;
	bool dirty; /* the files differ from the commit's */
	const volatile sig_atomic_t *stop; /* see collect/collector.h */
};

/* Stays where it is: the plan points into it. */
struct pn_job_plan {
	struct pn_collect_plan collect;
	char *env[6];
	char *input_path;
};

/* `job` and what `place` refers to stay in use until release. */
void pn_job_plan_init(struct pn_job_plan *out, const struct pn_matrix_job *job,
		      const struct pn_job_place *place);
/* Takes a zeroed one. */
void pn_job_plan_release(struct pn_job_plan *plan);

/*
 * A profile that was measured as a record of the job's series, with the job's
 * postprocessors applied: *unmodelled is what the first one says that could not
 * be, and code 0 when all were. Takes over what `profile` owns.
 */
int pn_job_record(struct pn_record *out, struct pn_error *unmodelled,
		  struct pn_profile *profile, const struct pn_matrix_job *job,
		  const struct pn_job_place *place, struct pn_error *err);

#endif
