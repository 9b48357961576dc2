/* Which commit is judged, and beside what. */
#ifndef PN_JUDGE_ENDS_H
#define PN_JUDGE_ENDS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/oid.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

/* Zeroed before; its arena is released in any case. */
struct pn_judge_ends {
	struct pn_arena arena;
	struct pn_oid target, base;	   /* base: zero: its own past */
	const char *target_rev, *base_rev; /* as one may type them, or NULL */
	bool pair;			   /* with the base alone */
};

/*
 * Of no name HEAD and its past, of one that commit and its, of two the second
 * and the first; <a>..<b> and <a>...<b> are b and the newest commit that both
 * have, with the past of that. `against` (NULL: none) is a commit whose past is
 * taken in the place of the target's own. PN_ENOTFOUND, PN_EINVAL.
 */
int pn_judge_ends_find(struct pn_judge_ends *out, struct pn_repo *repo,
		       const char *const *names, size_t count,
		       const char *against, struct pn_error *err);

#endif
