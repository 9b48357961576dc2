/* By which edges of the prior levels reach each other. */
#include "detect/history/steps.h"

#include "detect/history/lanes.h"

static int place_of(const struct pn_edge *edge, size_t level)
{
	return edge->places ? edge->places[level] : (int)level + edge->away;
}

void pn_steps_find(struct pn_steps *out, const struct pn_grid *grid,
		   PN_REAL chance, struct pn_levels of, struct pn_levels to)
{
	size_t last = (to.to < grid->level_count ? to.to : grid->level_count);
	size_t k;

	last--;
	*out = (struct pn_steps){
		.of = of, .to = to, .low = of.from, .high = of.to};
	for (k = 0; k + 1 < grid->edge_count; k += 2) {
		const struct pn_edge *up = &grid->edges[k], *down = up + 1;
		int low = place_of(down, to.from), high = place_of(up, last);

		if (place_of(up, to.from) >= of.to &&
		    place_of(down, last) <= of.from)
			continue;
		out->weights[out->pairs] = up->weight * chance;
		out->above[out->pairs] = up;
		out->below[out->pairs++] = down;
		out->low = low < out->low ? low : out->low;
		out->high = high > out->high ? high : out->high;
	}
	if (out->pairs == 1) {
		out->above[1] = out->above[0];
		out->below[1] = out->below[0];
	}
}

/* pairs: those of p, as a number that the compiler knows */
static inline PN_INLINE void step_apart(PN_REAL *restrict out,
					const struct pn_steps *p, size_t pairs,
					const PN_REAL *s, PN_REAL all,
					PN_REAL scale, size_t to)
{
	const uint16_t *above[PN_STEPS_PAIRS], *below[PN_STEPS_PAIRS];
	PN_REAL weights[PN_STEPS_PAIRS], sum;
	size_t l, k;

	for (k = 0; k < pairs; k++) {
		above[k] = p->above[k]->places;
		below[k] = p->below[k]->places;
		weights[k] = p->weights[k] * scale;
	}
	for (l = p->to.from; l < to; l++) {
		sum = 0;
		for (k = 0; k < pairs; k++)
			sum += weights[k] *
			       ((all - s[above[k][l]]) + s[below[k][l]]);
		out[l] = sum;
	}
}

void pn_steps_apart(PN_REAL *out, const struct pn_steps *p,
		    const struct pn_grid *grid, const PN_REAL *s, PN_REAL all,
		    PN_REAL scale)
{
	size_t end =
		p->to.to < grid->level_count ? p->to.to : grid->level_count;

	if (p->pairs == 1)
		step_apart(out, p, 1, s, all, scale, end);
	else if (p->pairs == 2)
		step_apart(out, p, 2, s, all, scale, end);
	else
		step_apart(out, p, p->pairs, s, all, scale, end);
	pn_levels_clear(out, (int)end, p->to.to);
}
