/* What the parts of a pivot's making share. */
#ifndef PN_RESOURCES_PIVOT_STATE_H
#define PN_RESOURCES_PIVOT_STATE_H

#include "analysis/resources/pivot.h"

/* The profile's curves of the first one's unit; where points of that say what
 * they are made of, a column for each function instead, `most` of them. */
void pn_pivot_of_curves(struct pn_pivot *out, const struct pn_profile *profile,
			int64_t most);
/* Add the rows up; what is not there is 0. */
void pn_pivot_accumulate(struct pn_pivot *pivot);

#endif
