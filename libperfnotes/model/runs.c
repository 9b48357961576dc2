/* Which run a value of a profile is of. */
#include "model/runs.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

/* By text, not by id: to find an id hashes all strings of a profile. */
static bool says_run(const struct pn_profile *p, const struct pn_label *label)
{
	return label->kind == PN_LABEL_INT && !label->unit &&
	       label->value.i >= 1 && label->value.i <= PN_MAX_RUNS &&
	       !strcmp(pn_profile_text(p, label->key), PN_RUN_LABEL);
}

/* The same, without the number of runs as a limit. */
static uint32_t *runs_of_sets(const struct pn_profile *p)
{
	uint32_t *runs, at;
	size_t set, i;

	for (i = 0; i < p->label_count && !says_run(p, &p->labels[i]); i++)
		;
	if (i == p->label_count)
		return NULL;
	runs = pn_realloc_array(NULL, p->label_set_count, sizeof(*runs));
	for (set = 0; set < p->label_set_count; set++) {
		runs[set] = PN_NONE;
		for (at = p->label_set_start[set];
		     at < p->label_set_start[set + 1]; at++)
			if (says_run(p, &p->labels[at]))
				runs[set] = (uint32_t)p->labels[at].value.i - 1;
	}
	return runs;
}

uint32_t *pn_runs_of_sets(const struct pn_profile *p)
{
	uint32_t *runs = runs_of_sets(p), count = pn_profile_runs(p);
	size_t set;

	for (set = 0; runs && set < p->label_set_count; set++)
		if (runs[set] >= count)
			runs[set] = PN_NONE;
	return runs;
}

/* The highest run that a sample names, when each names one; else 0. `named`
 * (may be NULL) gets a flag for each of the first `limit`. */
static uint32_t highest(const struct pn_profile *p, uint8_t *named,
			size_t limit)
{
	uint32_t *runs = runs_of_sets(p), most = 0;
	size_t i;

	for (i = 0; runs && i < p->sample_count; i++) {
		uint32_t run = runs[p->samples[i].labels];

		if (run == PN_NONE) {
			most = 0;
			break;
		}
		if (run >= most)
			most = run + 1;
		if (run < limit)
			named[run] = 1;
	}
	free(runs);
	return most;
}

uint32_t pn_runs_labelled(const struct pn_profile *p)
{
	uint8_t *named = pn_calloc(p->sample_count + 1, 1);
	uint32_t most = highest(p, named, p->sample_count), run;

	for (run = 0; run < most; run++)
		if (run >= p->sample_count || !named[run])
			most = 0;
	free(named);
	return most;
}

bool pn_runs_are_known(const struct pn_profile *p)
{
	uint32_t most;

	if (pn_profile_runs(p) == 1)
		return true;
	if (pn_profile_runs(p) > PN_RUNS_TOLD_MAX)
		return false;
	if (!p->sample_count)
		return p->graph.self_by_run || !p->graph.node_count;
	most = highest(p, NULL, 0);
	/* a run may be too short for any sample */
	return most && most <= pn_profile_runs(p);
}

double pn_runs_peak(uint32_t *run, const struct pn_profile *p, size_t column,
		    const uint32_t *run_of_set)
{
	uint32_t runs, at, most = 0;
	double *sums, peak;
	size_t i;

	if (pn_profile_runs(p) > PN_RUNS_TOLD_MAX)
		run_of_set = NULL;
	runs = run_of_set && p->sample_count ? pn_profile_runs(p) : 1;
	sums = pn_calloc(runs, sizeof(*sums));
	for (i = 0; i < p->sample_count; i++) {
		at = run_of_set ? run_of_set[p->samples[i].labels] : 0;
		if (at < runs)
			sums[at] += pn_profile_number(p, p->values, i, column);
	}
	for (i = 0; i < p->graph.node_count; i++)
		sums[0] += pn_profile_number(p, p->graph.self, i, column);
	for (at = 1; at < runs; at++)
		if (sums[at] > sums[most])
			most = at;
	*run = run_of_set && p->sample_count ? most : PN_NONE;
	peak = sums[most];
	free(sums);
	return peak;
}

void pn_runs_take_labels(struct pn_profile *p)
{
	uint32_t labelled = pn_runs_labelled(p);

	if (labelled)
		p->header.runs = labelled;
}
