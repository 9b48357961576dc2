/*
 * Profiles of several runs of one program: the values are the sums over all
 * of them, header.runs says of how many.
 *
 * Where it is known which run a value is of, a sample says so by a label of
 * the key PN_RUN_LABEL whose value is a whole number without a unit, from 1 to
 * header.runs; a call graph by graph.self_by_run. Figures of functions by run
 * are what tells a change from noise.
 */
#ifndef PN_MODEL_RUNS_H
#define PN_MODEL_RUNS_H

#include "model/profile.h"

#define PN_RUN_LABEL "perf::run"
/* Of more runs none is told apart: sizes follow from their number, which is
 * one number of a body that anybody may have written. */
#define PN_RUNS_TOLD_MAX 4096u

/*
 * The run of each label set, from 0 on, PN_NONE where it says none, or another
 * than there are; the caller frees. NULL when no set says one.
 */
uint32_t *pn_runs_of_sets(const struct pn_profile *p);

/* How many runs the samples name, when each sample names one and none is left
 * out from the first to the last; else 0. */
uint32_t pn_runs_labelled(const struct pn_profile *p);

/* Whether the profile tells each value's run: one run does, more than
 * PN_RUNS_TOLD_MAX do not. */
bool pn_runs_are_known(const struct pn_profile *p);

/*
 * The largest sum of a column of peaks over the samples of one run, and which
 * run had it; of a profile that does not tell its runs (`run_of_set`, see
 * pn_runs_of_sets, is NULL) or is a call graph, its sum and PN_NONE.
 */
double pn_runs_peak(uint32_t *run, const struct pn_profile *p, size_t column,
		    const uint32_t *run_of_set);

/* For a decoder whose format has labels and no number of runs. */
void pn_runs_take_labels(struct pn_profile *p);

#endif
