/* Rows of many commits. */
#include "detect/history/sweep.h"

#include "detect/history/loops.h"

#include <math.h>

/* What all commits have in common. */
struct common {
	size_t stride, floats; /* of a row, of a commit's rows */
	struct pn_levels all;
	PN_REAL *sums[2], *mixed, stay;
	struct pn_steps edges;
	struct pn_loops_steps steps[2];
	struct pn_loops_mix mix;
};

/* `pairs`, `slow`: constants, here and below. */
static inline PN_INLINE void find_common(struct common *out,
					 struct pn_advance *a, size_t pairs,
					 bool slow, bool back)
{
	const struct pn_levels all = {0, (uint16_t)a->stride};

	pn_advance_choose_steps(a, all, all);
	out->stride = a->stride;
	out->floats = (slow ? 4 : 2) * a->stride;
	out->all = all;
	out->sums[0] = pn_advance_sums(a, 0);
	out->sums[1] = pn_advance_sums(a, 1);
	out->mixed = pn_advance_rows(a) + 4 * a->stride;
	out->stay = 1 - a->chance;
	out->edges = a->steps;
	out->mix = pn_loops_mix_of(a, back);
	pn_loops_set_steps(&out->steps[0], a, 0, pairs);
	if (slow)
		pn_loops_set_steps(&out->steps[1], a, 1, pairs);
}

/* The density of the first commit of a segment, by what the residual before
 * shifts. */
static inline PN_INLINE const PN_REAL *first_of(const struct pn_sweep *w,
						size_t t)
{
	const struct pn_emission *e = w->emission;
	int r = (int)rint(e->grid->cells[t - 1] - (double)w->mean);
	int reach = e->grid->reach;

	return w->commits[t].of.first +
	       e->shifts[r < -reach ? -reach : (r > reach ? reach : r)];
}

/* Running sums of the rows of the commit before, and from which rows those of
 * the next one are made. */
static inline PN_INLINE void sum_before(PN_REAL sums[2],
					struct pn_loops_makes *m,
					const struct pn_sweep *w,
					const struct common *c, bool slow)
{
	m->old_first = w->before;
	if (slow) {
		pn_loops_mix_and_sum(sums, c->mixed, c->sums[0], c->sums[1],
				     w->before, c->stride, &c->mix, c->all);
		pn_loops_fill_behind(c->sums[1], &c->edges, sums[1]);
		m->old_first = c->mixed;
		m->old_later = c->mixed + 2 * c->stride;
	} else {
		m->old_later = w->before + c->stride;
		sums[0] = pn_loops_sum(c->sums[0], m->old_later, c->all);
	}
	pn_loops_fill_behind(c->sums[0], &c->edges, sums[0]);
}

/* Commit t; `mean`: the level is wanted. */
static inline PN_INLINE void
make(struct pn_sweep *w, const struct pn_advance *a, const struct common *c,
     size_t t, size_t pairs, bool slow, bool moved, bool mean)
{
	struct pn_emission_rows *of = &w->commits[t].of;
	struct pn_loops_made made = {{{{0}}}, {{{0}}}};
	struct pn_loops_steps steps;
	PN_REAL scale = 1 / w->sum, sums[2];
	struct pn_loops_makes m = {.first = w->rows,
				   .later =
					   w->rows + (slow ? 2 : 1) * c->stride,
				   .share = scale,
				   .stay = c->stay * scale,
				   .of_later = of->later,
				   .levels = a->levels};

	if (mean)
		of->first = first_of(w, t);
	m.of_first = of->first;
	sum_before(sums, &m, w, c, slow);
	if (moved)
		m.moved = pn_loops_move(&m, a, c->all);
	pn_loops_scale_steps(&steps, &c->steps[0], pairs, sums[0], scale);
	pn_loops_make(&made, &m, &steps, pairs, moved, mean, c->all);
	if (slow) {
		m.first += c->stride;
		m.later += c->stride;
		m.old_first += c->stride;
		m.old_later += c->stride;
		m.of_first = m.of_later = of->slow;
		pn_loops_scale_steps(&steps, &c->steps[1], pairs, sums[1],
				     scale);
		pn_loops_make(&made, &m, &steps, pairs, moved, mean, c->all);
	}
	w->sum = w->commits[t].sum = pn_lanes_sum(&made.all);
	if (mean)
		w->mean = pn_lanes_sum(&made.level) / w->sum;
}

static inline PN_INLINE void forward(struct pn_sweep *sweep,
				     struct pn_advance *a, size_t pairs,
				     bool slow, bool moved, bool mean)
{
	struct pn_sweep w = *sweep;
	struct common c;

	find_common(&c, a, pairs, slow, false);
	for (; w.from < w.to; w.from++) {
		make(&w, a, &c, w.from, pairs, slow, moved, mean);
		w.before = w.rows;
		w.rows += c.floats;
		w.product *= (double)w.sum;
		if (w.product < PN_SWEEP_SMALL) {
			w.log_evidence += log(w.product);
			w.product = 1;
		}
	}
	*sweep = w;
}

