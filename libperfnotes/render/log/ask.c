/* The options of a history. */
#define PN_OPTION_STRUCT struct pn_log_ask
#include "render/log/ask.h"

#include "base/opts/table.h"

#include <stddef.h>

const struct pn_opt pn_log_opts[] = {
	{PN_OPTION_INT(count), 'n', "max-count", "<number>",
	 "at most so many commits"},
	{PN_OPTION_FLAG(oneline), 0, "oneline", NULL,
	 "a line for each commit and one for each of its series"},
	{PN_OPTION_FLAG(graph), 0, "graph", NULL,
	 "draw the graph of the history beside it, as git log does"},
	{PN_OPTION_FLAG(chart), 0, "chart", NULL,
	 "the course of each series as a chart, no commits"},
	{PN_OPTION_FLAG(verbose), 'v', "verbose", NULL, "all metrics"},
	{PN_OPTION_TEXT(function), 0, "function", "<regex>",
	 "what functions cost whose name matches, and when that changed"},
	{PN_OPTION_FLAG(by_total), 0, "cum", NULL,
	 "--function: by what they cost with what they call"},
	{PN_OPTION_FLAG(changes), 0, "changes", NULL,
	 "mark where the history of HEAD jumps or drifts; with --function "
	 "only such commits"},
	{PN_OPTION_FLAG(measured), 0, "measured", NULL,
	 "only commits that have profiles"},
	{0},
};

int pn_log_ask_check(const struct pn_log_ask *ask, bool json,
		     struct pn_error *err)
{
	const char *other = json	    ? "--json"
			    : ask->chart    ? "--chart"
			    : ask->function ? "--function"
			    : ask->measured ? "--measured"
					    : NULL;

	if (!ask->graph || !other)
		return 0;
	return pn_error_set(err, PN_EINVAL,
			    "--graph draws each commit: it takes no %s", other);
}
