/* What export and merge do to a profile before they write it. */
#define PN_OPTION_STRUCT struct pn_written
#include "analysis/merge/written.h"

#include "analysis/merge/call_tree.h"
#include "analysis/merge/filtered.h"
#include "analysis/merge/merge.h"
#include "base/opts/table.h"

#include <string.h>

const struct pn_opt pn_written_opts[] = {
	{PN_OPTION_FLAG(call_tree), 0, "call-tree", NULL,
	 "tell functions apart by the path of calls to them"},
	{PN_OPTION_FLAG(all_frames), 0, "all-frames", NULL,
	 "keep the frames that the profile says to drop: the default, see "
	 "--no-all-frames"},
	{PN_OPTION_LIST(comments), 0, "add-comment", "<text>",
	 "a comment to write into it (repeatable)"},
	{0},
};

void pn_written_init(struct pn_written *out)
{
	memset(out, 0, sizeof(*out));
	out->reshape = PN_RESHAPE_DEFAULT;
	out->all_frames = true;
	pn_top_ask_init(&out->top);
}

bool pn_written_is_plain(const struct pn_written *w)
{
	const struct pn_reshape *r = &w->reshape;

	return !w->comments.count && !w->call_tree && w->all_frames &&
	       !w->top.top && pn_filter_is_empty(&w->filter) &&
	       !w->bases.base.count && !w->bases.diff_base.count &&
	       !r->sample_index && !r->granularity_name && !r->noinlines &&
	       r->divide_by == 1;
}

int pn_written_check(struct pn_written *w, struct pn_error *err)
{
	int code = pn_bases_check(&w->bases, err);

	if (!code)
		code = pn_top_ask_check(&w->top, err);
	return code ? code : pn_reshape_check(&w->reshape, err);
}

/* With their names. */
static int drop_frames(struct pn_profile *profile, struct pn_error *err)
{
	int code = pn_filter_drop_frames(profile, err);

	return code || !profile->drop_frames
		       ? code
		       : pn_merge_alone(profile, NULL, err);
}

/* Whether names go by which a reader could still tell what to drop. */
static bool takes_names(const struct pn_written *w)
{
	const struct pn_reshape *r = &w->reshape;

	return w->top.top || r->noinlines ||
	       (r->granularity_name && r->granularity == PN_BY_FILES);
}

int pn_written_apply(struct pn_profile *profile, const struct pn_written *w,
		     unsigned int *unmatched, struct pn_error *err)
{
	size_t i;
	int code = 0;

	if (!w->all_frames || takes_names(w))
		code = drop_frames(profile, err);

	if (!code)
		code = pn_filtered(profile, &w->filter, unmatched, err);
	if (!code && !w->top.top)
		code = pn_reshape(profile, &w->reshape, err);
	if (!code && w->call_tree)
		code = pn_call_tree(profile, err);
	if (!code && w->top.top)
		code = pn_top_profile(profile, &w->top, &w->reshape, err);
	for (i = 0; i < w->comments.count && !code; i++)
		pn_profile_add_comment(profile, w->comments.values[i],
				       strlen(w->comments.values[i]));
	return code;
}
