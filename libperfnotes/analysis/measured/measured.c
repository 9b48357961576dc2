/* Metrics of what was measured. */
#include "analysis/measured/measured.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define CONFIDENCE 0.95

bool pn_measured_is_time(const struct pn_measured *measured)
{
	const struct pn_profile *p = measured->profile;

	return !strcmp(pn_profile_text(p, p->header.collector.name), "time");
}

bool pn_measured_summary(struct pn_summary *out, const struct pn_profile *p,
			 const char *name)
{
	const struct pn_metric *m = pn_profile_metric(p, name);

	return m && !pn_summary_of(out, m->values, m->value_count, NULL);
}

double *pn_measured_sorted(size_t *count, const struct pn_profile *p,
			   const char *name)
{
	const struct pn_metric *m = pn_profile_metric(p, name);
	double *sorted;

	if (!m || !m->value_count)
		return NULL;
	sorted = pn_realloc_array(NULL, m->value_count, sizeof(*sorted));
	memcpy(sorted, m->values, m->value_count * sizeof(*sorted));
	pn_summary_sort(sorted, m->value_count);
	*count = m->value_count;
	return sorted;
}

bool pn_measured_interval(struct pn_interval *out, const struct pn_profile *p,
			  const char *name)
{
	size_t n;
	double *sorted = pn_measured_sorted(&n, p, name);
	int code;

	if (!sorted)
		return false;
	code = pn_summary_median_interval(out, sorted, n, CONFIDENCE, NULL);
	free(sorted);
	return !code;
}
