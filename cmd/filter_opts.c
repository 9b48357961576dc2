/* What is said of filters. */
#include "filter_opts.h"

#include "analysis/merge/filtered.h"
#include "command.h"

#include <string.h>

void filters_warn(unsigned int unmatched)
{
	int kind;

	for (kind = 0; kind < PN_FILTER_KINDS; kind++)
		if (unmatched & 1u << kind)
			warn("%s matched no samples",
			     pn_filter_name((enum pn_filter_kind)kind));
}

int filter_profile(struct pn_profile *profile, const struct pn_filter *filter,
		   const struct pn_opt_list *comments, struct pn_error *err)
{
	unsigned int unmatched;
	size_t i;
	int code = pn_filtered(profile, filter, &unmatched, err);

	if (code)
		return code;
	filters_warn(unmatched);
	for (i = 0; i < comments->count; i++)
		pn_profile_add_comment(profile, comments->values[i],
				       strlen(comments->values[i]));
	return 0;
}
