/* The options of views of resources. */
#define PN_OPTION_STRUCT struct pn_resources_request
#include "analysis/resources/request.h"

#include "base/opts/table.h"

#include <math.h>
#include <string.h>

static const char *const aggregates[] = {
	[PN_AGGREGATE_SUM] = "sum",	  [PN_AGGREGATE_MEAN] = "mean",
	[PN_AGGREGATE_COUNT] = "count",	  [PN_AGGREGATE_NUNIQUE] = "nunique",
	[PN_AGGREGATE_MEDIAN] = "median", [PN_AGGREGATE_MIN] = "min",
	[PN_AGGREGATE_MAX] = "max",	  NULL};

static const char *const modes[] = {
	[PN_ALLOCLIST_TOP] = "top",   [PN_ALLOCLIST_MOST] = "most",
	[PN_ALLOCLIST_SUM] = "sum",   [PN_ALLOCLIST_ALL] = "all",
	[PN_ALLOCLIST_FUNC] = "func", NULL};

const struct pn_opt pn_resources_opts[] = {
	{PN_OPTION_TEXT(of), 0, "of", "<key>",
	 "what views of resources show (amount)"},
	{PN_OPTION_TEXT(per), 0, "per", "<key>",
	 "... and along what (snapshot; scatter: structure-unit-size)"},
	{PN_OPTION_TEXT(per), 0, "through", "<key>",
	 "the same, as Perun's flow calls it"},
	{PN_OPTION_TEXT(by), 0, "by", "<key>",
	 "bars and flow: apart by the values of this key"},
	{PN_OPTION_TEXT(aggregate_name), 0, "aggregate", "<how>",
	 "what bars and flow make of many values: {names}",
	 .names = pn_aggregate_names},
	{PN_OPTION_FLAG(stacked), 0, "stacked", NULL,
	 "flow: one upon the other"},
	{PN_OPTION_FLAG(grouped), 0, "grouped", NULL,
	 "bars: side by side, not one upon the other"},
	{PN_OPTION_FLAG(accumulate), 0, "accumulate", NULL,
	 "flow: add up sums and counts along it: the default"},
	{PN_OPTION_LIST(headers), 0, "headers", "<key>",
	 "columns of the table (repeatable; all)"},
	{PN_OPTION_LIST(filters), 0, "filter-by", "<key>=<value>",
	 "only resources with it (repeatable)"},
	{PN_OPTION_FLAG(models), 0, "models", NULL,
	 "the table of models, not of resources"},
	{PN_OPTION_TEXT(mode_name), 0, "mode", "<mode>",
	 "what alloclist lists: {names}", .names = pn_alloclist_names},
	{PN_OPTION_DOUBLE(from_time), 0, "from-time", "<s>",
	 "alloclist: nothing before"},
	{PN_OPTION_DOUBLE(to_time), 0, "to-time", "<s>",
	 "alloclist: nothing behind"},
	{PN_OPTION_FLAG(everywhere), 0, "all-occurrences", NULL,
	 "alloclist: --function may stand anywhere on the stack"},
	{0},
};

static void names(struct pn_buf *out, const char *const *of,
		  const char *between)
{
	size_t i;

	for (i = 0; of[i]; i++)
		pn_buf_printf(out, "%s%s", i ? between : "", of[i]);
}

void pn_aggregate_names(struct pn_buf *out, const char *between)
{
	names(out, aggregates, between);
}

void pn_alloclist_names(struct pn_buf *out, const char *between)
{
	names(out, modes, between);
}

const char *pn_aggregate_name(enum pn_aggregate aggregate)
{
	return aggregates[aggregate];
}

void pn_resources_request_init(struct pn_resources_request *out)
{
	memset(out, 0, sizeof(*out));
	out->accumulate = true;
	out->from_time = -HUGE_VAL;
	out->to_time = HUGE_VAL;
}

/* The index of a name among `of`; -1: `what` is none of them. */
static int find(const char *const *of, const char *name, const char *what,
		struct pn_error *err)
{
	struct pn_buf all = {0};
	int i;

	for (i = 0; of[i]; i++)
		if (!strcmp(of[i], name))
			return i;
	names(&all, of, ", ");
	pn_error_set(err, PN_EINVAL, "no %s '%s': there are %s", what, name,
		     pn_buf_text(&all));
	pn_buf_release(&all);
	return -1;
}

int pn_resources_request_check(struct pn_resources_request *r,
			       struct pn_error *err)
{
	size_t i;
	int at;

	if (r->aggregate_name) {
		at = find(aggregates, r->aggregate_name, "aggregate", err);
		if (at < 0)
			return PN_EINVAL;
		r->aggregate = (enum pn_aggregate)at;
	}
	if (r->mode_name) {
		at = find(modes, r->mode_name, "mode", err);
		if (at < 0)
			return PN_EINVAL;
		r->mode = (enum pn_alloclist)at;
	}
	for (i = 0; i < r->filters.count; i++)
		if (!strchr(r->filters.values[i], '='))
			return pn_error_set(err, PN_EINVAL,
					    "--filter-by needs <key>=<value>, "
					    "have '%s'",
					    r->filters.values[i]);
	return 0;
}
