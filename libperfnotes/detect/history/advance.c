/* Rows of the next commit, where ranges of levels change. */
#include "detect/history/advance.h"

#include "detect/history/loops.h"

/* (prior of a step from each level) . x, times the chance of one and `scale`,
 * where the sums of x are made. Returns the pairs of edges, 0 where rows of
 * steps are given. */
static inline PN_INLINE size_t end_steps(const struct pn_advance *a,
					 PN_REAL scale)
{
	const struct pn_steps *p = &a->steps;
	size_t pairs = a->grid->dense ? p->pairs : 0, k;

	for (k = 0; k < a->slow; k++) {
		PN_REAL *s = pn_advance_sums(a, k);

		pn_loops_fill_behind(s, p, a->sums[k]);
		if (!pairs)
			pn_steps_apart(pn_advance_rows(a) + k * a->stride, p,
				       a->grid, s, a->sums[k], scale);
	}
	return pairs;
}

static inline PN_INLINE void make_with(struct pn_loops_made *sums,
				       const struct pn_loops_makes *m,
				       const struct pn_advance *a, size_t state,
				       size_t pairs, bool moved, bool mean,
				       struct pn_levels in)
{
	struct pn_loops_steps s;

	pn_loops_set_steps(&s, a, state, pairs);
	pn_loops_scale_steps(&s, &s, pairs, a->sums[state], m->share);
	pn_loops_make(sums, m, &s, pairs, moved, mean, in);
}

static void make(struct pn_loops_made *sums, const struct pn_loops_makes *m,
		 const struct pn_advance *a, size_t state, size_t pairs,
		 struct pn_levels in)
{
	if (m->moved && pairs == 2)
		make_with(sums, m, a, state, 2, true, true, in);
	else if (m->moved && pairs == 1)
		make_with(sums, m, a, state, 1, true, true, in);
	else if (m->moved && pairs)
		make_with(sums, m, a, state, 3, true, true, in);
	else if (m->moved)
		make_with(sums, m, a, state, 0, true, true, in);
	else if (pairs == 2)
		make_with(sums, m, a, state, 2, false, true, in);
	else if (pairs == 1)
		make_with(sums, m, a, state, 1, false, true, in);
	else if (pairs)
		make_with(sums, m, a, state, 3, false, true, in);
	else
		make_with(sums, m, a, state, 0, false, true, in);
}

/* Rows of both states from which those of the next commit are made, and their
 * running sums. */
static const PN_REAL *mix(struct pn_advance *a, const PN_REAL *before,
			  struct pn_levels had, struct pn_levels in)
{
	PN_REAL *mixed = pn_advance_rows(a) + 4 * a->stride;
	struct pn_loops_mix mix = pn_loops_mix_of(a, false);
	size_t k;

	pn_loops_mix_and_sum(a->sums, mixed, pn_advance_sums(a, 0),
			     pn_advance_sums(a, 1), before, a->stride, &mix,
			     had);
	for (k = 0; k < 4; k++)
		pn_levels_leave(mixed + k * a->stride, in, had);
	return mixed;
}

static PN_REAL make_row(PN_REAL *out, PN_REAL *mean, struct pn_advance *a,
			const PN_REAL *before, PN_REAL sum_before,
			const struct pn_emission_rows *of, struct pn_levels had,
			struct pn_levels in)
{
	size_t n = a->stride, s = a->slow, pairs;
	PN_REAL scale = 1 / sum_before, sum;
	struct pn_loops_made sums = {{{{0}}}, {{{0}}}};
	struct pn_loops_makes m = {.first = out,
				   .later = out + s * n,
				   .old_first = before,
				   .share = scale,
				   .stay = (1 - a->chance) * scale,
				   .of_first = of->first,
				   .of_later = of->later,
				   .levels = a->levels};

