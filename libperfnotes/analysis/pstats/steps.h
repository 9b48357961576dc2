/* The steps to a report of pstats. Internal to it. */
#ifndef PN_PSTATS_STEPS_H
#define PN_PSTATS_STEPS_H

#include "analysis/pstats/report.h"
#include "model/graph/calltable.h"

/* Fill in the functions with their calls, and the sums. */
void pn_pstats_functions(struct pn_pstats *out, const struct pn_profile *p,
			 const struct pn_calltable *table, bool strip_dirs);

/* As Python compares tuples of file, line and name. */
int pn_pstats_compare(const struct pn_pstats_function *a,
		      const struct pn_pstats_function *b);

/* Order `shown`, and say how. */
int pn_pstats_sort(struct pn_pstats *stats,
		   const struct pn_pstats_options *options,
		   struct pn_error *err);

/* Leave of `shown` what the restrictions do, and say so. */
void pn_pstats_restrict(struct pn_pstats *stats,
			const struct pn_pstats_list *restrict_to);

#endif
