/* Rows of the next commit. All of the time is spent here. */
#include "detect/history/advance.h"

#include "detect/history/lanes.h"

#include <string.h>

typedef PN_REAL lanes PN_LANES_VECTOR;

#define INLINE static inline __attribute__((always_inline))

INLINE lanes load(const PN_REAL *from)
{
	return PN_LANES_AT(const lanes, from);
}

INLINE void store(PN_REAL *to, lanes value)
{
	PN_LANES_AT(lanes, to) = value;
}

/* Of two vectors of four: clang has a word for it, gcc since version 12. */
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define FOUR __builtin_shufflevector
#endif
#endif
#if !defined FOUR && !defined PN_HISTORY_WIDE
#define FOUR four
INLINE lanes four(lanes a, lanes b, int i, int j, int k, int l)
{
	const int from[] = {i, j, k, l};
	lanes out = {0};
	int n;

	for (n = 0; n < 4; n++)
		out[n] = from[n] < 4 ? a[from[n]] : b[from[n] - 4];
	return out;
}
#endif

#define PARTS (PN_GRID_LANES / PN_LANES)

typedef PN_REAL half __attribute__((vector_size(4 * sizeof(PN_REAL)),
				    aligned(sizeof(PN_REAL)), may_alias));

/* Sums of every eighth number. */
struct sums {
	lanes parts[PARTS];
};

INLINE PN_REAL sum_of(const struct sums *sums)
{
#ifdef PN_HISTORY_WIDE
	lanes all = sums->parts[0];
	half v = __builtin_shufflevector(all, all, 0, 1, 2, 3) +
		 __builtin_shufflevector(all, all, 4, 5, 6, 7);
#else
	half v = sums->parts[0] + sums->parts[1];
#endif

	return (v[0] + v[2]) + (v[1] + v[3]);
}

/* Of scratch: running sums, and room for four rows more. */
static PN_REAL *sums_of(const struct pn_advance *a)
{
	return a->scratch + a->stride;
}

static PN_REAL *rows_of(const struct pn_advance *a)
{
	return a->scratch + 4 * a->stride + 2 * PN_LANES;
}

/* Running sums of eight, in the order of Sklansky, IRE Trans. EC-9 (1960): none
 * is less than the one before, as rounded as they are. What all of them get
 * first is `before`, which becomes what the last one has, in all lanes. */
INLINE void run_sums_of_eight(PN_REAL *sums, const PN_REAL *x, lanes *before)
{
	const lanes none = {0};
#ifdef PN_HISTORY_WIDE
	lanes y = load(x);

	y += __builtin_shufflevector(none, y, 0, 8, 0, 10, 0, 12, 0, 14);
	y += __builtin_shufflevector(none, y, 0, 0, 9, 9, 0, 0, 13, 13);
	y += __builtin_shufflevector(none, y, 0, 0, 0, 0, 11, 11, 11, 11);
	y += *before;
	store(sums, y);
	*before = __builtin_shufflevector(y, y, 7, 7, 7, 7, 7, 7, 7, 7);
#else
	lanes y = load(x), z = load(x + 4);

	y += FOUR(none, y, 0, 4, 0, 6);
	z += FOUR(none, z, 0, 4, 0, 6);
	y += FOUR(none, y, 0, 1, 5, 5);
	z += FOUR(none, z, 0, 1, 5, 5);
	z += FOUR(y, y, 3, 3, 3, 3);
	store(sums, y + *before);
	z += *before;
	store(sums + 4, z);
	*before = FOUR(z, z, 3, 3, 3, 3);
#endif
}

/* Returns the sum of all. */
INLINE PN_REAL run_sums(PN_REAL *restrict sums, const PN_REAL *restrict x,
			size_t n)
{
	lanes before = {0};
	size_t l;

	sums[0] = 0;
	for (l = 0; l < n; l += PN_GRID_LANES)
		run_sums_of_eight(sums + 1 + l, x + l, &before);
	return before[0];
}

static int place_of(const struct pn_edge *edge, size_t level)
{
	return edge->places ? edge->places[level] : (int)level + edge->away;
}

static __attribute__((noinline)) void
find_steps(struct pn_advance *a, struct pn_levels of, struct pn_levels to)
{
	const struct pn_grid *grid = a->grid;
	struct pn_advance_steps *out = &a->steps;
	size_t last = (to.to < grid->level_count ? to.to : grid->level_count);
	size_t k;

	last--;
	*out = (struct pn_advance_steps){
		.of = of, .to = to, .low = of.from, .high = of.to};
	for (k = 0; k + 1 < grid->edge_count; k += 2) {
		const struct pn_edge *up = &grid->edges[k], *down = up + 1;
		int low = place_of(down, to.from), high = place_of(up, last);

		if (place_of(up, to.from) >= of.to &&
		    place_of(down, last) <= of.from)
			continue;
		out->weights[out->pairs] = up->weight * a->chance;
		out->above[out->pairs] = up;
		out->below[out->pairs++] = down;
		out->low = low < out->low ? low : out->low;
		out->high = high > out->high ? high : out->high;
	}
}

