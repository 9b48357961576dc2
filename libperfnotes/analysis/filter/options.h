/* The options that take frames and samples out of a profile: what show, diff,
 * export and merge have in common. */
#ifndef PN_FILTER_OPTIONS_H
#define PN_FILTER_OPTIONS_H

#include "analysis/filter/filter.h"
#include "base/opts/opts.h"

/* Rows for a command's own table, of a struct pn_filter. */
extern const struct pn_opt pn_filter_opts[];

#endif
