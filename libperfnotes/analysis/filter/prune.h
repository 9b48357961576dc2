/*
 * Cutting stacks below a frame by its simplified name: no leading '.', and
 * nothing from the first '(' on that is not "(anonymous namespace)" or
 * "operator()" (github.com/google/pprof, profile/prune.go).
 */
#ifndef PN_FILTER_PRUNE_H
#define PN_FILTER_PRUNE_H

#include "base/buf.h"
#include "model/profile.h"

struct pn_regex;

void pn_prune_simplify(struct pn_buf *out, const char *name, size_t len);

/* Cut below the match nearest to the leaf, which stays. Whether any function
 * matched. */
bool pn_prune_from(struct pn_profile *profile, const struct pn_regex *regex);

/* Cut at the first match from the root that follows a frame without, with it;
 * `keep` (may be NULL) takes matches back. */
void pn_prune(struct pn_profile *profile, const struct pn_regex *drop,
	      const struct pn_regex *keep);

#endif
