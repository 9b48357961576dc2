/* Own costs by node and run. */
#include "analysis/by_run.h"

#include "base/alloc.h"
#include "model/runs.h"

#include <stdlib.h>

#define REPORT_VALUES_MAX (1u << 24) /* of all nodes and runs: 128 MB */

struct sums {
	const struct pn_report *report;
	int64_t *weights;
	size_t runs;
};

static void add(struct sums *s, uint32_t node, size_t run,
		const union pn_value *row)
{
	int64_t *to = &s->weights[node * s->runs + run];

	*to = pn_weight_add(*to, pn_weight_value(&s->report->weight,
						 s->report->profile, row));
}

static void add_samples(struct sums *s, const uint32_t *run_of_set)
{
	const struct pn_profile *p = s->report->profile;
	const struct pn_nodes *nodes = &s->report->nodes;
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		const struct pn_sample *sample = &p->samples[i];
		uint32_t first = p->stack_start[sample->stack];
		uint32_t run = run_of_set[sample->labels];

		if (first < p->stack_start[sample->stack + 1] && run != PN_NONE)
			add(s, nodes->of[nodes->first[p->frames[first]]], run,
			    p->values + i * p->type_count);
	}
}

static void add_graph(struct sums *s)
{
	const struct pn_profile *p = s->report->profile;
	const union pn_value *row = p->graph.self_by_run;
	size_t i, run;

	for (i = 0; i < p->graph.node_count; i++) {
		uint32_t node = pn_nodes_of_graph(&s->report->nodes, i);

		for (run = 0; run < s->runs; run++, row += p->type_count)
			if (node != PN_NONE)
				add(s, node, run, row);
	}
}

int64_t *pn_by_run_weights(const struct pn_report *report)
{
	const struct pn_profile *p = report->profile;
	struct sums s = {report, NULL, pn_profile_runs(p)};
	uint32_t *run_of_set = pn_runs_of_sets(p);
	bool told = p->sample_count ? run_of_set != NULL
				    : p->graph.self_by_run != NULL;

	if (report->runs > 1 && told && pn_runs_are_known(p) &&
	    report->nodes.count <= REPORT_VALUES_MAX / s.runs) {
		s.weights = pn_calloc(report->nodes.count * s.runs + 1,
				      sizeof(*s.weights));
		if (p->sample_count)
			add_samples(&s, run_of_set);
		else
			add_graph(&s);
	}
	free(run_of_set);
	return s.weights;
}
