/* A report of pstats, step by step. */
#include "analysis/pstats/report.h"

#include "analysis/pstats/steps.h"
#include "base/alloc.h"
#include "model/graph/callgraph.h"
#include "model/unnamed.h"

#include <stdlib.h>
#include <string.h>

static int of_graph(struct pn_pstats *out, const struct pn_profile *p,
		    size_t type, const struct pn_pstats_options *options,
		    struct pn_error *err)
{
	struct pn_calltable table;
	size_t i;
	int code = pn_calltable_init(&table, p, type, err);

	if (code)
		return code;
	memset(out, 0, sizeof(*out));
	pn_pstats_functions(out, p, &table, options->strip_dirs);
	pn_calltable_release(&table);
	out->shown = pn_calloc(out->listed_count + 1, sizeof(*out->shown));
	out->shown_count = out->listed_count;
	for (i = 0; i < out->shown_count; i++)
		out->shown[i] = (uint32_t)i;
	code = pn_pstats_sort(out, options, err);
	if (code)
		pn_pstats_release(out);
	else
		pn_pstats_restrict(out, &options->restrict_to);
	return code;
}

int pn_pstats_init(struct pn_pstats *out, const struct pn_profile *profile,
		   size_t type, const struct pn_pstats_options *options,
		   struct pn_error *err)
{
	struct pn_unnamed unnamed;
	const struct pn_profile *named = pn_unnamed_name(&unnamed, profile);
	struct pn_profile graph;
	int code;

	if (!named->sample_count) {
		code = of_graph(out, named, type, options, err);
	} else {
		pn_callgraph_of(&graph, named);
		code = of_graph(out, &graph, type, options, err);
		pn_profile_release(&graph);
	}
	pn_unnamed_release(&unnamed);
	return code;
}

void pn_pstats_release(struct pn_pstats *stats)
{
	free(stats->functions);
	free(stats->shown);
	pn_buf_release(&stats->order);
	pn_buf_release(&stats->reduced);
	pn_arena_release(&stats->arena);
	memset(stats, 0, sizeof(*stats));
}
