/* Names as people read them, and no frames that nobody wants to see. */
#include "analysis/filter/clean.h"

#include "analysis/filter/filter.h"

int pn_clean(struct pn_profile *profile, const struct pn_clean *how,
	     struct pn_error *err)
{
	pn_symbols_demangle(profile, how->demangle);
	if (how->join_clones)
		pn_symbols_join_clones(profile);
	return how->all_frames ? 0 : pn_filter_drop_frames(profile, err);
}
