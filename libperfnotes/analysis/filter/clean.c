/* Names as people read them, and no frames that nobody wants to see. */
#include "analysis/filter/clean.h"

#include "analysis/filter/filter.h"

#include <string.h>

int pn_clean(struct pn_profile *profile, const struct pn_clean *how,
	     struct pn_error *err)
{
	size_t i;

	pn_symbols_demangle(profile, how->demangle);
	if (how->join_clones)
		pn_symbols_join_clones(profile);
	for (i = 0; i < how->comments.count; i++)
		pn_profile_add_comment(profile, how->comments.values[i],
				       strlen(how->comments.values[i]));
	return how->all_frames ? 0 : pn_filter_drop_frames(profile, err);
}
