/* How large the step is that was found. Pure. */
#ifndef PN_BISECT_EFFECT_H
#define PN_BISECT_EFFECT_H

#include "detect/bisect/bisect.h"

/* NaN: not known. */
struct pn_bisect_effect {
	double before, after; /* medians */
	size_t n, m;	      /* runs before and behind it */
	double ratio;	      /* after to before */
	double low, high;     /* where it is in 95 of 100 cases */
	double noise;	      /* of a run, relative */
};

/* Of a line whose step was found: of all runs of the part that is looked at.
 */
void pn_bisect_effect_of(struct pn_bisect_effect *out,
			 const struct pn_bisect *look,
			 const struct pn_bisect_commit *commits);

#endif
