/* Filters, then merging of the one profile that is left, which compacts it. */
#include "analysis/merge/filtered.h"

#include "analysis/merge/merge.h"

int pn_filtered(struct pn_profile *profile, const struct pn_filter *filter,
		unsigned int *unmatched, struct pn_error *err)
{
	unsigned int tags = 0;
	int code;

	*unmatched = 0;
	if (pn_filter_is_empty(filter))
		return 0;
	code = pn_filter_take_graph(profile, filter, err);
	if (!code)
		code = pn_filter_add_tags(profile, filter, "minimum", &tags,
					  err);
	if (!code)
		code = pn_filter_apply(profile, filter, unmatched, err);
	if (code)
		return code;
	*unmatched |= tags;
	return pn_merge_alone(profile, NULL, err);
}
