/*
 * The loops over the levels of a row: all of the time of the detector is spent
 * in these. Whoever calls them copies what they need into structs of its own,
 * so that the compiler knows what no store can change; numbers that it is to
 * know come as constants. Inside of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_LOOPS_H
#define PN_HISTORY_LOOPS_H

#include "detect/history/advance.h"
#include "detect/history/lanes.h"

/* What comes to a level by steps: from the running sums of a state, whose last
 * one is `full`, or in a row that is given, where levels do not follow each
 * other. */
struct pn_loops_steps {
	PN_LANES_OF weights[PN_STEPS_PAIRS], full;
	const PN_REAL *above[PN_STEPS_PAIRS], *below[PN_STEPS_PAIRS];
	const PN_REAL *given, *there;
};

/* `pairs` of edges: a constant, 0 where the row is given. */
static inline PN_INLINE void pn_loops_set_steps(struct pn_loops_steps *out,
						const struct pn_advance *a,
						size_t state, size_t pairs)
{
	const PN_REAL *s = pn_advance_sums(a, state);
	size_t k;

	out->there = a->grid->there;
	out->given = pn_advance_rows(a) + state * a->stride;
	for (k = 0; k < pairs; k++) {
		out->weights[k] = pn_lanes_all(a->steps.weights[k]);
		out->above[k] = s + a->steps.above[k]->away;
		out->below[k] = s + a->steps.below[k]->away;
	}
}

/* The same steps where the sum of all is known; all times `scale`. */
static inline PN_INLINE void
pn_loops_scale_steps(struct pn_loops_steps *out,
		     const struct pn_loops_steps *steps, size_t pairs,
		     PN_REAL all, PN_REAL scale)
{
	size_t k;

	*out = *steps;
	out->full = pn_lanes_all(all);
	for (k = 0; k < pairs; k++)
		out->weights[k] = steps->weights[k] * pn_lanes_all(scale);
}

/* The running sums are the same behind the last level, as far as steps look. */
static inline PN_INLINE void
pn_loops_fill_behind(PN_REAL *sums, const struct pn_steps *steps, PN_REAL all)
{
	int l;

	for (l = steps->of.to + 1; l <= steps->high; l += PN_LANES)
		pn_lanes_store(sums + l, pn_lanes_all(all));
}

static inline PN_INLINE PN_LANES_OF
pn_loops_step(const struct pn_loops_steps *s, size_t pairs, size_t l)
{
	PN_LANES_OF sum = {0}, pair;
	size_t k;

	if (!pairs)
		return pn_lanes_load(s->given + l);
	for (k = 0; k < pairs; k++) {
		pair = s->weights[k] *
		       ((s->full - pn_lanes_load(s->above[k] + l)) +
			pn_lanes_load(s->below[k] + l));
		sum = k ? sum + pair : pair;
	}
	return sum * pn_lanes_load(s->there + l);
}

/* Running sums of x on the levels `of`; returns the sum of all. */
static inline PN_INLINE PN_REAL pn_loops_sum(PN_REAL *restrict sums,
					     const PN_REAL *restrict x,
					     struct pn_levels of)
{
	PN_LANES_OF before = {0};
	struct pn_lanes_eight y;
	size_t l, k;

	sums[of.from] = 0;
	for (l = of.from; l < of.to; l += PN_GRID_LANES) {
		for (k = 0; k < PN_LANES_PARTS; k++)
			y.parts[k] = pn_lanes_load(x + l + k * PN_LANES);
		pn_lanes_run_sums(sums + 1 + l, &y, &before);
	}
	return before[0];
}

/* The slow state is entered and left. */
struct pn_loops_mix {
	PN_LANES_OF stay, to, from, stay_slow;
};

static inline PN_INLINE struct pn_loops_mix
pn_loops_mix_of(const struct pn_advance *a, bool back)
{
	return (struct pn_loops_mix){pn_lanes_all(1 - a->enter),
				     pn_lanes_all(back ? a->enter : a->leave),
				     pn_lanes_all(back ? a->leave : a->enter),
				     pn_lanes_all(1 - a->leave)};
}

static inline PN_INLINE PN_LANES_OF pn_loops_mix_usual(
	const struct pn_loops_mix *m, PN_LANES_OF usual, PN_LANES_OF slow)
{
	return m->stay * usual + m->to * slow;
}

static inline PN_INLINE PN_LANES_OF pn_loops_mix_slow(
	const struct pn_loops_mix *m, PN_LANES_OF usual, PN_LANES_OF slow)
{
	return m->from * usual + m->stay_slow * slow;
}

/* Of the n numbers of each of four rows: both ages and states, and the running
 * sums of the later ones. */
