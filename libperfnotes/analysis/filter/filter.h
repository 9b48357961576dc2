/*
 * Take frames and samples out of a profile by regular expressions, in pprof's
 * order (github.com/google/pprof, driver_focus.go): focus, ignore, hide and
 * show; show_from; tag_focus and tag_ignore; tag_show and tag_hide; prune_from.
 * Before all of them tag_root and tag_leaf.
 *
 * Expressions are unanchored and hold for a frame when its function's name,
 * its file or its mapping's file matches. A profile that has a call graph and
 * no samples is filtered by node; of one that has both the graph goes, as it
 * does not say which of its costs are of what is left.
 */
#ifndef PN_FILTER_FILTER_H
#define PN_FILTER_FILTER_H

#include "model/profile.h"

enum pn_filter_kind {
	PN_FILTER_FOCUS,     /* keep samples with a matching frame */
	PN_FILTER_IGNORE,    /* drop samples with a matching frame */
	PN_FILTER_HIDE,	     /* take matching frames out */
	PN_FILTER_SHOW,	     /* keep matching frames only */
	PN_FILTER_SHOW_FROM, /* cut above the outermost matching frame */
	PN_FILTER_TAG_FOCUS,
	PN_FILTER_TAG_IGNORE,
	PN_FILTER_TAG_SHOW,   /* keep only labels whose key matches */
	PN_FILTER_TAG_HIDE,   /* take labels out whose key matches */
	PN_FILTER_PRUNE_FROM, /* cut below the innermost matching frame */
	/* keys of labels, which become frames: see tagframes.h */
	PN_FILTER_TAG_ROOT,
	PN_FILTER_TAG_LEAF,
	PN_FILTER_KINDS
};

/* Texts of the expressions, NULL or "" where there is none; borrowed. */
struct pn_filter {
	const char *text[PN_FILTER_KINDS];
	bool call_graph; /* what the profile's own says, not its stacks */
};

/* "focus", "show_from": as pprof and the headers of a report write it. */
const char *pn_filter_name(enum pn_filter_kind kind);
bool pn_filter_is_empty(const struct pn_filter *filter);

/*
 * Before all others: where call_graph is set, only the graph of the profile
 * stays, no samples. PN_EINVAL: it has none.
 */
int pn_filter_take_graph(struct pn_profile *profile,
			 const struct pn_filter *filter, struct pn_error *err);

/*
 * tag_root and tag_leaf, in place, with numbers in `unit`; before the others,
 * because totals are of what this leaves. `unmatched` as there.
 */
int pn_filter_add_tags(struct pn_profile *profile,
		       const struct pn_filter *filter, const char *unit,
		       unsigned int *unmatched, struct pn_error *err);

/*
 * Apply all but those to a profile in place: stacks become shorter, samples
 * fewer; tables keep what is no longer used. `unmatched` (may be NULL) gets bit
 * 1 << kind for each filter that matched nothing. On PN_EINVAL (a bad
 * expression, a filter that needs stacks on a profile without) nothing was
 * changed. Each expression meets each function and mapping once.
 */
int pn_filter_apply(struct pn_profile *profile, const struct pn_filter *filter,
		    unsigned int *unmatched, struct pn_error *err);

/*
 * What the profile itself asks for on loading: cut at the first frame, seen
 * from the root, whose simplified name matches all of drop_frames and not all
 * of keep_frames, and below it; but not before a frame that does not match.
 */
int pn_filter_drop_frames(struct pn_profile *profile, struct pn_error *err);

#endif