/* Whole lanes: some behind `to` as well. */
INLINE void fill(PN_REAL *sums, int from, int to, PN_REAL value)
{
	const lanes full = (lanes){0} + value;

	for (; from < to; from += PN_LANES)
		store(sums + from, full);
}

/* What comes to a level by steps. By value: what is stored cannot change it. */
struct steps {
	size_t pairs; /* 0: it is in `given` */
	lanes weights[PN_ADVANCE_PAIRS], full;
	const PN_REAL *above[PN_ADVANCE_PAIRS], *below[PN_ADVANCE_PAIRS];
	const PN_REAL *given, *there;
};

/* pairs: those of s, as a number that the compiler knows */
INLINE lanes steps_to(const struct steps *s, size_t pairs, size_t l)
{
	lanes sum;

	if (!pairs)
		return load(s->given + l);
	sum = s->weights[0] *
	      ((s->full - load(s->above[0] + l)) + load(s->below[0] + l));
	if (pairs > 1)
		sum += s->weights[1] * ((s->full - load(s->above[1] + l)) +
					load(s->below[1] + l));
	if (pairs > 2)
		sum += s->weights[2] * ((s->full - load(s->above[2] + l)) +
					load(s->below[2] + l));
	return sum * load(s->there + l);
}

/* The same where levels do not follow each other: into a row. */
INLINE void step_apart(PN_REAL *restrict out, const struct pn_advance_steps *p,
		       size_t pairs, const PN_REAL *s, PN_REAL all,
		       PN_REAL scale, size_t from, size_t to)
{
	const uint16_t *above[PN_ADVANCE_PAIRS], *below[PN_ADVANCE_PAIRS];
	PN_REAL weights[PN_ADVANCE_PAIRS], sum;
	size_t l, k;

	for (k = 0; k < pairs; k++) {
		above[k] = p->above[k]->places;
		below[k] = p->below[k]->places;
		weights[k] = p->weights[k] * scale;
	}
	for (l = from; l < to; l++) {
		sum = 0;
		for (k = 0; k < pairs; k++)
			sum += weights[k] *
			       ((all - s[above[k][l]]) + s[below[k][l]]);
		out[l] = sum;
	}
}

static void steps_apart(PN_REAL *out, const struct pn_advance *a,
			const PN_REAL *s, PN_REAL all, PN_REAL scale,
			struct pn_levels to)
{
	const struct pn_advance_steps *p = &a->steps;
	size_t end =
		to.to < a->grid->level_count ? to.to : a->grid->level_count;

	if (p->pairs == 1)
		step_apart(out, p, 1, s, all, scale, to.from, end);
	else if (p->pairs == 2)
		step_apart(out, p, 2, s, all, scale, to.from, end);
	else
		step_apart(out, p, p->pairs, s, all, scale, to.from, end);
	for (; end < to.to; end++)
		out[end] = 0;
}

/* (prior of a step from each level) . x, times `scale` and the chance of one.
 */
INLINE void begin_steps(struct steps *out, struct pn_advance *a,
			const PN_REAL *x, PN_REAL scale, struct pn_levels of,
			struct pn_levels to)
{
	struct pn_advance_steps *p = &a->steps;
	PN_REAL *s = sums_of(a), all;
	size_t k;

	if (p->of.from != of.from || p->of.to != of.to ||
	    p->to.from != to.from || p->to.to != to.to)
		find_steps(a, of, to);
	fill(s, p->low, of.from, 0);
	all = run_sums(s + of.from, x + of.from, (size_t)(of.to - of.from));
	fill(s, of.to + 1, p->high + 1, all);
	out->there = a->grid->there;
	out->given = rows_of(a);
	out->full = (lanes){0} + all;
	out->pairs = a->grid->dense ? p->pairs : 0;
	if (!out->pairs)
		steps_apart(rows_of(a), a, s, all, scale, to);
	for (k = 0; k < out->pairs; k++) {
		out->weights[k] = (lanes){0} + p->weights[k] * scale;
		out->above[k] = s + p->above[k]->away;
		out->below[k] = s + p->below[k]->away;
	}
}

/* Levels give a share to those beside them. Time O(levels). */
static void wander(PN_REAL *row, const struct pn_advance *a,
		   struct pn_levels in)
{
	PN_REAL *up = rows_of(a) + 2 * a->stride;
	size_t d = a->apart, l;

