/* Merging profiles: curves are of one run, and never added up. */
#include "model/timeline/curves.h"
#include "analysis/merge/state.h"

static void copy_points(struct pn_merge *m, const struct pn_curve *curve)
{
	const struct pn_curves *in = &m->in->curves;
	size_t i, k;

	for (i = curve->first; i < curve->first + curve->count; i++) {
		const struct pn_point *point = &in->points[i];

		pn_curves_add_point(&m->out, point->position, point->value);
		for (k = point->first; k < point->first + point->count; k++)
			pn_curves_add_part(
				&m->out, pn_merge_stack(m, in->parts[k].stack),
				in->parts[k].value);
	}
}

void pn_merge_curves(struct pn_merge *m)
{
	const struct pn_curves *in = &m->in->curves;
	bool alone = !m->has_curves && !m->change.negate && !m->change.base;
	size_t i;

	if (!in->count)
		return;
	if (!alone)
		pn_curves_clear(&m->out);
	for (i = 0; alone && i < in->count; i++) {
		const struct pn_curve *curve = &in->items[i];

		pn_curves_add(&m->out, pn_merge_string(m, curve->name),
			      pn_merge_string(m, curve->unit),
			      pn_merge_string(m, curve->along));
		copy_points(m, curve);
	}
	m->has_curves = true;
}
