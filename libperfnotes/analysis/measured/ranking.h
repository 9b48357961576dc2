/* How measured commands compare: ratios of their median wall times. Pure. */
#ifndef PN_MEASURED_RANKING_H
#define PN_MEASURED_RANKING_H

#include "analysis/measured/measured.h"
#include "analysis/measured/ratio.h"

struct pn_rank {
	const struct pn_measured *measured;
	struct pn_summary wall;
	struct pn_ratio ratio; /* to the first */
};

/*
 * Those that have a wall time. What the others compare to comes first: with
 * `reference` the first of all, else the fastest. The others follow by time,
 * or with `in_order` as they were given. The caller frees; never NULL.
 */
struct pn_rank *pn_ranking_of(size_t *count, const struct pn_measured *measured,
			      size_t n, bool reference, bool in_order);

#endif
