/*
 * Collectors that load a runtime into the command: what they have in common.
 * Each run leaves records of all its processes, which are read when all runs
 * are over; the profile is that of all of them, its metrics have a value of
 * each.
 */
#ifndef PN_COLLECT_PRELOAD_H
#define PN_COLLECT_PRELOAD_H

#include "base/buf.h"
#include "collect/collector.h"
#include "runtime/record.h"

#define PN_PRELOAD_MAX_ENV 4

/* Records of one run, or of all so far, as paths; borrowed. */
struct pn_preload_run {
	const struct pn_collect_plan *plan;
	const struct pn_collect_job *job;
	const char *object; /* that was loaded */
	char *const *paths;
	const size_t *runs; /* of each path, from 0 on */
	size_t count, run_count;
	bool goes_on; /* the last run: this is a snapshot */
};

struct pn_preload {
	const char *name; /* of the collector, of its object, of its records */
	const char *kind; /* of its profiles, as Perun has them */

	/* The runtime's variables, "NAME=value" each, by the options of the
	 * plan; zeroed buffers are none. NULL: there are no variables. */
	int (*variables)(struct pn_buf out[PN_PRELOAD_MAX_ENV],
			 const struct pn_collect_plan *plan,
			 struct pn_error *err);
	/* What is told by way of a control (runtime/record.h); its page is
	 * zeroed before. NULL: there is no control. */
	int (*control)(struct pn_runtime_control *out,
		       const struct pn_collect_plan *plan,
		       struct pn_error *err);
	/* How many runs there are where nobody says it; NULL: one. */
	uint64_t (*runs)(const struct pn_collect_plan *plan);
	/* What the kernel says of the cost of each run becomes metrics, too:
	 * the runtime takes next to nothing. */
	bool costs;
	/*
	 * Types, weights and metrics of a value a run out of the records of
	 * all runs; `out` is initialised, with the number of runs and no names
	 * of functions yet. Of several runs it is told which one weights are of
	 * (model/runs.h). *lost is how many events are missing in them.
	 */
	int (*read)(struct pn_profile *out, double *lost,
		    const struct pn_preload_run *run, struct pn_error *err);
};

/* For the functions of a struct pn_collector. `kind` is kept. */
int pn_preload_open(struct pn_collection **out, const struct pn_preload *kind,
		    const struct pn_collect_plan *plan, struct pn_error *err);
int pn_preload_step(struct pn_collection *collection,
		    struct pn_collect_progress *progress, struct pn_error *err);
int pn_preload_result(struct pn_profile *out, struct pn_collection *collection,
		      size_t job, struct pn_error *err);
/* Where there is a control: of all runs of the job so far. */
int pn_preload_snapshot(struct pn_profile *out,
			struct pn_collection *collection, size_t job,
			struct pn_error *err);
size_t pn_preload_warnings(struct pn_doubt out[PN_DOUBT_KINDS],
			   struct pn_collection *collection, size_t job);
void pn_preload_free(struct pn_collection *collection);

#endif
