/*
 * The options that take frames and samples out of a profile: what show, diff,
 * export and merge have in common.
 */
#ifndef CMD_FILTER_OPTS_H
#define CMD_FILTER_OPTS_H

#include "analysis/filter/filter.h"
#include "opts.h"

/* Rows for a command's own table, of a struct pn_filter. */
extern const struct pn_opt filter_opts[];

/* Says which filters matched nothing; see pn_filter_apply. */
void filters_warn(unsigned int unmatched);

/* What export and merge do to a profile before they write it: the filters,
 * with a warning for each that matched nothing, and comments. */
int filter_profile(struct pn_profile *profile, const struct pn_filter *filter,
		   const struct pn_opt_list *comments, struct pn_error *err);

#endif
