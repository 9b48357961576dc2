/* Which functions had another name in the profile of the commit before. */
#ifndef PN_FUNCTIONS_RENAMED_H
#define PN_FUNCTIONS_RENAMED_H

#include "jobs/functions/costs.h"

struct pn_function_side {
	const struct pn_oid *commit;
	const struct pn_series_records *records;
};

/* Compare both profiles as a diff does, the older one is 0, and tell the
 * history. Profiles that cannot be read or compared have nothing renamed. */
void pn_functions_find_renamed(struct pn_function_history *history,
			       const struct pn_function_costs *costs,
			       const struct pn_function_side sides[2]);

#endif
