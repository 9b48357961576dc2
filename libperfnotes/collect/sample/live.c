/* Snapshots of one run, few of them. */
#include "collect/sample/live.h"

#include "model/timeline/curves.h"

static void halve(struct pn_live *live)
{
	size_t i;

	for (i = 0; i < live->count / 2; i++) {
		live->ms[i] = live->ms[2 * i + 1];
		live->values[i] = live->values[2 * i + 1];
	}
	live->count = i;
	live->step *= 2;
}

void pn_live_add(struct pn_live *live, const struct pn_profile *p,
		 int64_t elapsed_ns)
{
	size_t i, type = pn_profile_default_type(p);
	int64_t ms = elapsed_ns / 1000000;
	double sum = 0;

	if (!live->step)
		live->step = 1;
	if (type >= p->type_count || ++live->passed < live->step)
		return;
	if (live->count == PN_LIVE_POINTS) {
		halve(live); /* of the next step's this is one half */
		return;
	}
	live->passed = 0;
	for (i = 0; i < p->sample_count; i++) {
		sum += pn_profile_number(p, p->values, i, type);
	}
	live->ms[live->count] = (double)ms;
	live->values[live->count++] = sum;
}

void pn_live_put(struct pn_profile *p, const struct pn_live *live)
{
	size_t i, type = pn_profile_default_type(p);

	if (!live->count || type >= p->type_count)
		return;
	pn_curves_add(p, p->types[type].type, p->types[type].unit,
		      pn_strtab_add_text(&p->strings, "ms"));
	for (i = 0; i < live->count; i++)
		pn_curves_add_point(p, live->ms[i], live->values[i]);
}
