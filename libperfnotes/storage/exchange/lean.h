/*
 * Indexes without bodies: a fetch that leaves large blobs out, which come when
 * they are needed (storage/body_fetch.h).
 *
 * git makes a remote of which it once left something out one that promises
 * the rest, and filters each later fetch of it, the user's own, too. So this is
 * asked of a remote of its own, `perf-<name>`, which has the other one's URL.
 * Where the clone is partial by that remote already, there is nothing to keep
 * apart.
 */
#ifndef PN_EXCHANGE_LEAN_H
#define PN_EXCHANGE_LEAN_H

#include "base/error.h"
#include "vcs/repo.h"

#include <stdbool.h>

/* Of the remote that is named: whether it is asked through its own one. git
 * itself puts a filter to any remote that promises objects. */
#define PN_LEAN_KEY "perfFilter"
/* Index lines have less than this nearly always (FORMAT.md), bodies that are
 * worth it more. */
#define PN_LEAN_FILTER "blob:limit=64k"

struct pn_lean {
	char *remote; /* that fetches go through; NULL: the remote itself */
	char *filter; /* git-rev-list(1) --filter; NULL: all comes */
};

/* What the configuration says of a remote, whose name is one. */
int pn_lean_read(struct pn_lean *out, struct pn_repo *repo, const char *remote,
		 struct pn_error *err);
void pn_lean_release(struct pn_lean *lean);

/*
 * For a fetch of all there is, where the clone lacks what that builds on: git
 * takes such a pack from a remote that promises the rest, and from no other.
 * The remote of our own is one from now on.
 */
int pn_lean_whole(struct pn_lean *out, struct pn_repo *repo, const char *remote,
		  struct pn_error *err);

/*
 * Have fetches of the remote leave large blobs out, or nothing from now on, and
 * *lean say so. Where the clone is partial by that remote already it stays as
 * it is: PN_EREFUSED for `on`.
 */
int pn_lean_set(struct pn_lean *lean, struct pn_repo *repo, const char *remote,
		bool on, struct pn_error *err);

#endif
