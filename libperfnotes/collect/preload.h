/*
 * Collectors that load a runtime into the command: what they have in common.
 * Each run leaves records of all its processes; the profile is that of the
 * last run, its metrics have a value of each.
 */
#ifndef PN_COLLECT_PRELOAD_H
#define PN_COLLECT_PRELOAD_H

#include "base/buf.h"
#include "collect/collector.h"

#define PN_PRELOAD_MAX_ENV 4

/* Records of one run, as paths; borrowed. */
struct pn_preload_run {
	const struct pn_collect_plan *plan;
	char *const *paths;
	size_t count;
};

struct pn_preload {
	const char *name; /* of the collector, of its object, of its records */
	const char *kind; /* of its profiles, as Perun has them */

	/* The runtime's variables, "NAME=value" each, by the options of the
	 * plan; zeroed buffers are none. NULL: there are no variables. */
	int (*variables)(struct pn_buf out[PN_PRELOAD_MAX_ENV],
			 const struct pn_collect_plan *plan,
			 struct pn_error *err);
	/*
	 * Types, weights and metrics of one value each out of the records of a
	 * run; `out` is initialised, with no names of functions yet. *lost is
	 * how many events are missing in them.
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
size_t pn_preload_warnings(struct pn_collect_warning out[PN_COLLECT_DOUBTS],
			   struct pn_collection *collection, size_t job);
void pn_preload_free(struct pn_collection *collection);

#endif
