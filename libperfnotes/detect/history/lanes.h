/*
 * Some levels of a row at a time: four, or eight where the processor has such
 * vectors (PN_HISTORY_WIDE). Rows are filled up to whole PN_GRID_LANES with
 * levels on which nothing ever is, and are computed in an order that does not
 * depend on compiler or processor. Inside of detect/history/ only. Pure.
 */
#ifndef PN_HISTORY_LANES_H
#define PN_HISTORY_LANES_H

#include "detect/history/grid.h"

#include <string.h>

#ifdef PN_HISTORY_WIDE
#define PN_LANES 8
#else
#define PN_LANES 4
#endif
#define PN_LANES_PARTS (PN_GRID_LANES / PN_LANES) /* of eight numbers */
#define PN_LANES_TYPE(lanes)                                                   \
	PN_REAL __attribute__((vector_size((lanes) * sizeof(PN_REAL))))
#define PN_LANES_OF PN_LANES_TYPE(PN_LANES)
#define PN_LANES_HALF PN_LANES_TYPE(4)
#define PN_INLINE __attribute__((always_inline))

static inline PN_INLINE PN_LANES_OF pn_lanes_load(const PN_REAL *from)
{
	PN_LANES_OF out;

	memcpy(&out, from, sizeof(out));
	return out;
}

static inline PN_INLINE void pn_lanes_store(PN_REAL *to, PN_LANES_OF value)
{
	memcpy(to, &value, sizeof(value));
}

/* The same number in all. */
static inline PN_INLINE PN_LANES_OF pn_lanes_all(PN_REAL value)
{
	return value - (PN_LANES_OF){0};
}

/* Of two vectors of four: clang has a word for it, gcc since version 12. */
#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define PN_LANES_FOUR __builtin_shufflevector
#endif
#endif
#if !defined PN_LANES_FOUR && !defined PN_HISTORY_WIDE
#define PN_LANES_FOUR pn_lanes_four
static inline PN_INLINE PN_LANES_OF pn_lanes_four(PN_LANES_OF a, PN_LANES_OF b,
						  int i, int j, int k, int l)
{
	const int from[] = {i, j, k, l};
	PN_LANES_OF out = {0};
	int n;

	for (n = 0; n < 4; n++)
		out[n] = from[n] < 4 ? a[from[n]] : b[from[n] - 4];
	return out;
}
#endif

/* Eight numbers of a row, or sums of every eighth one. */
struct pn_lanes_eight {
	PN_LANES_OF parts[PN_LANES_PARTS];
};

static inline PN_INLINE PN_REAL pn_lanes_sum(const struct pn_lanes_eight *x)
{
#ifdef PN_HISTORY_WIDE
	PN_LANES_OF all = x->parts[0];
	PN_LANES_HALF v = PN_LANES_FOUR(all, all, 0, 1, 2, 3) +
			  PN_LANES_FOUR(all, all, 4, 5, 6, 7);
#else
	PN_LANES_HALF v = x->parts[0] + x->parts[1];
#endif

	v += PN_LANES_FOUR(v, v, 2, 3, 2, 3);
	return v[0] + v[1];
}

/* Running sums of eight, in the order of Sklansky, IRE Trans. EC-9 (1960): none
 * is less than the one before, as rounded as they are. What all of them get
 * first is `before`, which becomes what the last one has, in all lanes. */
static inline PN_INLINE void pn_lanes_run_sums(PN_REAL *sums,
					       const struct pn_lanes_eight *x,
					       PN_LANES_OF *before)
{
	const PN_LANES_OF none = {0};
#ifdef PN_HISTORY_WIDE
	PN_LANES_OF y = x->parts[0];

	y += __builtin_shufflevector(none, y, 0, 8, 0, 10, 0, 12, 0, 14);
	y += __builtin_shufflevector(none, y, 0, 0, 9, 9, 0, 0, 13, 13);
	y += __builtin_shufflevector(none, y, 0, 0, 0, 0, 11, 11, 11, 11);
	y += *before;
	pn_lanes_store(sums, y);
	*before = __builtin_shufflevector(y, y, 7, 7, 7, 7, 7, 7, 7, 7);
#else
	PN_LANES_OF y = x->parts[0], z = x->parts[1];

	y += PN_LANES_FOUR(none, y, 0, 4, 0, 6);
	z += PN_LANES_FOUR(none, z, 0, 4, 0, 6);
	y += PN_LANES_FOUR(none, y, 0, 1, 5, 5);
	z += PN_LANES_FOUR(none, z, 0, 1, 5, 5);
	z += PN_LANES_FOUR(y, y, 3, 3, 3, 3);
	pn_lanes_store(sums, y + *before);
	z += *before;
	pn_lanes_store(sums + 4, z);
	*before = PN_LANES_FOUR(z, z, 3, 3, 3, 3);
#endif
}

#endif
