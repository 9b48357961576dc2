/* Filters, then merging of the one profile that is left, which compacts it. */
#include "analysis/merge/filtered.h"

#include "analysis/merge/merge.h"

static int compact(struct pn_profile *profile, struct pn_error *err)
{
	struct pn_merge *merge = pn_merge_new();
	struct pn_profile rest;
	int code = pn_merge_add(merge, profile, NULL, err);

	if (code) {
		pn_merge_free(merge);
		return code;
	}
	pn_merge_end(&rest, merge);
	pn_profile_release(profile);
	*profile = rest;
	return 0;
}

int pn_filtered(struct pn_profile *profile, const struct pn_filter *filter,
		unsigned int *unmatched, struct pn_error *err)
{
	unsigned int tags = 0;
	bool had_samples = profile->sample_count > 0;
	int code;

	*unmatched = 0;
	if (pn_filter_is_empty(filter))
		return 0;
	code = pn_filter_add_tags(profile, filter, "minimum", &tags, err);
	if (!code)
		code = pn_filter_apply(profile, filter, unmatched, err);
	if (code)
		return code;
	*unmatched |= tags;
	/* what samples do not say any more the graph must not say for them */
	if (had_samples && !profile->sample_count)
		profile->graph.node_count = profile->graph.edge_count =
			profile->graph.cost_count = 0;
	return compact(profile, err);
}
