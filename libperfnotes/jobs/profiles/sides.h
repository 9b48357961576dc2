/*
 * What is compared, or shown: two commits, or two profiles; of a commit alone
 * its series. Where a side is not named, it is the nearest measured commit.
 */
#ifndef PN_PROFILES_SIDES_H
#define PN_PROFILES_SIDES_H

#include "base/arena.h"
#include "storage/lookup/lookup.h"

#include <stdbool.h>

/* A commit as people name it. */
struct pn_side {
	struct pn_oid commit;
	const char *rev; /* one may type it */
};

/* The old side is 0, the new one 1. Zeroed before, released in any case. */
struct pn_sides {
	struct pn_arena arena;
	bool nothing; /* on failure: because nothing was measured */
	/* Two commits, and a name of those series that are meant (NULL: all);
	 * or else the names of two profiles. */
	bool are_commits;
	struct pn_side commits[2];
	const char *series;
	const char *profiles[2];
};

/*
 * Of no name HEAD and its nearest measured first-parent ancestor, of one name
 * that and HEAD, of two both. `<rev>:<series>` alone is compared with HEAD's,
 * of HEAD with its nearest ancestor that has it; beside a commit with the same
 * series there. What is no commit and no series is a profile.
 */
int pn_sides_find(struct pn_sides *out, const struct pn_lookup *lookup,
		  const char *const *names, size_t count, struct pn_error *err);
void pn_sides_release(struct pn_sides *sides);

/* Whether one of these may be a commit, or a profile of one; none is. */
bool pn_sides_may_be_commits(const char *const *names, size_t count);

/* A commit without profiles, of which an overview is wanted: says where there
 * are some. */
int pn_side_refuse(const struct pn_lookup *lookup, const struct pn_side *side,
		   struct pn_error *err);

/* --sample-index beside it: PN_EINVAL. */
int pn_side_refuse_type(const struct pn_side *side, struct pn_error *err);

/*
 * The commit whose overview is wanted: 1 with *out (rev in `arena`), 0 when
 * `name` is none. Without a name that of `lookup`, or its nearest measured
 * ancestor, so that PN_ENOTFOUND says that there is none.
 */
int pn_side_find(struct pn_side *out, struct pn_arena *arena,
		 const struct pn_lookup *lookup, const char *name,
		 struct pn_error *err);

#endif
