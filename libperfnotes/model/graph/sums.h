/* Whether costs can be added up: integers have 63 bits, and a sum that wraps
 * is a wrong figure. */
#ifndef PN_GRAPH_SUMS_H
#define PN_GRAPH_SUMS_H

#include "model/profile.h"

/* The sums of the magnitudes of what is not below 0, and of what is, in a
 * column of integers, over all samples or else the own costs of a call graph;
 * UINT64_MAX for what is more. 0 of doubles and of what is no cost. */
void pn_sums_of(uint64_t sums[2], const struct pn_profile *p, size_t type);
/* Both together: at most INT64_MAX; UINT64_MAX stands for more. */
uint64_t pn_sums_magnitude(const struct pn_profile *p, size_t type);
/* PN_ERANGE names the first column whose magnitudes are more. */
int pn_sums_check(const struct pn_profile *p, struct pn_error *err);

#endif
