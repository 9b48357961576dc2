/*
 * Curves: how much of something there was along a run, as massif and heaptrack
 * draw them. A point may say what it is made of: stacks with their parts.
 *
 * Points stand curve by curve, parts point by point, each behind the others.
 * Curves are of one run: a merge of several profiles that have any has none.
 */
#ifndef PN_TIMELINE_CURVES_H
#define PN_TIMELINE_CURVES_H

#include "model/profile.h"

/* A curve behind the others, without points; all are strings. `along` is the
 * unit of positions: "ms", "bytes" (allocated so far), "snapshot". */
void pn_curves_add(struct pn_profile *p, uint32_t name, uint32_t unit,
		   uint32_t along);
/* A point of the last curve; a part of the last point. */
void pn_curves_add_point(struct pn_profile *p, double position, double value);
void pn_curves_add_part(struct pn_profile *p, uint32_t stack, double value);

/* Parts of stacks that `stays` is not 0 for; NULL: none. */
void pn_curves_keep_parts(struct pn_profile *p, const unsigned char *stays);
/* No curves any more. */
void pn_curves_clear(struct pn_profile *p);
/* PN_EINVAL as pn_profile_check says it. */
int pn_curves_check(const struct pn_profile *p, struct pn_error *err);

#endif
