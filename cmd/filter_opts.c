/* What commands that filter a profile have in common. */
#define OPT_STRUCT struct pn_filter
#include "filter_opts.h"

#include "analysis/merge/filtered.h"
#include "command.h"

#include <string.h>

const struct pn_opt filter_opts[] = {
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

void filters_warn(unsigned int unmatched)
{
	int kind;

	for (kind = 0; kind < PN_FILTER_KINDS; kind++)
		if (unmatched & 1u << kind)
			warn("%s matched no samples",
			     pn_filter_name((enum pn_filter_kind)kind));
}

int filter_profile(struct pn_profile *profile, const struct pn_filter *filter,
		   const struct pn_opt_list *comments, struct pn_error *err)
{
	unsigned int unmatched;
	size_t i;
	int code = pn_filtered(profile, filter, &unmatched, err);

	if (code)
		return code;
	filters_warn(unmatched);
	for (i = 0; i < comments->count; i++)
		pn_profile_add_comment(profile, comments->values[i],
				       strlen(comments->values[i]));
	return 0;
}
