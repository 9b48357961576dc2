/* What a repository's configuration needs so that profiles are shared well. */
#ifndef PN_STORAGE_SHARE_H
#define PN_STORAGE_SHARE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "model/shared.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

/* What was done, as far as it came. */
struct pn_share {
	struct pn_arena arena; /* of its texts */
	struct pn_shared told;
};

/* `wanted` (NULL: pn_sync_remote) names the remote; PN_ENOTFOUND when there is
 * none of that name. Done again it changes nothing. */
int pn_share_set_up(struct pn_share *out, struct pn_repo *repo,
		    const char *wanted, struct pn_error *err);
/* Refspecs of all remotes by which a fetch writes over notes that are not
 * pushed, in an arena (git-fetch(1)). */
int pn_share_dangers(const struct pn_shared_danger **out, size_t *count,
		     struct pn_arena *arena, struct pn_repo *repo,
		     struct pn_error *err);
void pn_share_release(struct pn_share *share);

#endif
