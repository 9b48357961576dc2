/* The options of a filter. */
#define OPT_STRUCT struct pn_filter
#include "analysis/filter/options.h"

#include "base/opts/table.h"

const struct pn_opt pn_filter_opts[] = {
	{OPT_TEXT(text[PN_FILTER_FOCUS]), 0, "focus", "<regex>",
	 "only samples with such a frame"},
	{OPT_TEXT(text[PN_FILTER_IGNORE]), 0, "ignore", "<regex>",
	 "no samples with such a frame"},
	{OPT_TEXT(text[PN_FILTER_HIDE]), 0, "hide", "<regex>",
	 "take such frames out"},
	{OPT_TEXT(text[PN_FILTER_SHOW]), 0, "show", "<regex>",
	 "keep such frames only"},
	{OPT_TEXT(text[PN_FILTER_SHOW_FROM]), 0, "show-from", "<regex>",
	 "cut stacks above the outermost such frame"},
	{OPT_TEXT(text[PN_FILTER_PRUNE_FROM]), 0, "prune-from", "<regex>",
	 "cut stacks below the innermost such frame"},
	{OPT_TEXT(text[PN_FILTER_TAG_FOCUS]), 0, "tagfocus", "<filter>",
	 "only samples with such labels"},
	{OPT_TEXT(text[PN_FILTER_TAG_IGNORE]), 0, "tagignore", "<filter>",
	 "no samples with such labels"},
	{OPT_TEXT(text[PN_FILTER_TAG_SHOW]), 0, "tagshow", "<regex>",
	 "only labels of such keys"},
	{OPT_TEXT(text[PN_FILTER_TAG_HIDE]), 0, "taghide", "<regex>",
	 "no labels of such keys"},
	{OPT_TEXT(text[PN_FILTER_TAG_ROOT]), 0, "tagroot", "<keys>",
	 "the values of labels as frames above the root"},
	{OPT_TEXT(text[PN_FILTER_TAG_LEAF]), 0, "tagleaf", "<keys>",
	 "the same below the leaf"},
	{OPT_FLAG(call_graph), 0, "call-graph", NULL,
	 "the profile's own call graph, not its stacks"},
	{0},
};
