/* One profile without another, and samples of which some are negative. Pure. */
#ifndef PN_MERGE_DIFFERENCE_H
#define PN_MERGE_DIFFERENCE_H

#include "model/profile.h"

#include <stdbool.h>

struct pn_subtract_options {
	bool apart;	/* samples of the base stay, labelled pprof::base */
	bool normalize; /* scale the profile to the sum of the base first */
};

/* `profile` without `base`. To be released in any case; see
 * pn_merge_add for what can fail. */
int pn_subtract(struct pn_profile *out, const struct pn_profile *profile,
		const struct pn_profile *base,
		const struct pn_subtract_options *options,
		struct pn_error *err);

/* Equal samples become one, in place, whatever run they are of; on failure
 * nothing is changed. */
int pn_samples_unite(struct pn_profile *profile, struct pn_error *err);
bool pn_samples_have_negative(const struct pn_profile *profile);
/* Whether a difference is none: no sample, and a call graph of zeros. */
bool pn_difference_is_none(const struct pn_profile *profile);

#endif
