/*
 * The figures that stand for a whole profile: what an index line carries so
 * that histories never open a body.
 */
#ifndef PN_GRAPH_TOTALS_H
#define PN_GRAPH_TOTALS_H

#include "model/profile.h"

/*
 * The profile's own metrics where it has some; else one metric a value type,
 * n = 1, the sum over all samples (or the self costs of a call graph). Of
 * several runs: n values, where it is known which run costs are of, else their
 * mean.
 * Columns that are positions and not costs (Perun's independent variables:
 * order, address, timestamp, ...) give none. The default value type is first:
 * where one figure has to stand for the profile, it is that. Repeated
 * measurements of Perun's time collector, or of any with an `order` and a
 * `subtype` each, give one metric a subtype with the single values. Strings are
 * ids of `p`. The caller frees with pn_totals_free.
 */
struct pn_metric *pn_totals_of(size_t *count, const struct pn_profile *p);
void pn_totals_free(struct pn_metric *list, size_t count);
/* Whether a value type is a cost and no such position. */
bool pn_totals_is_cost(const struct pn_profile *p, size_t type);

/* Rough type: header.kind, else by the unit of the default value type or
 * first metric: "time", "memory" or "mixed". Borrowed. */
const char *pn_totals_kind(const struct pn_profile *p);

#endif
