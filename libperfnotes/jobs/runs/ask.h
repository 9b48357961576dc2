/* What a command line asks to be run: the jobs of a project, here or at other
 * commits. */
#ifndef PN_RUNS_ASK_H
#define PN_RUNS_ASK_H

#include "base/opts/opts.h"
#include "jobs/functions/affected.h"
#include "jobs/past.h"
#include "jobs/run.h"

/* As the options of `git perf run` say it. Everything is borrowed. */
struct pn_run_ask {
	const char *const *revs; /* none: here */
	size_t rev_count;
	struct pn_opt_list jobs;
	const char *config, *machine, *shard, *affected;
	bool again, missing, list, in_place, nice;
	int64_t steps;
	double when_quiet; /* seconds */
};

/* OPT_TABLE(struct pn_run_ask, <member>, pn_run_opts). */
extern const struct pn_opt pn_run_opts[];

/* PN_EINVAL says what is wrong with it. */
int pn_run_ask_check(const struct pn_run_ask *ask, struct pn_error *err);

/* What it became. Zeroed before, but for `repo`, which is the caller's. */
struct pn_run_asked {
	struct pn_repo *repo;
	struct pn_head head; /* where jobs are run here */
	struct pn_matrix matrix;
	struct pn_run_options run;
	struct pn_affected affected;
	bool idle;     /* no job is affected: nothing else was read */
	char *machine; /* from the configuration */
};

/* The job file, trusted unless its jobs are only listed, and everything that
 * one can be asked for but where. Runs nothing. */
int pn_run_ask_read(struct pn_run_asked *out, const struct pn_run_ask *ask,
		    struct pn_error *err);
/* Expand the matrix, which may run commands that name workloads; `stop` as of
 * pn_run_options. The jobs of a run here are then opened, of another one
 * *options filled in for pn_past_open. */
int pn_run_ask_expand(struct pn_run_asked *asked, const struct pn_run_ask *ask,
		      const volatile sig_atomic_t *stop, struct pn_error *err);
int pn_run_ask_here(struct pn_run **out, struct pn_run_asked *asked,
		    struct pn_error *err);
struct pn_past_options pn_run_ask_there(const struct pn_run_asked *asked,
					const struct pn_run_ask *ask);
void pn_run_asked_release(struct pn_run_asked *asked);

#endif
