/* Seen and spent. */
#include "analysis/measured/seen.h"

#include <string.h>

/* Of an interval: what a run owes at its end, and the kernel's ticks. */
#define SLACK 2

static const struct pn_metric *find(const struct pn_profile *p,
				    const char *name)
{
	size_t i;

	for (i = 0; i < p->metric_count; i++)
		if (!strcmp(pn_profile_text(p, p->metrics[i].name), name) &&
		    !strcmp(pn_profile_text(p, p->metrics[i].unit), "ns") &&
		    p->metrics[i].value_count)
			return &p->metrics[i];
	return NULL;
}

static double sum_of(const struct pn_metric *m)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < m->value_count; i++)
		sum += m->values[i];
	return sum;
}

bool pn_seen_of(struct pn_seen *out, const struct pn_profile *p)
{
	const struct pn_step *by = &p->header.collector;
	const struct pn_metric *cpu = find(p, "cpu");
	const struct pn_metric *user = find(p, "user"), *sys = find(p, "sys");
	double slack_ns;

	if (strcmp(pn_profile_text(p, by->name), "sample") != 0 || !cpu ||
	    !user || !sys || cpu->value_count != user->value_count ||
	    cpu->value_count != sys->value_count)
		return false;
	out->seen_ns = sum_of(cpu);
	out->spent_ns = sum_of(user) + sum_of(sys);
	slack_ns = SLACK * (double)p->period * (double)cpu->value_count;
	out->partial =
		out->seen_ns + slack_ns < PN_SEEN_ENOUGH * out->spent_ns &&
		!strstr(pn_profile_text(p, by->params), "\"threads\":");
	return true;
}
