/* What a remote has and has not of our notes. */
#ifndef PN_STORAGE_SYNC_H
#define PN_STORAGE_SYNC_H

#include "base/error.h"
#include "vcs/notes/notes.h"
#include "vcs/repo.h"

#include <stdbool.h>
#include <stddef.h>

/* Where a remote's notes are fetched to; printf format of the remote. */
#define PN_TRACKING_REF "refs/perf/remotes/%s/notes"

/* perf.remote, else the remote of the current branch, else "origin" when there
 * is one, else the only one that there is; NULL when there are several or none.
 * The caller frees. */
int pn_sync_remote(char **out, struct pn_repo *repo, struct pn_error *err);

/* Whether what is known of a remote has a place of its own: PN_EREFUSED where
 * its name begins as another one's and goes on with "/notes" or "/inbox". */
int pn_sync_check_remote(struct pn_repo *repo, const char *remote,
			 struct pn_error *err);

struct pn_unpushed {
	bool known;	  /* the remote's notes were fetched or pushed once */
	size_t lines;	  /* of ours that the remote's notes do not have */
	size_t incoming;  /* of theirs that were fetched and not united yet */
	char remote[256]; /* "" when there is none */
};

/* Compares with the tracking ref; equal subtrees are not read. */
int pn_sync_unpushed(struct pn_unpushed *out, struct pn_repo *repo,
		     struct pn_notes *notes, struct pn_error *err);
/* The same with a remote that is named. */
int pn_sync_compare(struct pn_unpushed *out, struct pn_repo *repo,
		    struct pn_notes *notes, const char *remote,
		    struct pn_error *err);
/* How many lines a commit of theirs has that are to come and are not here;
 * `ref` is what messages call it. */
int pn_sync_incoming(size_t *lines, struct pn_repo *repo,
		     struct pn_notes *notes, const char *ref,
		     const struct pn_oid *commit, struct pn_error *err);

#endif