static inline PN_INLINE void
pn_loops_mix_and_sum(PN_REAL all[2], PN_REAL *restrict mixed,
		     PN_REAL *restrict sums, PN_REAL *restrict slow_sums,
		     const PN_REAL *before, size_t n,
		     const struct pn_loops_mix *mix, struct pn_levels had)
{
	PN_LANES_OF sum = {0}, slow_sum = {0};
	const struct pn_loops_mix m = *mix;
	struct pn_lanes_eight usual, slow;
	size_t from, k;

	sums[had.from] = slow_sums[had.from] = 0;
	for (from = had.from; from < had.to; from += PN_GRID_LANES) {
		for (k = 0; k < PN_LANES_PARTS; k++) {
			size_t l = from + k * PN_LANES;
			PN_LANES_OF x = pn_lanes_load(before + l);
			PN_LANES_OF y = pn_lanes_load(before + n + l);

			pn_lanes_store(mixed + l, pn_loops_mix_usual(&m, x, y));
			pn_lanes_store(mixed + n + l,
				       pn_loops_mix_slow(&m, x, y));
			x = pn_lanes_load(before + 2 * n + l);
			y = pn_lanes_load(before + 3 * n + l);
			usual.parts[k] = pn_loops_mix_usual(&m, x, y);
			slow.parts[k] = pn_loops_mix_slow(&m, x, y);
			pn_lanes_store(mixed + 2 * n + l, usual.parts[k]);
			pn_lanes_store(mixed + 3 * n + l, slow.parts[k]);
		}
		pn_lanes_run_sums(sums + 1 + from, &usual, &sum);
		pn_lanes_run_sums(slow_sums + 1 + from, &slow, &slow_sum);
	}
	all[0] = sum[0];
	all[1] = slow_sum[0];
}

/* Levels give a share to those beside them. */
static inline void pn_loops_wander(PN_REAL *row, const struct pn_advance *a,
				   struct pn_levels in)
{
	PN_REAL *up = pn_advance_rows(a) + 2 * a->stride;
	size_t d = a->apart, l;

	for (l = in.from; l < in.to; l += PN_LANES)
		pn_lanes_store(up + l, pn_lanes_load(a->wander_up + l) *
					       (pn_lanes_load(row + l) -
						pn_lanes_load(row + l + d)));
	for (l = in.to > d ? in.to - d : 0; l < in.to; l++)
		up[l] = 0;
	for (l = 1; l <= d; l++)
		(up + in.from)[-(ptrdiff_t)l] = 0;
	for (l = in.from; l < in.to; l += PN_LANES)
		pn_lanes_store(row + l, pn_lanes_load(row + l) +
						pn_lanes_load(up + l - d) -
						pn_lanes_load(up + l));
}

/* Of one state: what rows are made from and into. */
struct pn_loops_makes {
	PN_REAL *first, *later;
	const PN_REAL *old_first, *old_later;
	PN_REAL share, stay;  /* of those */
	const PN_REAL *moved; /* what the later ones are instead, or NULL */
	const PN_REAL *of_first, *of_later, *levels;
};

/* What levels that wander make of the later commits of a segment. */
static inline const PN_REAL *pn_loops_move(const struct pn_loops_makes *m,
					   const struct pn_advance *a,
					   struct pn_levels in)
{
	PN_REAL *moved = pn_advance_rows(a) + 4 * a->stride;
	size_t l;

	for (l = in.from; l < in.to; l += PN_LANES)
		pn_lanes_store(moved + l,
			       m->share * pn_lanes_load(m->old_first + l) +
				       m->stay *
					       pn_lanes_load(m->old_later + l));
	pn_loops_wander(moved, a, in);
	return moved;
}

/* Of both states. */
struct pn_loops_made {
	struct pn_lanes_eight all, level;
};

static inline PN_INLINE void pn_loops_make(struct pn_loops_made *made,
					   const struct pn_loops_makes *makes,
					   const struct pn_loops_steps *steps,
					   size_t pairs, bool moved, bool mean,
					   struct pn_levels in)
{
	const PN_LANES_OF share = pn_lanes_all(makes->share);
	const PN_LANES_OF stay = pn_lanes_all(makes->stay);
	const struct pn_loops_makes m = *makes;
	const struct pn_loops_steps s = *steps;
	struct pn_loops_made sums = *made;
	size_t from, k;

	for (from = in.from; from < in.to; from += PN_GRID_LANES) {
		for (k = 0; k < PN_LANES_PARTS; k++) {
			size_t l = from + k * PN_LANES;
			PN_LANES_OF first = pn_loops_step(&s, pairs, l), later;

			if (moved)
				later = pn_lanes_load(m.moved + l);
			else
				later = share * pn_lanes_load(m.old_first + l) +
					stay * pn_lanes_load(m.old_later + l);
			first *= pn_lanes_load(m.of_first + l);
			later *= pn_lanes_load(m.of_later + l);
			pn_lanes_store(m.first + l, first);
			pn_lanes_store(m.later + l, later);
			first += later;
			sums.all.parts[k] += first;
			if (mean)
				sums.level.parts[k] +=
					first * pn_lanes_load(m.levels + l);
		}
	}
	*made = sums;
}

