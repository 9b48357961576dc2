/* What a repository's configuration needs so that profiles are shared well. */
#ifndef PN_STORAGE_SHARE_H
#define PN_STORAGE_SHARE_H

#include "base/arena.h"
#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

enum pn_share_kind {
	PN_SHARE_MERGE,	    /* git notes --ref=perf merge keeps every line */
	PN_SHARE_REMOTE,    /* the remote that is meant from here on */
	PN_SHARE_FETCH,	    /* git fetch brings the profiles of others */
	PN_SHARE_OLD_FETCH, /* taken out: what 0.1.0 had for that */
	PN_SHARE_KINDS
};

/* A value that was set, added or taken out. */
struct pn_share_change {
	enum pn_share_kind kind;
	const char *key, *value;
};

/* What was done, as far as it came. */
struct pn_share {
	struct pn_arena arena;
	const char *remote; /* NULL: there is none */
	struct pn_share_change changes[PN_SHARE_KINDS];
	size_t change_count;
	/* Values of `danger_key` that let a fetch overwrite profiles which were
	 * not pushed. They stay: they are the user's. */
	const char *danger_key;
	const char *const *dangers;
	size_t danger_count;
};

/* `wanted` (NULL: pn_sync_remote) names the remote; PN_ENOTFOUND when there is
 * none of that name. Done again it changes nothing. */
int pn_share_set_up(struct pn_share *out, struct pn_repo *repo,
		    const char *wanted, struct pn_error *err);
void pn_share_release(struct pn_share *share);

#endif
