/*
 * The jobs of a matrix at one commit, whose files are in a folder: the present
 * checkout, or one that a history run or a worker made. Goes in steps, so that
 * the loop, progress and signals belong to the caller:
 *
 *	open; while (step == 1) show progress; store; free
 *
 * Builds come first, each line once; a section whose build fails is not
 * measured. A job that fails does not end the others: pn_run_job says how each
 * went. What runs gets no standard input, no GIT_DIR and the like, and
 * GIT_PERF_RUNNING=1, GIT_PERF_COMMIT, GIT_PERF_JOB and GIT_PERF_WORKLOAD.
 */
#ifndef PN_JOBS_RUN_H
#define PN_JOBS_RUN_H

#include "base/buf.h"
#include "base/error.h"
#include "base/oid.h"
#include "jobs/matrix/matrix.h"
#include "storage/record.h"
#include "storage/store.h"
#include "vcs/repo.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed: all jobs that are missing. Borrowed until pn_run_free. */
struct pn_run_options {
	const char *dir;     /* where the commit's files are */
	const char *ceiling; /* NULL, or a variable for what runs there:
			      * pn_worktree_ceiling */
	struct pn_oid commit, tree;
	bool dirty; /* the files differ from the commit's: nothing counts as
		     * measured, and profiles say so */
	bool nice_builds; /* they give way to other programs; what is measured
			   * does not */
	int64_t patience_ns; /* so long it waits for a quiet machine in all */
	bool again;	     /* measure what was measured already, too */
	uint64_t runs;	     /* of each job; 0: as many as it says */
	bool built;   /* the folder is built: its build lines are left out */
	bool partial; /* files of the commit are missing: what fails may fail
		       * because of that, and no `skip` line is written */
	bool skips; /* leave out what a `skip` line is of (unless `again`), and
		     * let pn_run_store write such lines for what failed */
	/* Names of sections or first digits (4 or more) of jobs' ids. */
	const char *const *names;
	size_t name_count;
	uint64_t shard, shards;		   /* 1..n of n; 0 of 0: all */
	const char *machine;		   /* this machine's name, or NULL */
	const volatile sig_atomic_t *stop; /* see collect/collector.h */
};

/* "<k>/<n>" (NULL: all) as shard and shards; false when it is none. */
bool pn_run_shard(struct pn_run_options *out, const char *text);

enum pn_run_state {
	PN_RUN_LEFT_OUT, /* by names, shard, machine, or measured already */
	PN_RUN_WAITING,
	PN_RUN_DONE,
	PN_RUN_NOT_BUILT, /* the section's build failed */
	PN_RUN_FAILED	  /* it did not run to a good end */
};

/* How a job is doing. Borrowed; valid until free. */
struct pn_run_job {
	const struct pn_matrix_job *job;
	enum pn_run_state state;
	struct pn_error why; /* NOT_BUILT and FAILED */
	struct pn_buf said;  /* FAILED: the end of its standard error */
	bool skipped;	     /* and a `skip` line says so to the next run */
	/* DONE: what the first postprocessor that could not be applied says;
	 * the profile is kept as far as it came. Code 0: all were. */
	struct pn_error unmodelled;
	struct pn_record record; /* DONE; in PN_RUN_DONE only */
	struct pn_doubt warnings[PN_DOUBT_KINDS];
	size_t warning_count;
};

struct pn_run_progress {
	const char *building; /* shell line, or NULL: a job is measured */
	bool waiting;	      /* for another run of this repository to end:
				 measure_lock.h */
	bool hooked;	      /* which may be that of the hooks' worker */
	bool noisy;	      /* waiting for the machine to be quiet */
	const struct pn_matrix_job *job;
	size_t done, count; /* jobs */
	int64_t left_ns;    /* of all; 0: unknown */
	bool measured;	    /* `collect` is filled */
	struct pn_collect_progress collect;
};

struct pn_run;

/* Fill in commit, tree and dirty for the present checkout. PN_ENOTFOUND without
 * a commit, unless jobs are only listed. */
int pn_run_at_head(struct pn_run_options *options, struct pn_head *head,
		   struct pn_repo *repo, bool list_only, struct pn_error *err);

/*
 * `matrix` is expanded and borrowed. Looks which jobs are missing: an entry of
 * the commit's tree with the same command, arguments, workload, collector and
 * `job` label, measured in a clean tree on a machine of this fingerprint, is
 * the job's. PN_ENOTFOUND names one of options->names that no job has. Starts
 * nothing.
 */
int pn_run_open(struct pn_run **out, struct pn_repo *repo,
		const struct pn_matrix *matrix,
		const struct pn_run_options *options, struct pn_error *err);

/* How many jobs are to be measured; 0: none is missing. */
size_t pn_run_count(const struct pn_run *run);
/* How many were left out because they failed before. */
size_t pn_run_skipped(const struct pn_run *run);
/* Whether any of them was selected, be it measured already or not. */
bool pn_run_selects(const struct pn_run *run);

/*
 * What comes next, or one build line, or one step of one measurement:
 * `progress` says what is about to run before it does. 1: go on; 0: all is
 * done; negative: PN_ESTOPPED, or what makes going on senseless. What only one
 * job suffers from is no error here.
 */
int pn_run_step(struct pn_run *run, struct pn_run_progress *progress,
		struct pn_error *err);

/* Jobs in the matrix's order, `index` below matrix->job_count. */
struct pn_run_job *pn_run_job(struct pn_run *run, size_t index);
/* How many jobs are in a state. */
size_t pn_run_in_state(const struct pn_run *run, enum pn_run_state state);
/* The last lines that the build which failed first wrote, "" if none did. */
const char *pn_run_build_output(const struct pn_run *run);

/* Store the records of all that was measured in one commit of the notes; their
 * ids and times are set then. Of a clean tree also a `skip` line for each job
 * that did not build or run, unless the machine lacks what it needs; without
 * options->skips for people only, who see it in log and status. */
int pn_run_store(struct pn_run *run, struct pn_error *err);
/* What was measured and cannot be stored as pending profiles instead; how many
 * were written. */
size_t pn_run_leave_pending(struct pn_run *run);

/* Takes NULL. Ends what runs, and runs cleanups that are due. */
void pn_run_free(struct pn_run *run);

#endif