static void go_forward(struct pn_sweep *w, struct pn_advance *a)
{
	bool mean = w->emission->shifts, moved = a->wander_up;

	if (a->steps.pairs > 2 && a->slow > 1)
		forward(w, a, 3, true, false, false);
	else if (a->steps.pairs > 2 && moved && mean)
		forward(w, a, 3, false, true, true);
	else if (a->steps.pairs > 2 && moved)
		forward(w, a, 3, false, true, false);
	else if (a->steps.pairs > 2 && mean)
		forward(w, a, 3, false, false, true);
	else if (a->steps.pairs > 2)
		forward(w, a, 3, false, false, false);
	else if (a->slow > 1)
		forward(w, a, 2, true, false, false);
	else if (moved && mean)
		forward(w, a, 2, false, true, true);
	else if (moved)
		forward(w, a, 2, false, true, false);
	else if (mean)
		forward(w, a, 2, false, false, true);
	else
		forward(w, a, 2, false, false, false);
}

static void count(const struct pn_sweep *w, size_t t, PN_REAL scale, size_t n,
		  bool slow)
{
	const struct pn_emission_commit *c = &w->commits[t];
	struct pn_emission *e = w->emission;

	if (c->counts)
		pn_loops_count(c->counts, w->shares, scale, n);
	else
		pn_emission_count(e, w->shares, scale, t, false, 0, n);
	if (slow)
		pn_loops_count(pn_emission_counts_of(e, c->of.slow),
			       w->shares + n, scale, n);
}

/* At commit t. */
static inline PN_INLINE void look(struct pn_seen *seen, PN_REAL sums[2],
				  const struct pn_sweep *w,
				  const struct pn_advance *a,
				  const struct common *c, size_t t, bool slow,
				  bool shares, bool levels)
{
	const struct pn_emission_commit *commit = &w->commits[t];
	const PN_REAL *row = w->rows + (t - w->from) * c->floats;
	const size_t n = c->stride, s = slow ? 2 : 1;
	struct pn_loops_looks m = {.shares = w->shares,
				   .ahead_first = w->ahead,
				   .ahead_later = w->ahead + s * n,
				   .sums = c->sums[0],
				   .row = row,
				   .row_later = row + s * n,
				   .of_first = commit->of.first,
				   .of_later = commit->of.later,
				   .levels = a->levels,
				   .scale = 1 / commit->sum};

	if (slow) {
		struct pn_loops_looks m_slow = m;

		m_slow.shares += n;
		m_slow.ahead_first += n;
		m_slow.ahead_later += n;
		m_slow.sums = c->sums[1];
		m_slow.row += n;
		m_slow.row_later += n;
		m_slow.of_first = m_slow.of_later = commit->of.slow;
		sums[1] = pn_loops_look(seen, &m_slow, c->all, shares, levels);
		seen->slow = seen->all;
	}
	sums[0] = pn_loops_look(seen, &m, c->all, shares, levels);
}

static inline PN_INLINE void step_back(const struct pn_sweep *w,
				       const struct pn_advance *a,
				       struct common *c, const PN_REAL sums[2],
				       size_t pairs, bool slow)
{
	if (a->wander_up)
		pn_loops_wander(w->ahead, a, c->all);
	pn_loops_fill_behind(c->sums[0], &c->edges, sums[0]);
	c->steps[0].full = pn_lanes_all(sums[0]);
	if (slow) {
		pn_loops_fill_behind(c->sums[1], &c->edges, sums[1]);
		c->steps[1].full = pn_lanes_all(sums[1]);
		pn_loops_join_and_mix(w->ahead, c->stride, c->stay, c->steps,
				      &c->mix, pairs, c->all);
	} else {
		pn_loops_join(w->ahead, c->stride, c->stay, c->steps, pairs,
			      c->all);
	}
}

static inline PN_INLINE void back(struct pn_pass *out,
				  const struct pn_sweep *sweep,
				  struct pn_advance *a, size_t pairs, bool slow,
				  bool shares, bool levels)
{
	const struct pn_sweep w = *sweep;
	PN_REAL sums[2], scale;
	struct common c;
	size_t t;

	find_common(&c, a, pairs, slow, true);
	for (t = w.to; t-- > w.from;) {
		struct pn_seen seen = {0};

		look(&seen, sums, &w, a, &c, t, slow, shares, levels);
		scale = pn_seen_keep(out, &seen, a->grid, t);
		if (shares && scale > 0)
			count(&w, t, scale, c.stride, slow);
		if (t)
			step_back(&w, a, &c, sums, pairs, slow);
	}
}

static inline PN_INLINE void back_of(struct pn_pass *out,
				     const struct pn_sweep *w,
				     struct pn_advance *a, size_t pairs,
				     bool slow)
{
	if (out->residuals && out->level)
		back(out, w, a, pairs, slow, true, true);
	else if (out->residuals)
		back(out, w, a, pairs, slow, true, false);
	else
		back(out, w, a, pairs, slow, false, true);
}

static void go_back(struct pn_pass *out, const struct pn_sweep *w,
		    struct pn_advance *a)
{
	if (a->steps.pairs > 2 && a->slow > 1)
		back_of(out, w, a, 3, true);
	else if (a->steps.pairs > 2)
		back_of(out, w, a, 3, false);
	else if (a->slow > 1)
		back_of(out, w, a, 2, true);
	else
		back_of(out, w, a, 2, false);
}

#ifdef PN_HISTORY_WIDE
#define CALLS pn_sweep_wide
#else
#define CALLS pn_sweep_narrow
#endif
const struct pn_sweep_calls CALLS = {go_forward, go_back};
