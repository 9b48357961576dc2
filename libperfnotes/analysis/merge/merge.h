/*
 * One profile out of many, as pprof does it (github.com/google/pprof,
 * profile/merge.go): tables are united by what their rows say, samples of one
 * stack and one set of labels are added up, samples of nothing but zeros are
 * left out. Merging a single profile compacts it: what no sample uses goes.
 *
 * Call graphs are united node by node (one location is one node), by edge and
 * by line. Metrics of one name pool their samples. Where values are
 * observations, that is, beside a column that is a position and no cost
 * (Perun's structure-unit-size), nothing is added up and every sample stays.
 *
 * Curves and events are those of the only profile that has any: of several, or
 * of one that is negated or is the base of a difference, none is left.
 *
 * The numbers of runs are added up, too. Which run a value is of stays told
 * (model/runs.h) when the first profile tells it, or pn_merge_keep_runs asked
 * for it, and none of several runs comes that does not.
 *
 * Profiles are added one at a time and may be released at once: memory grows
 * with what is different in them, not with their number. Pure.
 */
#ifndef PN_MERGE_MERGE_H
#define PN_MERGE_MERGE_H

#include "model/profile.h"

struct pn_merge;

/* What becomes of the values of a profile on the way. A zeroed one is
 * nothing. */
struct pn_merge_change {
	bool negate;
	bool base; /* its samples get the label pprof::base=true */
	/* Factors by value type of the profile that is added, NULL: 1 each;
	 * whole numbers are rounded. */
	const double *factors;
	uint32_t runs; /* that the values are of then; 0: as the profile says */
	bool same_runs; /* another part of the runs that were merged before, not
			 * further ones: brought to as many as those are */
	bool pool;	/* which run a value is of does not matter */
	/* What is merged with it next: the first profile's values are scaled in
	 * the finer unit of both, and rounded there. NULL: not known. */
	const struct pn_profile *next;
};

struct pn_merge *pn_merge_new(void);
/* Before anything is added: profiles of one run each are told apart in the
 * result, as runs. */
void pn_merge_keep_runs(struct pn_merge *merge);
void pn_merge_free(struct pn_merge *merge);

/*
 * Add a profile; `change` may be NULL. Value types go by name, in any order
 * and with or without a plural's s; the merged unit is the finer one. PN_EINVAL
 * when the types or units do not fit, or stacks meet a call graph; PN_ERANGE
 * when integers would add up to more than one holds; PN_ELIMIT
 * when a table would be too large. On failure nothing was added.
 * Time O(size of the profile).
 */
int pn_merge_add(struct pn_merge *merge, const struct pn_profile *profile,
		 const struct pn_merge_change *change, struct pn_error *err);

/*
 * The result, into `out` (not initialised); the merge is freed. The time is the
 * earliest known one, durations are added, the period is the largest, comments
 * are united. What was run and where stays as far as all say the same.
 */
void pn_merge_end(struct pn_profile *out, struct pn_merge *merge);

/* Merge a profile with nothing: what no sample uses goes, equal samples become
 * one. `out` is not initialised, `change` may be NULL. */
int pn_merge_one(struct pn_profile *out, const struct pn_profile *profile,
		 const struct pn_merge_change *change, struct pn_error *err);
/* The same in place. On failure nothing is changed. */
int pn_merge_alone(struct pn_profile *profile,
		   const struct pn_merge_change *change, struct pn_error *err);

/*
 * One factor for each of the profile's value types that makes its sum that of
 * the same type of `base` (pprof's -normalize): 1 where a sum is 0. `factors`
 * has room for PN_MAX_VALUE_TYPES.
 */
void pn_merge_normalize(double *factors, const struct pn_profile *profile,
			const struct pn_profile *base);

#endif
