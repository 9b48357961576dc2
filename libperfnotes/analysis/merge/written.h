/* What export and merge are asked to do to a profile before they write it. */
#ifndef PN_MERGE_WRITTEN_H
#define PN_MERGE_WRITTEN_H

#include "analysis/filter/filter.h"
#include "analysis/merge/reshape.h"
#include "analysis/top_profile.h"

struct pn_written {
	struct pn_filter filter;
	struct pn_bases bases;
	struct pn_reshape reshape;
	struct pn_opt_list comments;
	struct pn_top_ask top;
	bool call_tree; /* see call_tree.h */
	/* Those that the profile says to drop, too, unless names that tell
	 * which these are go. */
	bool all_frames;
};

/* What is of none of its members: OPT_TABLE(struct pn_written, <member>,
 * pn_written_opts). */
extern const struct pn_opt pn_written_opts[];

void pn_written_init(struct pn_written *out);
/* Whether nothing is asked for. */
bool pn_written_is_plain(const struct pn_written *written);
/* What the option tables cannot check; see reshape.h. PN_EINVAL. */
int pn_written_check(struct pn_written *written, struct pn_error *err);
/* All but the bases: filtered, in the shape asked for, with comments.
 * `unmatched` as for pn_filter_apply. */
int pn_written_apply(struct pn_profile *profile,
		     const struct pn_written *written, unsigned int *unmatched,
		     struct pn_error *err);

#endif
