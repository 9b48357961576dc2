/* One run of a command, with what its job wants done around it. */
#ifndef PN_COLLECT_ITERATION_H
#define PN_COLLECT_ITERATION_H

#include "base/process/process.h"
#include "collect/collector.h"

#define PN_ITERATION_SHELL "sh" /* runs setup, prepare, conclude, cleanup */
#define PN_ITERATION_MAX_OFFSET                                                \
	4096 /* one page: a stack is aligned to less                           \
	      */

struct pn_iteration {
	struct pn_process_cost cost;
	int status;	    /* of the command */
	int64_t elapsed_ns; /* with prepare and conclude */
};

/*
 * Run prepare, the command, conclude. The command's environment has
 * GIT_PERF_ITERATION ("0", "1", ..., "warmup-0", ...) and, of random length,
 * GIT_PERF_RANDOM_ENV_OFFSET: where the environment ends decides where the
 * stack begins, and with it how fast a program is (Mytkowicz et al., Producing
 * Wrong Data Without Doing Anything Obviously Wrong, ASPLOS 2009).
 * With plan->fixed_stack the offset is missing and the environment is that of
 * steady.h. A status of the command that is not 0 is no error here, one of
 * prepare or conclude is (PN_EREFUSED).
 */
int pn_iteration_run(struct pn_iteration *out,
		     const struct pn_collect_plan *plan,
		     const struct pn_collect_job *job, const char *iteration,
		     struct pn_error *err);

/* "GIT_PERF_ITERATION=3", "GIT_PERF_ITERATION=warmup-0" */
#define PN_ITERATION_NAME 64
void pn_iteration_name(char out[PN_ITERATION_NAME], bool warming_up,
		       uint64_t iteration);

/* The command of a job alone; argv is what is run in its place. */
int pn_iteration_measure(struct pn_iteration *out,
			 const struct pn_collect_plan *plan,
			 const char *const *argv, const char *iteration,
			 struct pn_error *err);

/* The same, in steps (base/process/process.h): starts it. */
int pn_iteration_start(struct pn_process_run **out,
		       const struct pn_collect_plan *plan,
		       const char *const *argv, const char *iteration,
		       struct pn_error *err);

/*
 * Run a shell line; `what` is "setup", "prepare", "conclude" or "cleanup".
 * NULL: nothing. plan->stop ends it as it ends a command, but a cleanup only
 * when it is raised again.
 */
int pn_iteration_line(const struct pn_collect_plan *plan, const char *what,
		      const char *line, const char *iteration,
		      struct pn_error *err);

/* PN_EREFUSED that names the command and the status, which is not 0. */
int pn_iteration_refuse(const struct pn_collect_job *job, int status,
			struct pn_error *err);

#endif