	pn_advance_choose_steps(a, had, in);
	if (s > 1)
		m.old_first = mix(a, before, had, in);
	else
		a->sums[0] =
			pn_loops_sum(pn_advance_sums(a, 0), before + n, had);
	m.old_later = m.old_first + s * n;
	pairs = end_steps(a, scale);
	if (a->wander_up)
		m.moved = pn_loops_move(&m, a, in);
	make(&sums, &m, a, 0, pairs, in);
	if (s > 1) {
		m.first += n;
		m.later += n;
		m.old_first += n;
		m.old_later += n;
		m.of_first = m.of_later = of->slow;
		make(&sums, &m, a, 1, pairs, in);
	}
	sum = pn_lanes_sum(&sums.all);
	if (mean)
		*mean = pn_lanes_sum(&sums.level) / sum;
	return sum;
}

static PN_REAL look(struct pn_seen *out, const struct pn_loops_looks *m,
		    struct pn_levels in, bool levels)
{
	if (m->shares && levels)
		return pn_loops_look(out, m, in, true, true);
	if (m->shares)
		return pn_loops_look(out, m, in, true, false);
	return pn_loops_look(out, m, in, false, true);
}

static void look_at(struct pn_seen *out, PN_REAL *shares, bool levels,
		    struct pn_advance *a, const PN_REAL *row, PN_REAL *ahead,
		    PN_REAL sum, const struct pn_emission_rows *of,
		    struct pn_levels in)
{
	size_t n = a->stride, s = a->slow, width = (size_t)(in.to - in.from);
	struct pn_loops_looks usual = {.shares = shares,
				       .ahead_first = ahead,
				       .ahead_later = ahead + s * n,
				       .sums = pn_advance_sums(a, 0),
				       .row = row,
				       .row_later = row + s * width,
				       .of_first = of->first,
				       .of_later = of->later,
				       .levels = a->levels,
				       .scale = 1 / sum};

	*out = (struct pn_seen){0};
	if (s > 1) {
		struct pn_loops_looks slow = usual;

		slow.shares = shares ? shares + n : NULL;
		slow.ahead_first += n;
		slow.ahead_later += n;
		slow.sums = pn_advance_sums(a, 1);
		slow.row += width;
		slow.row_later += width;
		slow.of_first = slow.of_later = of->slow;
		a->sums[1] = look(out, &slow, in, levels);
		out->slow = out->all;
	}
	a->sums[0] = look(out, &usual, in, levels);
}

static inline PN_INLINE void join(PN_REAL *ahead, const struct pn_advance *a,
				  size_t pairs, struct pn_levels to)
{
	struct pn_loops_mix mix = pn_loops_mix_of(a, true);
	struct pn_loops_steps s[2];
	size_t k;

	for (k = 0; k < a->slow; k++) {
		pn_loops_set_steps(s + k, a, k, pairs);
		pn_loops_scale_steps(s + k, s + k, pairs, a->sums[k], 1);
	}
	if (a->slow > 1)
		pn_loops_join_and_mix(ahead, a->stride, 1 - a->chance, s, &mix,
				      pairs, to);
	else
		pn_loops_join(ahead, a->stride, 1 - a->chance, s, pairs, to);
}

static void go_back(PN_REAL *ahead, struct pn_advance *a, struct pn_levels in,
		    struct pn_levels to)
{
	size_t pairs, k;

	if (a->wander_up)
		pn_loops_wander(ahead, a, pn_levels_either(in, to));
	pn_advance_choose_steps(a, in, to);
	pairs = end_steps(a, 1);
	if (pairs == 2)
		join(ahead, a, 2, to);
	else if (pairs == 1)
		join(ahead, a, 1, to);
	else if (pairs)
		join(ahead, a, 3, to);
	else
		join(ahead, a, 0, to);
	for (k = 0; k < 2 * a->slow; k++)
		pn_levels_leave(ahead + k * a->stride, in, to);
}

static void count(double *counts, const PN_REAL *shares, PN_REAL scale,
		  size_t n)
{
	pn_loops_count(counts, shares, scale, n);
}

#ifdef PN_HISTORY_WIDE
#define CALLS pn_advance_wide
#else
#define CALLS pn_advance_narrow
#endif
const struct pn_advance_calls CALLS = {make_row, look_at, go_back, count};
