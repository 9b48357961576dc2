/* Differences of profiles, made by merging. */
#include "analysis/merge/difference.h"

#include "analysis/merge/merge.h"

int pn_subtract(struct pn_profile *out, const struct pn_profile *profile,
		const struct pn_profile *base,
		const struct pn_subtract_options *options, struct pn_error *err)
{
	struct pn_merge_change change = {true, options->apart, NULL};
	struct pn_merge_change scale = {0};
	struct pn_merge *merge = pn_merge_new();
	double factors[PN_MAX_VALUE_TYPES];
	int code;

	if (options->normalize) {
		pn_merge_normalize(factors, profile, base);
		scale.factors = factors;
	}
	code = pn_merge_add(merge, profile, &scale, err);
	if (!code)
		code = pn_merge_add(merge, base, &change, err);
	pn_merge_end(out, merge);
	return code;
}

int pn_samples_unite(struct pn_profile *profile, struct pn_error *err)
{
	struct pn_merge *merge = pn_merge_new();
	int code = pn_merge_add(merge, profile, NULL, err);

	if (code) {
		pn_merge_free(merge);
		return code;
	}
	pn_profile_release(profile);
	pn_merge_end(profile, merge);
	return 0;
}

bool pn_samples_have_negative(const struct pn_profile *p)
{
	const union pn_value *value = p->values;
	size_t i, type;

	for (i = 0; i < p->sample_count; i++)
		for (type = 0; type < p->type_count; type++, value++)
			if (p->types[type].number == PN_NUMBER_INT
				    ? value->i < 0
				    : value->d < 0)
				return true;
	return false;
}

static bool is_zero(const union pn_value *values, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (values[i].i)
			return false;
	return true;
}

bool pn_difference_is_none(const struct pn_profile *p)
{
	const struct pn_graph *g = &p->graph;

	return !p->sample_count &&
	       is_zero(g->self, g->node_count * p->type_count) &&
	       is_zero(g->total, g->node_count * p->type_count);
}
