/* Differences of profiles, made by merging. */
#include "analysis/merge/difference.h"

#include "analysis/merge/merge.h"
#include "model/graph/sums.h"

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
	while (b) {
		uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static bool has_roles(const struct pn_profile *p)
{
	size_t i;

	for (i = 0; i < p->type_count; i++)
		if (p->types[i].role != PN_ROLE_SUM)
			return true;
	return false;
}

/* A profile whose runs are pooled, so that peaks and levels are those of one
 * run, and that has each sample once where it is scaled: each is rounded then.
 * In `room` where it may not be so already. To be released in any case. */
static const struct pn_profile *settle(struct pn_profile *room,
				       const struct pn_profile *p, bool scaled,
				       struct pn_error *err)
{
	struct pn_merge_change change = {.pool = true};

	pn_profile_init(room);
	if (!(scaled && p->sample_count) &&
	    (pn_profile_runs(p) == 1 || !has_roles(p)))
		return p;
	return pn_merge_one(room, p, &change, err) ? NULL : room;
}

/* Factors, those there are included, that bring the values to `runs`. */
static void scale_to(struct pn_merge_change *change, double *factors,
		     const struct pn_profile *p, uint32_t runs)
{
	size_t i;

	for (i = 0; i < p->type_count; i++) {
		factors[i] = change->factors ? factors[i] : 1;
		factors[i] *= p->types[i].role == PN_ROLE_SUM
				      ? (double)runs / pn_profile_runs(p)
				      : runs;
	}
	change->factors = factors;
	change->runs = runs;
}

/*
 * Both sides as of as many runs, so that what one run cost is subtracted from
 * what one run cost. Whole numbers stay whole: nothing is divided, but where
 * the common multiple would be too large a number of runs.
 */
static void bring_to_common_runs(struct pn_merge_change *of_profile,
				 double *factors,
				 struct pn_merge_change *of_base,
				 double *base_factors,
				 const struct pn_profile *profile,
				 const struct pn_profile *base)
{
	uint32_t a = pn_profile_runs(profile), b = pn_profile_runs(base);
	uint64_t runs = (uint64_t)a / common_divisor(a, b) * b;
	size_t i;

	if (a == b && (a == 1 || !has_roles(profile)))
		return;
	if (runs > PN_MAX_RUNS)
		runs = a;
	if (of_profile->factors)
		/* they are of what the base is without a factor */
		for (i = 0; i < profile->type_count; i++)
			factors[i] *= (double)a / b;
	scale_to(of_profile, factors, profile, (uint32_t)runs);
	scale_to(of_base, base_factors, base, (uint32_t)runs);
}

static int subtract(struct pn_profile *out, const struct pn_profile *profile,
		    const struct pn_profile *base,
		    const struct pn_subtract_options *options,
		    struct pn_error *err)
{
	struct pn_merge_change of_base = {.negate = true,
					  .base = options->apart,
					  .same_runs = true,
					  .pool = true};
	struct pn_merge_change of_profile = {.pool = true};
	struct pn_merge *merge = pn_merge_new();
	double factors[PN_MAX_VALUE_TYPES], base_factors[PN_MAX_VALUE_TYPES];
	struct pn_profile rooms[2];
	size_t i;
	int code;

	profile = settle(&rooms[0], profile, options->normalize, err);
	base = settle(&rooms[1], base, false, err);
	if (!profile || !base) {
		pn_merge_end(out, merge);
		pn_profile_release(&rooms[0]);
		pn_profile_release(&rooms[1]);
		return PN_ELIMIT;
	}
	if (options->normalize) {
		pn_merge_normalize(factors, profile, base);
		of_profile.factors = factors;
		of_profile.next = base;
	}
	bring_to_common_runs(&of_profile, factors, &of_base, base_factors,
			     profile, base);
	code = pn_merge_add(merge, profile, &of_profile, err);
	if (!code)
		code = pn_merge_add(merge, base, &of_base, err);
	pn_merge_end(out, merge);
	/* all are of as many runs now */
	for (i = 0; i < out->type_count; i++)
		out->types[i].role = PN_ROLE_SUM;
	pn_profile_release(&rooms[0]);
	pn_profile_release(&rooms[1]);
	return code;
}

int pn_subtract(struct pn_profile *out, const struct pn_profile *profile,
		const struct pn_profile *base,
		const struct pn_subtract_options *options, struct pn_error *err)
{
	int code = subtract(out, profile, base, options, err);

	/* where the base stays apart, nobody adds both up */
	return code || options->apart ? code : pn_sums_check(out, err);
}

int pn_samples_unite(struct pn_profile *profile, struct pn_error *err)
{
	struct pn_merge_change change = {.pool = true};

	return pn_merge_alone(profile, &change, err);
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