/* Of one state: what a commit and those behind it say. */
struct pn_loops_looks {
	PN_REAL *shares, *ahead_first, *sums;
	const PN_REAL *ahead_later, *row, *row_later;
	const PN_REAL *of_first, *of_later, *levels;
	PN_REAL scale;
};

/* Running sums of what says that the commit begins a segment are for the step
 * back; returns the last one. `shares`, `levels`: whether they are wanted. */
static inline PN_INLINE PN_REAL
pn_loops_look(struct pn_seen *out, const struct pn_loops_looks *looks,
	      struct pn_levels in, bool shares, bool levels)
{
	struct pn_lanes_eight all = {{{0}}}, first = all, level = all, begins;
	const PN_LANES_OF scale = pn_lanes_all(looks->scale);
	const struct pn_loops_looks m = *looks;
	PN_LANES_OF sum = {0};
	size_t at, k;

	m.sums[in.from] = 0;
	for (at = in.from; at < in.to; at += PN_GRID_LANES) {
		for (k = 0; k < PN_LANES_PARTS; k++) {
			size_t l = at + k * PN_LANES, own = l - in.from;
			PN_LANES_OF begin = pn_lanes_load(m.ahead_first + l);
			PN_LANES_OF goes_on = pn_lanes_load(m.ahead_later + l);
			PN_LANES_OF x = pn_lanes_load(m.row + own) * begin;
			PN_LANES_OF y =
				x + pn_lanes_load(m.row_later + own) * goes_on;

			all.parts[k] += y;
			if (levels) {
				first.parts[k] += x;
				level.parts[k] +=
					y * pn_lanes_load(m.levels + l);
			}
			if (shares)
				pn_lanes_store(m.shares + l, y);
			begins.parts[k] =
				begin * pn_lanes_load(m.of_first + l) * scale;
			goes_on *= pn_lanes_load(m.of_later + l);
			pn_lanes_store(m.ahead_first + l, goes_on * scale);
		}
		pn_lanes_run_sums(m.sums + 1 + at, &begins, &sum);
	}
	out->all += pn_lanes_sum(&all);
	if (levels) {
		out->first += pn_lanes_sum(&first);
		out->level += pn_lanes_sum(&level);
	}
	return sum[0];
}

/* Shares as doubles, times `scale`. */
static inline PN_INLINE void pn_loops_count(double *restrict counts,
					    const PN_REAL *restrict shares,
					    PN_REAL scale, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		counts[i] += (double)(shares[i] * scale);
}

/* From what a look left to what is ahead of the commit before; n: of a row. */
static inline PN_INLINE void pn_loops_join(PN_REAL *ahead, size_t n,
					   PN_REAL stay,
					   const struct pn_loops_steps *steps,
					   size_t pairs, struct pn_levels to)
{
	const PN_LANES_OF stays = pn_lanes_all(stay);
	const struct pn_loops_steps s = *steps;
	size_t l;

	for (l = to.from; l < to.to; l += PN_LANES)
		pn_lanes_store(ahead + n + l,
			       stays * pn_lanes_load(ahead + l) +
				       pn_loops_step(&s, pairs, l));
}

/* The same with a slow state. */
static inline PN_INLINE void
pn_loops_join_and_mix(PN_REAL *ahead, size_t n, PN_REAL stay,
		      const struct pn_loops_steps steps[2],
		      const struct pn_loops_mix *mix, size_t pairs,
		      struct pn_levels to)
{
	const struct pn_loops_steps s = steps[0], slow = steps[1];
	const PN_LANES_OF stays = pn_lanes_all(stay);
	const struct pn_loops_mix m = *mix;
	PN_LANES_OF x, y, later, later_slow;
	size_t l;

	for (l = to.from; l < to.to; l += PN_LANES) {
		x = pn_lanes_load(ahead + l);
		y = pn_lanes_load(ahead + n + l);
		later = stays * x + pn_loops_step(&s, pairs, l);
		later_slow = stays * y + pn_loops_step(&slow, pairs, l);
		pn_lanes_store(ahead + l, pn_loops_mix_usual(&m, x, y));
		pn_lanes_store(ahead + n + l, pn_loops_mix_slow(&m, x, y));
		pn_lanes_store(ahead + 2 * n + l,
			       pn_loops_mix_usual(&m, later, later_slow));
		pn_lanes_store(ahead + 3 * n + l,
			       pn_loops_mix_slow(&m, later, later_slow));
	}
}

#endif
