/* The options of a filter. */
#define PN_OPTION_STRUCT struct pn_filter
#include "analysis/filter/options.h"

#include "base/opts/table.h"

const struct pn_opt pn_filter_opts[] = {
	{PN_OPTION_TEXT(text[PN_FILTER_FOCUS]), 0, "focus", "<regex>",
	 "only samples with such a frame"},
	{PN_OPTION_TEXT(text[PN_FILTER_IGNORE]), 0, "ignore", "<regex>",
	 "no samples with such a frame"},
	{PN_OPTION_TEXT(text[PN_FILTER_HIDE]), 0, "hide", "<regex>",
	 "take such frames out"},
	{PN_OPTION_TEXT(text[PN_FILTER_SHOW]), 0, "show", "<regex>",
	 "keep such frames only"},
	{PN_OPTION_TEXT(text[PN_FILTER_SHOW_FROM]), 0, "show-from", "<regex>",
	 "cut stacks above the outermost such frame"},
	{PN_OPTION_TEXT(text[PN_FILTER_PRUNE_FROM]), 0, "prune-from", "<regex>",
	 "cut stacks below the innermost such frame"},
	{PN_OPTION_TEXT(text[PN_FILTER_TAG_FOCUS]), 0, "tagfocus", "<filter>",
	 "only samples with such labels"},
	{PN_OPTION_TEXT(text[PN_FILTER_TAG_IGNORE]), 0, "tagignore", "<filter>",
	 "no samples with such labels"},
	{PN_OPTION_TEXT(text[PN_FILTER_TAG_SHOW]), 0, "tagshow", "<regex>",
	 "only labels of such keys"},
	{PN_OPTION_TEXT(text[PN_FILTER_TAG_HIDE]), 0, "taghide", "<regex>",
	 "no labels of such keys"},
	{PN_OPTION_TEXT(text[PN_FILTER_TAG_ROOT]), 0, "tagroot", "<keys>",
	 "the values of labels as frames above the root"},
	{PN_OPTION_TEXT(text[PN_FILTER_TAG_LEAF]), 0, "tagleaf", "<keys>",
	 "the same below the leaf"},
	{PN_OPTION_FLAG(call_graph), 0, "call-graph", NULL,
	 "the profile's own call graph, not its stacks"},
	{0},
};