	for (l = in.from; l < in.to; l += PN_LANES)
		store(up + l, load(a->wander_up + l) *
				      (load(row + l) - load(row + l + d)));
	for (l = in.to > d ? in.to - d : 0; l < in.to; l++)
		up[l] = 0;
	for (l = 1; l <= d; l++)
		(up + in.from)[-(ptrdiff_t)l] = 0;
	for (l = in.from; l < in.to; l += PN_LANES)
		store(row + l, load(row + l) + load(up + l - d) - load(up + l));
}

/* The slow state is entered and left: rows of one age, both states. `out` may
 * be `row`. */
static void mix(const struct pn_advance *a, PN_REAL *out, const PN_REAL *row,
		struct pn_levels in, bool back)
{
	PN_REAL to = back ? a->enter : a->leave;
	PN_REAL from = back ? a->leave : a->enter;
	PN_REAL stay = 1 - a->enter, stay_slow = 1 - a->leave;
	size_t l, n = a->stride;
	lanes usual, slow;

	for (l = in.from; l < in.to; l += PN_LANES) {
		usual = load(row + l);
		slow = load(row + n + l);
		store(out + l, stay * usual + to * slow);
		store(out + n + l, from * usual + stay_slow * slow);
	}
}

/* Of one state: what rows are made from and into. */
struct makes {
	PN_REAL *first, *later;
	const PN_REAL *old_first, *old_later;
	PN_REAL share, stay;  /* of those */
	const PN_REAL *moved; /* what the later ones are instead, or NULL */
	const PN_REAL *of_first, *of_later, *levels;
};

struct made {
	struct sums all, level;
};

/* Copies, which nothing that is stored can change. */
INLINE void make(struct made *made, const struct makes *makes,
		 const struct steps *steps, size_t pairs, bool moved, bool mean,
		 struct pn_levels in)
{
	const struct makes m = *makes;
	const struct steps s = *steps;
	struct made sums = *made;
	size_t from, k;

	for (from = in.from; from < in.to; from += PN_GRID_LANES) {
		for (k = 0; k < PARTS; k++) {
			size_t l = from + k * PN_LANES;
			lanes a, b;

			if (moved)
				b = load(m.moved + l);
			else
				b = m.share * load(m.old_first + l) +
				    m.stay * load(m.old_later + l);
			a = steps_to(&s, pairs, l) * load(m.of_first + l);
			b *= load(m.of_later + l);
			store(m.first + l, a);
			store(m.later + l, b);
			a += b;
			sums.all.parts[k] += a;
			if (mean)
				sums.level.parts[k] += a * load(m.levels + l);
		}
	}
	*made = sums;
}

INLINE void make_of(struct made *sums, const struct makes *m,
		    const struct steps *s, bool mean, struct pn_levels in)
{
	if (m->moved && s->pairs == 2)
		make(sums, m, s, 2, true, true, in);
	else if (m->moved && s->pairs == 1)
		make(sums, m, s, 1, true, true, in);
	else if (m->moved && s->pairs)
		make(sums, m, s, 3, true, true, in);
	else if (m->moved)
		make(sums, m, s, 0, true, true, in);
	else if (mean && s->pairs == 2)
		make(sums, m, s, 2, false, true, in);
	else if (s->pairs == 2)
		make(sums, m, s, 2, false, false, in);
	else if (s->pairs == 1)
		make(sums, m, s, 1, false, true, in);
	else if (s->pairs)
		make(sums, m, s, 3, false, true, in);
	else
		make(sums, m, s, 0, false, true, in);
}

static PN_REAL make_row(PN_REAL *out, PN_REAL *mean, struct pn_advance *a,
			const PN_REAL *before, PN_REAL sum_before,
			const struct pn_emission_rows *of, struct pn_levels had,
			struct pn_levels in)
{
	size_t n = a->stride, s = a->slow, k, l;
	PN_REAL scale = 1 / sum_before, *mixed = rows_of(a) + 4 * n, sum;
	struct steps steps;
	struct made sums = {{{{0}}}, {{{0}}}};
	struct makes m = {.share = scale,
			  .stay = (1 - a->chance) * scale,
			  .levels = a->levels};

	m.old_first = before;
	m.old_later = before + s * n;
	if (s > 1) {
		mix(a, mixed, before, pn_levels_either(had, in), false);
		mix(a, mixed + 2 * n, before + 2 * n, pn_levels_either(had, in),
		    false);
		m.old_first = mixed;
		m.old_later = mixed + 2 * n;
	}
	m.first = out;
	m.later = out + s * n;
	for (k = 0; k < s; k++) {
		begin_steps(&steps, a, m.old_later, scale, had, in);
		if (a->wander_up) {
			for (l = in.from; l < in.to; l += PN_LANES)
				store(mixed + l,
				      m.share * load(m.old_first + l) +
					      m.stay * load(m.old_later + l));
			wander(mixed, a, in);
			m.moved = mixed;
		}
		m.of_first = k ? of->slow : of->first;
		m.of_later = k ? of->slow : of->later;
		make_of(&sums, &m, &steps, mean != NULL, in);
		m.first += n;
		m.later += n;
		m.old_first += n;
		m.old_later += n;
	}
	sum = sum_of(&sums.all);
	if (mean)
		*mean = sum_of(&sums.level) / sum;
	return sum;
}

