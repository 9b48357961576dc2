/* From options to a request. */
#define PN_OPTION_STRUCT struct pn_blame_ask
#include "jobs/functions/blame_ask.h"

#include "base/opts/table.h"

#define COMMITS 1000 /* that are looked at: half a second */
#define MIN_SHARE 0.01

const struct pn_opt pn_blame_opts[] = {
	{PN_OPTION_TEXT(range), 0, "range", "<range>",
	 "look at these commits, not at the last 1000 of HEAD"},
	{PN_OPTION_INT(count), 'n', "max-count", "<number>",
	 "at most so many commits"},
	{PN_OPTION_DOUBLE(min_share), 0, "min-share", "<share>",
	 "functions with this share of a series (0.01)"},
	{PN_OPTION_DOUBLE(min_effect), 0, "min-effect", "<share>",
	 "pass over changes that are smaller"},
	{PN_OPTION_FLAG(by_total), 0, "cum", NULL,
	 "by what functions cost with what they call"},
	{PN_OPTION_FLAG(all), 0, "all", NULL, "all functions that fit, not 20"},
	{0},
};

void pn_blame_ask_init(struct pn_blame_ask *out)
{
	*out = (struct pn_blame_ask){.count = -1, .min_share = -1};
}

int pn_blame_ask_read(struct pn_functions_request *out,
		      const struct pn_blame_ask *ask, struct pn_error *err)
{
	if (ask->min_share > 1 || !(ask->min_effect >= 0))
		return pn_error_set(err, PN_EINVAL, "a share is from 0 to 1");
	*out = (struct pn_functions_request){
		.args = (char *const *)&ask->range,
		.arg_count = ask->range != NULL,
		.max_commits =
			ask->count < 0 && !ask->range ? COMMITS : ask->count};
	/* of functions that are asked for by name all are shown */
	out->rule = (struct pn_function_rule){
		.by_total = ask->by_total,
		.min_share = ask->min_share >= 0 ? ask->min_share
			     : ask->pattern	 ? 0
						 : MIN_SHARE,
		.newest = !ask->pattern,
		.most = ask->all ? 0 : PN_BLAME_MOST};
	return 0;
}
