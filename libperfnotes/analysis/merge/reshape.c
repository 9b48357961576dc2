/* What pprof's options make of a profile. */
#define PN_OPTION_STRUCT struct pn_reshape
#include "analysis/merge/reshape.h"

#include "analysis/merge/merge.h"
#include "analysis/weight.h"
#include "base/opts/table.h"

const struct pn_opt pn_reshape_opts[] = {
	{PN_OPTION_TEXT(sample_index), 0, "sample-index", "<type>",
	 "the value that is meant, by name or number"},
	{PN_OPTION_DOUBLE(divide_by), 0, "divide-by", "<n>",
	 "divide all values by n"},
	{PN_OPTION_TEXT(granularity_name), 0, "granularity", "<what>",
	 "what counts as one", .names = pn_granularity_names},
	{PN_OPTION_FLAG(noinlines), 0, "noinlines", NULL,
	 "give inlined calls to their caller"},
	{0},
};

int pn_reshape_check(struct pn_reshape *ask, struct pn_error *err)
{
	if (!(ask->divide_by > 0))
		return pn_error_set(err, PN_EINVAL,
				    "--divide-by needs a number above 0");
	return ask->granularity_name
		       ? pn_granularity_find(&ask->granularity,
					     ask->granularity_name, err)
		       : 0;
}

bool pn_bases_any(const struct pn_bases *bases)
{
	return bases->base.count || bases->diff_base.count;
}

int pn_bases_check(const struct pn_bases *ask, struct pn_error *err)
{
	if (ask->base.count && ask->diff_base.count)
		return pn_error_set(
			err, PN_EINVAL,
			"--base and --diff-base exclude each other");
	if (ask->normalize && !ask->base.count && !ask->diff_base.count)
		return pn_error_set(err, PN_EINVAL,
				    "--normalize needs --base or --diff-base");
	return 0;
}

static int choose_type(struct pn_profile *p, const char *name,
		       struct pn_error *err)
{
	struct pn_weight weight;
	int code = pn_weight_choose(&weight, p, name, false, err);

	if (!code)
		p->default_type = p->types[weight.column].type;
	return code;
}

/* The outermost line of each location: it is the last one. */
static void drop_inlined(struct pn_profile *p)
{
	size_t i;

	for (i = 0; i < p->location_count; i++) {
		struct pn_location *l = &p->locations[i];

		if (l->line_count < 2)
			continue;
		l->line_first += l->line_count - 1;
		l->line_count = 1;
	}
}

static void coarsen(struct pn_profile *p, enum pn_granularity by)
{
	bool lines = by == PN_BY_LINES;
	size_t i;

	for (i = 0; i < p->location_count; i++)
		p->locations[i].address = 0;
	for (i = 0; i < p->line_count && !lines; i++)
		p->lines[i].line = p->lines[i].column = 0;
	for (i = 0; i < p->line_count; i++)
		p->lines[i].column = 0;
	for (i = 0; i < p->function_count; i++) {
		struct pn_function *f = &p->functions[i];

		if (!lines)
			f->start_line = 0;
		if (by == PN_BY_FUNCTIONS)
			f->file = 0;
		if (by == PN_BY_FILES)
			f->name = f->system_name = 0;
	}
}

int pn_reshape(struct pn_profile *p, const struct pn_reshape *ask,
	       struct pn_error *err)
{
	struct pn_merge_change change = {.factors = NULL};
	double factors[PN_MAX_VALUE_TYPES];
	bool coarser =
		ask->granularity_name && ask->granularity != PN_BY_ADDRESSES;
	size_t i;
	int code = 0;

	if (ask->sample_index)
		code = choose_type(p, ask->sample_index, err);
	if (!code && coarser && !p->sample_count && p->graph.node_count)
		code = pn_error_set(err, PN_EINVAL,
				    "a call graph keeps its functions: "
				    "--granularity is of stacks");
	if (code)
		return code;
	if (ask->noinlines)
		drop_inlined(p);
	if (coarser)
		coarsen(p, ask->granularity);
	for (i = 0; i < p->type_count; i++)
		factors[i] = 1 / ask->divide_by;
	if (ask->divide_by != 1)
		change.factors = factors;
	if (ask->noinlines || coarser || change.factors)
		code = pn_merge_alone(p, NULL, err);
	/* then, as each sample is rounded */
	if (!code && change.factors)
		code = pn_merge_alone(p, &change, err);
	return code;
}