/* Of one state. */
INLINE void look(struct pn_seen *out, PN_REAL *restrict shares,
		 PN_REAL *restrict begins, PN_REAL *restrict ahead_first,
		 const PN_REAL *ahead_later, const PN_REAL *row,
		 const PN_REAL *row_later, const PN_REAL *of_first,
		 const PN_REAL *of_later, const PN_REAL *levels, PN_REAL scale,
		 struct pn_levels in)
{
	struct sums all = {{{0}}}, first = {{{0}}}, level = {{{0}}};
	size_t at, k;

	for (at = in.from; at < in.to; at += PN_GRID_LANES) {
		for (k = 0; k < PARTS; k++) {
			size_t l = at + k * PN_LANES;
			lanes begin = load(ahead_first + l), a, b;
			lanes goes_on = load(ahead_later + l);

			a = load(row + l - in.from) * begin;
			b = a + load(row_later + l - in.from) * goes_on;
			first.parts[k] += a;
			all.parts[k] += b;
			level.parts[k] += b * load(levels + l);
			store(shares + l, b);
			store(begins + l, begin * load(of_first + l) * scale);
			store(ahead_first + l,
			      goes_on * load(of_later + l) * scale);
		}
	}
	out->all += sum_of(&all);
	out->first += sum_of(&first);
	out->level += sum_of(&level);
}

static void look_at(struct pn_seen *out, PN_REAL *shares, struct pn_advance *a,
		    const PN_REAL *row, PN_REAL *ahead, PN_REAL sum,
		    const struct pn_emission_rows *of, struct pn_levels in)
{
	size_t n = a->stride, s = a->slow, width = (size_t)(in.to - in.from);
	PN_REAL *begins = rows_of(a) + 4 * n, scale = 1 / sum;

	*out = (struct pn_seen){0};
	if (s > 1) {
		look(out, shares + n, begins + n, ahead + n, ahead + 3 * n,
		     row + width, row + 3 * width, of->slow, of->slow,
		     a->levels, scale, in);
		out->slow = out->all;
	}
	look(out, shares, begins, ahead, ahead + s * n, row, row + s * width,
	     of->first, of->later, a->levels, scale, in);
}

INLINE void join(PN_REAL *restrict later, const PN_REAL *restrict goes_on,
		 PN_REAL stay, const struct steps *steps, size_t pairs,
		 struct pn_levels to)
{
	const struct steps s = *steps;
	size_t l;

	for (l = to.from; l < to.to; l += PN_LANES)
		store(later + l,
		      stay * load(goes_on + l) + steps_to(&s, pairs, l));
}

/* No row has anything outside of its range. */
static void leave(PN_REAL *row, struct pn_levels had, struct pn_levels in)
{
	pn_levels_clear(row, had.from, had.to < in.from ? had.to : in.from);
	pn_levels_clear(row, had.from > in.to ? had.from : in.to, had.to);
}

static void go_back(PN_REAL *ahead, struct pn_advance *a, struct pn_levels in,
		    struct pn_levels to)
{
	size_t n = a->stride, s = a->slow, k;
	PN_REAL *begins = rows_of(a) + 4 * n, stay = 1 - a->chance;
	struct steps steps;

	if (a->wander_up)
		wander(ahead, a, pn_levels_either(in, to));
	for (k = 0; k < s; k++) {
		PN_REAL *first = ahead + k * n, *later = first + s * n;

		begin_steps(&steps, a, begins + k * n, 1, in, to);
		if (steps.pairs == 2)
			join(later, first, stay, &steps, 2, to);
		else if (steps.pairs == 1)
			join(later, first, stay, &steps, 1, to);
		else if (steps.pairs)
			join(later, first, stay, &steps, 3, to);
		else
			join(later, first, stay, &steps, 0, to);
		leave(first, in, to);
		leave(later, in, to);
	}
	if (s > 1) {
		mix(a, ahead, ahead, to, true);
		mix(a, ahead + 2 * n, ahead + 2 * n, to, true);
	}
}

#ifdef PN_HISTORY_WIDE
const struct pn_advance_calls pn_advance_wide = {make_row, look_at, go_back};
#else
const struct pn_advance_calls pn_advance_narrow = {make_row, look_at, go_back};
#endif
