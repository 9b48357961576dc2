/* What is said of filters, and what export and merge do with them. */
#ifndef CMD_FILTER_OPTS_H
#define CMD_FILTER_OPTS_H

#include "analysis/filter/options.h"

/* Says which filters matched nothing; see pn_filter_apply. */
void filters_warn(unsigned int unmatched);

/* What export and merge do to a profile before they write it: the filters,
 * with a warning for each that matched nothing, and comments. */
int filter_profile(struct pn_profile *profile, const struct pn_filter *filter,
		   const struct pn_opt_list *comments, struct pn_error *err);

#endif
