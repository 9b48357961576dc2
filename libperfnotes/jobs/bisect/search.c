/* One line of commits with what is known of each. */
#include "jobs/bisect/search.h"

#include "base/alloc.h"
#include "detect/bisect/prior.h"
#include "detect/history/history.h"
#include "detect/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int pn_bisect_search_read(struct pn_bisect_search *search, size_t at,
			  struct pn_error *err)
{
	struct pn_bisect_measured found;
	int code = pn_bisect_measured_read(&found, search->series,
					   &search->line.commits[at].id,
					   &search->line.trees[at], err);

	if (code)
		return code;
	free(search->measured[at].values);
	search->measured[at] = found;
	search->commits[at].values = found.values;
	search->commits[at].count = found.count;
	search->commits[at].skipped = found.skipped;
	return 0;
}

int pn_bisect_search_open(struct pn_bisect_search *out,
			  const struct pn_bisect_series *series,
			  const struct pn_oid *good, const struct pn_oid *bad,
			  struct pn_error *err)
{
	struct pn_bisect_search search = {.series = series};
	size_t i;
	int code =
		pn_bisect_line_read(&search.line, series->repo, good, bad, err);

	if (code)
		return code;
	search.measured =
		pn_calloc(search.line.count, sizeof(*search.measured));
	search.commits = pn_calloc(search.line.count, sizeof(*search.commits));
	for (i = 0; !code && i < search.line.count; i++) {
		search.commits[i].weight = search.line.weights[i];
		code = pn_bisect_search_read(&search, i, err);
		search.stored += search.commits[i].count;
	}
	if (code)
		pn_bisect_search_release(&search);
	else
		*out = search;
	return code;
}

void pn_bisect_search_release(struct pn_bisect_search *search)
{
	size_t i;

	for (i = 0; search->measured && i < search->line.count; i++)
		free(search->measured[i].values);
	free(search->measured);
	free(search->commits);
	pn_bisect_release(&search->look);
	pn_bisect_line_release(&search->line);
	*search = (struct pn_bisect_search){.series = NULL};
}

static void weigh_changes(struct pn_bisect_search *search,
			  const struct pn_change_points *history)
{
	size_t c, i;

	for (c = 0; c < history->count; c++)
		for (i = history->changes[c].from; i <= history->changes[c].to;
		     i++)
			if (search->commits[i].weight >= 1)
				search->commits[i].weight *= PN_PRIOR_CHANGED;
}

int pn_bisect_search_learn(struct pn_bisect_search *search,
			   const struct pn_bisect_series *other,
			   struct pn_error *err)
{
	size_t i, count = search->line.count, measured = 0;
	double *values = pn_calloc(count, sizeof(*values));
	struct pn_bisect_measured found;
	struct pn_change_points history;
	int code = 0;

	for (i = 0; !code && i < count; i++) {
		values[i] = (double)NAN;
		code = pn_bisect_measured_read(&found, other,
					       &search->line.commits[i].id,
					       &search->line.trees[i], err);
		if (code || !found.count)
			continue;
		values[i] = pn_stats_median(found.values, found.count);
		measured++;
		free(found.values);
	}
	if (!code && measured >= PN_HISTORY_MIN_VALUES) {
		pn_change_points_of(&history, values, count);
		weigh_changes(search, &history);
		pn_change_points_release(&history);
	}
	free(values);
	return code;
}

size_t pn_bisect_search_before(const struct pn_bisect_search *search, size_t at)
{
	while (at > 0 && !search->commits[--at].count)
		;
	return at;
}

int pn_bisect_search_why(struct pn_why *out, struct pn_profile *before,
			 struct pn_profile *after,
			 const struct pn_bisect_search *search, size_t old,
			 size_t new, struct pn_error *err)
{
	const struct pn_bisected_commit *commits = search->line.commits;
	const char *metric = search->series->metric;
	struct pn_weight weight;
	int code = pn_bisect_measured_load(before, search->series,
					   &commits[old].id, err);

	if (!code)
		code = pn_bisect_measured_load(after, search->series,
					       &commits[new].id, err);
	if (!code && !after->sample_count && !after->graph.node_count)
		code = pn_error_set(err, PN_ENOTFOUND,
				    "no functions were recorded");
	if (!code && metric &&
	    pn_weight_choose(&weight, after, metric, false, NULL))
		metric = NULL;
	return code ? code : pn_why_init(out, before, after, metric, err);
}

/* The ends' profiles say in which functions to look. That there are none, or
 * none that can be read, is no error. */
static void weigh_by_functions(struct pn_bisect_search *search)
{
	struct pn_profile before, after;
	struct pn_why why;
	size_t i;

	search->weighed = true;
	pn_profile_init(&before);
	pn_profile_init(&after);
	if (!pn_bisect_search_why(&why, &before, &after, search, 0,
				  search->line.count - 1, NULL)) {
		if (!pn_bisect_line_weigh(&search->line, search->series->repo,
					  &why, NULL))
			for (i = 0; i < search->line.count; i++)
				if (search->line.weights[i] > 1)
					search->commits[i].weight *=
						search->line.weights[i];
		pn_why_release(&why);
	}
	pn_profile_release(&before);
	pn_profile_release(&after);
}

void pn_bisect_search_look(struct pn_bisect_search *search,
			   const struct pn_bisect_options *options)
{
	pn_bisect_release(&search->look);
	pn_bisect_look(&search->look, search->commits, search->line.count,
		       options);
	if (search->look.state != PN_BISECT_GOING || search->weighed)
		return;
	weigh_by_functions(search);
	pn_bisect_release(&search->look);
	pn_bisect_look(&search->look, search->commits, search->line.count,
		       options);
}
