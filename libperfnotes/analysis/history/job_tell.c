/* Jobs, and what tells one from another. */
#include "analysis/history/job_tell.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void pn_job_tell_apart(struct pn_job_tell *tell, const struct pn_figure *a,
		       const struct pn_figure *b)
{
	const struct pn_series *x = &a->series, *y = &b->series;

	if (strcmp(x->cmd, y->cmd) != 0 || strcmp(x->args, y->args) != 0 ||
	    strcmp(x->workload, y->workload) != 0)
		return;
	if (strcmp(x->collector, y->collector) != 0)
		tell->collector = true;
	else if (strcmp(x->machine, y->machine) != 0)
		tell->environment = true;
}

static int by_job(const void *a, const void *b)
{
	return pn_figure_job_cmp(*(const struct pn_figure *const *)a,
				 *(const struct pn_figure *const *)b);
}

/* In order, the jobs of one command are neighbours. */
bool pn_job_tell_all(struct pn_job_tell *tell, const struct pn_figure *figures,
		     size_t count)
{
	const struct pn_figure **ordered =
		pn_calloc(count, sizeof(const struct pn_figure *));
	bool several = false;
	size_t i;

	for (i = 0; i < count; i++)
		ordered[i] = &figures[i];
	if (count)
		qsort(ordered, count, sizeof(const struct pn_figure *), by_job);
	for (i = 1; i < count; i++) {
		several |= pn_figure_job_cmp(ordered[i - 1], ordered[i]) != 0;
		pn_job_tell_apart(tell, ordered[i - 1], ordered[i]);
	}
	free(ordered);
	return several;
}

bool pn_job_begins(const struct pn_figure *figures, size_t at)
{
	return !at || pn_figure_job_cmp(&figures[at - 1], &figures[at]) != 0;
}
